// Operators that change shapes, or give them. A list of sizes or axes may be an attribute, a tensor, or several.

#include <algorithm>

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {

/// 0: the dimension of X at the same place.
void extract_reshape(Node& node) {
  const OutPort x = required(node, "X"), shape = integers(node, "Shape", "ShapeTensor", "shape");
  if (!shape) throw Error(Code::MissingAttribute, "shape");
  become(node, "Reshape", {x, shape}, {{"special_zero", true}});
}

/// A view of 2.6.
void extract_view_shape(Node& node) {
  const OutPort x = required(node, "input");
  become(node, "AttributedReshape", {x}, {{"shape", ints_of(node, "dims")}, {"allowzero", true}}, {"out"});
}

/// As a matrix.
void extract_flatten(Node& node) {
  const int64_t axis = node.get_int("axis", 1);
  become(node, "FlattenONNX", {required(node, "X")}, {{"axis", axis}});
}

void extract_flatten_range(Node& node) {
  const int64_t begin = node.get_int("start_axis", 1), last = node.get_int("stop_axis", 1);
  if (begin < INT32_MIN || begin > INT32_MAX || last < INT32_MIN || last > INT32_MAX)
    throw Error(Code::BadAttribute, msg("axes ", begin, " to ", last));
  become(node, "ReshapedAxes", {required(node, "X")},
         {{"shape", Ints{-1}}, {"begin", begin < 0 ? begin - 1 : begin}, {"end", last < 0 ? last : last + 1}});
}

/// Dimensions other than 1 stay.
void extract_squeeze(Node& node) {
  const OutPort x = required(node, "X"), axes = integers(node, {}, {}, "axes");
  const bool all = !input(node, "axes") && ints_of(node, "axes").empty();
  become(node, "SqueezeOnes", all ? std::vector<OutPort>{x} : std::vector<OutPort>{x, axes});
}

/// Each axis is one of the result of those before it.
void extract_unsqueeze(Node& node) {
  const OutPort x = required(node, "X"), axes = integers(node, "AxesTensor", "AxesTensorList", "axes");
  if (!axes) throw Error(Code::MissingAttribute, "axes");
  become(node, "UnsqueezeInTurn", {x, axes});
}

void extract_transpose(Node& node) {
  Ints order = ints_of(node, "axis");
  for (int64_t& axis : order)
    if (axis < 0) axis += static_cast<int64_t>(order.size());
  become(node, "AttributedTranspose", {required(node, "X")}, {{"perm", order}});
}

void extract_shape(Node& node) {
  const ElementType type = type_of(node, "out_dtype", ElementType::I32);
  become(node, "ShapeOf", {required(node, "Input")}, {{"output_type", type}});
}

void extract_size(Node& node) { become_declared(node, "Size", {required(node, "Input")}); }

/// -1: the dimension of X.
void extract_expand(Node& node) {
  const OutPort x = required(node, "X");
  Builder b(node);
  OutPort shape;
  if (input(node, "Shape") || input(node, "expand_shapes_tensor") || input(node, "shape")) {
    shape = b.op("Abs", {integers(node, "Shape", "expand_shapes_tensor", "shape")});
  } else {
    Ints sizes = ints_of(node, "shape");
    for (int64_t& size : sizes)
      if (size == -1) size = 1;
    shape = b.i64(sizes);
  }
  become(node, "Expand", {x, shape});
}

/// Dimensions that target_shape does not say are those of Y.
void extract_expand_as(Node& node) {
  const OutPort x = required(node, "X"), like = input(node, "Y");
  const Ints sizes = ints_of(node, "target_shape");
  const auto open = std::count(sizes.begin(), sizes.end(), -1);
  Builder b(node);
  if (open == 0 && !sizes.empty()) {
    const OutPort shape = b.i64(sizes);
    return become(node, "Expand", {x, shape});
  }
  const OutPort of_like = b.shape_of(like ? like : required(node, "Y"));
  if (open == static_cast<int64_t>(sizes.size())) return become(node, "Expand", {x, of_like});
  std::vector<OutPort> parts;
  for (size_t i = 0; i < sizes.size(); ++i)
    parts.push_back(sizes[i] >= 0 ? b.i64({sizes[i]}) : b.gather(of_like, b.i64({static_cast<int64_t>(i)}), 0));
  const OutPort shape = b.concat(parts, 0);
  become(node, "Expand", {x, shape});
}

/// 1.x: X repeated to that shape.
void extract_expand_as_repeated(Node& node) {
  const OutPort x = required(node, "X"), like = required(node, "target_tensor");
  Builder b(node);
  const OutPort sizes = b.shape_of(like), times = b.op("Div", {sizes, b.shape_of(x)});
  become(node, "AttributedTile", {x, times});
}

/// 1.x: X repeated that many times.
void extract_expand_times(Node& node) {
  const OutPort x = required(node, "X"), times = integers(node, "ExpandTimes", "expand_times_tensor", "expand_times");
  if (!times) throw Error(Code::MissingAttribute, "expand_times");
  become(node, "AttributedTile", {x, times});
}

void extract_tile(Node& node) {
  const OutPort x = required(node, "X"), times = integers(node, "RepeatTimes", "repeat_times_tensor", "repeat_times");
  if (!times) throw Error(Code::MissingAttribute, "repeat_times");
  become(node, "AttributedTile", {x, times});
}

}  // namespace mo::paddle
