// Tensors joined, and cut in parts.

#include <algorithm>

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// All tensors as the type of the result. An empty list of old code joins nothing to tensors of more dimensions.
std::vector<OutPort> parts_of(Node& node, Builder& b, bool drop_empty) {
  const Ints types = node.get_ints("input_types"), ranks = node.get_ints("input_ranks"),
             sizes = node.get_ints("input_sizes");
  const ElementType type = result_type(node);
  std::vector<OutPort> out;
  size_t at = 0;
  for (size_t i = 0; i < types.size(); ++i) {
    const bool is_empty = ranks[i] == 1 && sizes[at] == 0;
    at += static_cast<size_t>(ranks[i]);
    require_input(node, static_cast<int>(i));
    if (drop_empty && is_empty && result_rank(node) > 1) continue;
    out.push_back(as_type(b, node.source(static_cast<int>(i)), static_cast<ElementType>(types[i]), type));
  }
  if (out.empty()) throw Error(Code::MissingInput, std::string("tensors"));
  return out;
}

/// The sizes of the outputs along the axis, as far as the program knows them.
void cut(Node& node, int64_t axis) {
  const int count = node.out_count();
  const OutPort x = required(node, "self");
  if (count == 1) return give(node, {x});
  Ints lengths;
  int unknown = 0;
  for (int i = 0; i < count; ++i) {
    lengths.push_back(result_sizes(node, static_cast<size_t>(i)).at(static_cast<size_t>(axis)));
    unknown += lengths.back() < 0;
  }
  Builder b(node);
  const OutPort along = b.i64_scalar(axis);
  if (unknown <= 1) {
    const OutPort sizes = b.i64(lengths);
    return become(node, "VariadicSplit", {x, along, sizes}, {}, count);
  }
  if (!node.has("chunks") && inputs(node, "split_sizes").empty()) {
    const int64_t size = int_of(node, "split_size");
    lengths.assign(static_cast<size_t>(count), size);
    lengths.back() = -1;
    const OutPort sizes = b.i64(lengths);
    return become(node, "VariadicSplit", {x, along, sizes}, {}, count);
  }
  if (node.has("chunks")) throw Error(Code::UnsupportedForm, "parts of a dimension that is not known");
  const OutPort sizes = int_list(node, b, "split_sizes");
  become(node, "VariadicSplit", {x, along, sizes}, {}, count);
}

}  // namespace

void extract_cat(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", result_rank(node));
  const std::vector<OutPort> parts = parts_of(node, b, true);
  if (parts.size() == 1) return give(node, parts);
  become(node, "Concat", parts, {{"axis", axis}});
}

void extract_stack(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of(node, "dim", result_rank(node));
  const std::vector<OutPort> parts = parts_of(node, b, false);
  if (parts.size() == 1) return give(node, {b.unsqueeze(parts[0], {axis})});
  become(node, "Pack", parts, {{"axis", axis}});
}

void extract_split(Node& node) { cut(node, axis_of(node, "dim", rank_of(node, "self"))); }

void extract_unbind(Node& node) {
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  const int count = node.out_count();
  const OutPort x = required(node, "self");
  if (count == 1) return give(node, {Builder(node).squeeze(x, {axis})});
  become(node, "Unpack", {x}, {{"axis", axis}}, count);
}

/// Rows and columns of vectors; "xy" has the second vector along the first axis.
void extract_meshgrid(Node& node) {
  Builder b(node);
  const std::vector<OutPort> lines = inputs(node, "tensors");
  const bool is_xy = node.get_string("indexing", "ij") == "xy" && lines.size() > 1;
  const auto place = [&](size_t i) { return is_xy && i < 2 ? 1 - i : i; };
  std::vector<OutPort> shape(lines.size()), out;
  for (size_t i = 0; i < lines.size(); ++i) shape[place(i)] = b.shape_of(b.reshape(lines[i], {-1}, false));
  const OutPort whole = shape.size() == 1 ? shape[0] : b.concat(shape, 0);
  for (size_t i = 0; i < lines.size(); ++i) {
    Ints along(lines.size(), 1);
    along[place(i)] = -1;
    out.push_back(b.op("Broadcast", {b.reshape(lines[i], along, false), whole}, {{"mode", "numpy"}}));
  }
  give(node, out);
}

/// All in the shape that they have together.
void extract_broadcast_tensors(Node& node) {
  Builder b(node);
  const std::vector<OutPort> tensors = inputs(node, "tensors");
  if (tensors.empty()) throw Error(Code::MissingInput, "tensors");
  const Ints sizes = result_sizes(node);
  if (tensors.size() == 1 || sizes.empty()) return give(node, tensors);
  OutPort shape;
  if (std::find(sizes.begin(), sizes.end(), -1) == sizes.end()) {
    shape = b.i64(sizes);
  } else {
    shape = b.shape_of(tensors[0]);
    for (size_t i = 1; i < tensors.size(); ++i) shape = b.op("BroadcastArgs", {shape, b.shape_of(tensors[i])});
  }
  std::vector<OutPort> out;
  for (const OutPort tensor : tensors) out.push_back(b.op("Broadcast", {tensor, shape}, {{"mode", "numpy"}}));
  give(node, out);
}

}  // namespace mo::pytorch
