// Tensors made by a rule: places of triangles, combinations, powers.

#include <numeric>

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

constexpr int64_t kMostNumbers = 1 << 20;

/// A constant of rows.
OutPort as_rows(Builder& b, const Ints& numbers, int64_t columns) {
  return b.reshape(b.i64(numbers), {static_cast<int64_t>(numbers.size()) / columns, columns}, false);
}

/// The rows, then the columns, of a matrix in order for which `column - row` is on the right side of the offset.
void places_of_triangle(Node& node, bool upper) {
  const int64_t height = int_of(node, "row"), width = int_of(node, "col"), offset = int_of(node, "offset");
  if (height < 0 || width < 0 || (width > 0 && height > kMostNumbers / width))
    throw Error(Code::UnsupportedForm, msg("the triangle of a matrix of ", height, " x ", width));
  Ints down, across;
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < width; ++column)
      if (upper ? column - row >= offset : column - row <= offset) down.push_back(row), across.push_back(column);
  if (down.empty()) throw Error(Code::UnsupportedForm, "a triangle without elements");
  const auto count = static_cast<int64_t>(down.size());
  down.insert(down.end(), across.begin(), across.end());
  Builder b(node);
  give_typed(node, b, as_rows(b, down, count), ElementType::I64);
}

}  // namespace

void extract_tril_indices(Node& node) { places_of_triangle(node, false); }
void extract_triu_indices(Node& node) { places_of_triangle(node, true); }

/// Rows of r elements in their order, each row once.
void extract_combinations(Node& node) {
  const Ints sizes = sizes_of(node, "self");
  const int64_t r = int_of(node, "r"), again = node.get_bool("with_replacement") ? 0 : 1;
  if (sizes.size() != 1 || sizes[0] < 0) throw Error(Code::UnsupportedForm, "the number of elements is not known");
  const int64_t count = sizes[0];
  if (r < 1 || r > kMostNumbers || (r - 1) * again >= count)
    throw Error(Code::UnsupportedForm, msg("combinations of ", r, " elements of ", count));
  Ints chosen(static_cast<size_t>(r)), all;
  std::iota(chosen.begin(), chosen.end(), 0);
  if (!again) chosen.assign(chosen.size(), 0);
  const auto last = [&](size_t at) { return again ? count - r + static_cast<int64_t>(at) : count - 1; };
  for (bool more = true; more;) {
    all.insert(all.end(), chosen.begin(), chosen.end());
    if (static_cast<int64_t>(all.size()) > kMostNumbers)
      throw Error(Code::UnsupportedForm, msg("combinations of ", r, " elements of ", count));
    size_t at = chosen.size();
    while (at > 0 && chosen[at - 1] == last(at - 1)) --at;
    more = at > 0;
    if (!more) break;
    ++chosen[at - 1];
    for (; at < chosen.size(); ++at) chosen[at] = chosen[at - 1] + again;
  }
  Builder b(node);
  const OutPort x = required(node, "self"), places = as_rows(b, all, r), along = b.i64_scalar(0);
  become(node, "Gather", {x, places, along});
}

/// Columns of powers, each the one before it times x.
void extract_vander(Node& node) {
  constexpr int64_t kMostColumns = 1 << 10;
  const Ints sizes = sizes_of(node, "x");
  if (sizes.size() != 1) throw Error(Code::RankMismatch, msg("powers of a tensor of rank ", sizes.size()));
  const int64_t count = is_given(node, "N") ? int_of(node, "N") : sizes[0];
  if (count < 1 || count > kMostColumns) throw Error(Code::UnsupportedForm, msg(count, " columns of powers"));
  Builder b(node);
  const ElementType type = result_type(node);
  const OutPort x = b.unsqueeze(operand(node, b, "x", type), {1});
  std::vector<OutPort> columns{
      b.op("Broadcast", {b.constant(make_scalar(type, 1)), b.shape_of(x)}, {{"mode", "numpy"}})};
  for (int64_t power = 1; power < count; ++power) columns.push_back(power == 1 ? x : b.op("Mul", {columns.back(), x}));
  if (!node.get_bool("increasing")) columns = {columns.rbegin(), columns.rend()};
  if (count == 1) return give(node, columns);
  become(node, "Concat", columns, {{"axis", 1}});
}

void extract_logspace(Node& node) {
  const ElementType type = result_type(node);
  if (!is_float(type)) throw Error(Code::UnsupportedType, std::string(ir_name(type)));
  Builder b(node);
  const OutPort start = operand(node, b, "start", type), stop = operand(node, b, "end", type),
                count = int_scalar(node, b, "steps"), base = b.constant(make_scalar(type, number_of(node, "base")));
  const OutPort exponents = b.op("LinSpace", {start, stop, count});
  become(node, "Pow", {base, exponents});
}

}  // namespace mo::pytorch
