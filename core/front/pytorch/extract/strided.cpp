// Views of the storage by sizes and strides.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"
#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {
namespace {

bool holds_computed(const Ints& numbers) {
  return std::find(numbers.begin(), numbers.end(), kFromGraph) != numbers.end();
}

/// The places of all elements of a view in the list of those that a tensor with the sizes `own` has.
Ints places_of_view(const Ints& own, const Ints& sizes, const Ints& strides, int64_t offset) {
  constexpr size_t kMostPlaces = 1 << 20;
  Interval count = 1;
  for (const int64_t size : own) count = count * (size < 0 ? Interval() : Interval(size));
  Ints places{offset};
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1 || strides[i] < 0 || sizes[i] > static_cast<int64_t>(kMostPlaces / places.size()))
      throw Error(Code::UnsupportedForm, msg("a view of ", sizes[i], " elements by a stride of ", strides[i]));
    const Ints before = std::move(places);
    places.clear();
    for (const int64_t place : before)
      for (int64_t at = 0; at < sizes[i]; ++at) {
        const Interval moved = Interval(place) + Interval(at) * Interval(strides[i]);
        if (moved.min < 0 || moved.min >= count.max)
          throw Error(Code::BadAttribute, msg("a view of element ", moved.min, " of ", count.max));
        places.push_back(moved.min);
      }
  }
  return places;
}

void require_strides(const Ints& sizes, const Ints& strides) {
  if (sizes.size() != strides.size())
    throw Error(Code::BadAttribute, msg(strides.size(), " strides of ", sizes.size(), " dimensions"));
}

/// Whether elements are in the order of these sizes. An open first size does not matter for that.
bool are_dense(const Ints& sizes, const Ints& strides) {
  if (sizes.size() != strides.size()) return false;
  Interval dense = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    if (sizes[i] != 1 && Interval(strides[i]) != dense) return false;
    dense = dense * (sizes[i] < 0 ? Interval() : Interval(sizes[i]));
  }
  return true;
}

/// The rows that a computed first size asks for, if the others are those of x and its elements are in order; else the
/// elements at computed places.
void view_of_open_sizes(Node& node) {
  const Ints numbers = node.get_ints("size"), steps = node.get_ints("stride"), own = sizes_of(node, "self");
  require_strides(numbers, steps);
  Builder b(node);
  const OutPort x = as_stored(node, b, "self"), sizes = int_list(node, b, "size"), zero = b.i64_scalar(0);
  const bool has_offset = is_given(node, "storage_offset");
  const OutPort offset = has_offset ? int_scalar(node, b, "storage_offset") : zero;
  const bool from_start = !has_offset || (!input(node, "storage_offset") && int_of(node, "storage_offset") == 0);
  const bool is_rows = from_start && is_in_order(node, "self") && !holds_computed(steps) && !numbers.empty() &&
                       numbers.size() == own.size() &&
                       std::equal(numbers.begin() + 1, numbers.end(), own.begin() + 1) &&
                       !holds_computed({numbers.begin() + 1, numbers.end()}) && are_dense(own, steps);
  if (is_rows) {
    const OutPort start = b.i64({0}), stop = b.gather(sizes, start, 0), step = b.i64({1}), axes = b.i64({0});
    return become(node, "Slice", {x, start, stop, step, axes});
  }
  const OutPort strides = int_list(node, b, "stride"), one = b.i64_scalar(1);
  OutPort places = offset;
  for (size_t i = 0; i < numbers.size(); ++i) {
    const OutPort at = b.i64_scalar(static_cast<int64_t>(i));
    const OutPort count = b.gather(sizes, at, 0), stride = b.gather(strides, at, 0);
    const OutPort all = b.op("Range", {zero, count, one}, {{"output_type", ElementType::I64}});
    Ints aligned(numbers.size() - i, 1);
    aligned[0] = -1;
    places = b.op("Add", {places, b.reshape(b.op("Mul", {all, stride}), aligned, false)});
  }
  const OutPort list = b.reshape(x, {-1}, false);
  become(node, "Gather", {list, places, zero});
}

}  // namespace

/// An identity where sizes are those of x, and strides those of its elements in order; else the elements at these
/// places.
void extract_as_strided(Node& node) {
  if (holds_computed(node.get_ints("size")) || holds_computed(node.get_ints("stride")) || input(node, "storage_offset"))
    return view_of_open_sizes(node);
  const Ints sizes = ints_of(node, "size"), strides = ints_of(node, "stride"), own = sizes_of(node, "self");
  const int64_t offset = node.has("storage_offset") ? int_of(node, "storage_offset") : 0;
  if (sizes == own && offset == 0 && are_dense(sizes, strides) && is_in_order(node, "self"))
    return give(node, {required(node, "self")});
  require_strides(sizes, strides);
  const Ints places = places_of_view(own, sizes, strides, offset);
  Builder b(node);
  const OutPort list = b.reshape(as_stored(node, b, "self"), {-1}, false);
  const OutPort elements = b.gather(list, b.i64(places), 0), shape = b.i64(sizes);
  become(node, "Reshape", {elements, shape}, {{"special_zero", false}});
}

}  // namespace mo::pytorch
