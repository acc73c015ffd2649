// Tensors cut in parts along an axis.

#include <algorithm>

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// Parts of these lengths, of which one may be -1: the rest.
void cut(Node& node, int64_t axis, OutPort lengths) {
  const int count = node.out_count();
  const OutPort x = required(node, "self"), along = Builder(node).i64_scalar(axis);
  become(node, "VariadicSplit", {x, along, lengths}, {}, count);
}

/// By the lengths that the program says, if it says all but one. False if it does not.
bool cut_as_known(Node& node, int64_t axis) {
  if (node.out_count() == 1) return give(node, {required(node, "self")}), true;
  Ints lengths;
  for (int i = 0; i < node.out_count(); ++i) {
    const Ints sizes = result_sizes(node, static_cast<size_t>(i));
    if (axis >= static_cast<int64_t>(sizes.size()))
      throw Error(Code::RankMismatch, msg("parts of rank ", sizes.size(), " along axis ", axis));
    lengths.push_back(sizes[static_cast<size_t>(axis)]);
  }
  if (std::count(lengths.begin(), lengths.end(), -1) > 1) return false;
  cut(node, axis, Builder(node).i64(lengths));
  return true;
}

/// All parts but the last one have this length, a list of one.
OutPort lengths_but_last(Node& node, Builder& b, OutPort length) {
  std::vector<OutPort> all(static_cast<size_t>(node.out_count()) - 1, length);
  all.push_back(b.i64({-1}));
  return b.concat(all, 0);
}

/// As many parts as there are outputs; the first ones have one element more if the parts cannot be equal.
OutPort even_lengths(Node& node, Builder& b, int64_t axis) {
  Ints more;
  for (int64_t i = node.out_count(); i-- > 0;) more.push_back(i);
  const OutPort sum = b.op("Add", {b.dims_of(required(node, "self"), {axis}), b.i64(more)});
  return b.op("Div", {sum, b.i64({node.out_count()})});
}

/// Parts that end at places; those below 0 count from the end.
OutPort lengths_between(Node& node, Builder& b, OutPort places, int64_t axis) {
  const OutPort size = b.dims_of(required(node, "self"), {axis}), zero = b.i64({0});
  const OutPort moved = b.op("Select", {b.op("Less", {places, zero}), b.op("Add", {places, size}), places});
  const OutPort inside = b.op("Maximum", {b.op("Minimum", {moved, size}), zero});
  const OutPort begin = b.concat({zero, inside}, 0), end = b.concat({inside, size}, 0);
  return b.op("Maximum", {b.op("Sub", {end, begin}), zero});
}

void split_as_numpy(Node& node, int64_t axis) {
  if (cut_as_known(node, axis)) return;
  if (is_given(node, "tensor_indices_or_sections"))
    throw Error(Code::UnsupportedForm, "places in a tensor, and a dimension that is not known");
  Builder b(node);
  const OutPort lengths = is_given(node, "indices") ? lengths_between(node, b, int_list(node, b, "indices"), axis)
                                                    : even_lengths(node, b, axis);
  cut(node, axis, lengths);
}

}  // namespace

void extract_split(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  if (cut_as_known(node, axis)) return;
  Builder b(node);
  if (node.has("chunks")) {
    const int64_t chunks = int_of(node, "chunks");
    if (chunks < 1) throw Error(Code::BadAttribute, msg("chunks is ", chunks));
    const OutPort sum = b.op("Add", {b.dims_of(required(node, "self"), {axis}), b.i64({chunks - 1})});
    return cut(node, axis, lengths_but_last(node, b, b.op("Div", {sum, b.i64({chunks})})));
  }
  const char* argument = is_given(node, "split_sizes") ? "split_sizes" : "split_size";
  const OutPort lengths = int_list(node, b, argument);
  cut(node, axis, node.attributes.get_if<Ints>(argument) ? lengths : lengths_but_last(node, b, lengths));
}

void extract_tensor_split(Node& node) { split_as_numpy(node, axis_of(node, "dim", rank_of(node, "self"))); }
void extract_hsplit(Node& node) { split_as_numpy(node, rank_of(node, "self") == 1 ? 0 : 1); }
void extract_vsplit(Node& node) { split_as_numpy(node, 0); }
void extract_dsplit(Node& node) { split_as_numpy(node, 2); }

void extract_unbind(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const int count = node.out_count();
  const OutPort x = required(node, "self");
  if (count == 1) return give(node, {Builder(node).squeeze(x, {axis})});
  become(node, "Unpack", {x}, {{"axis", axis}}, count);
}

}  // namespace mo::pytorch
