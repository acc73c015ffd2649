// Operators that sort, and find the largest and least elements.

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

/// All elements as a list, if the axis is None.
struct Line {
  OutPort x;
  int64_t axis;
  bool flat;
};

Line line_of(const Node& node, Builder& b, int64_t otherwise) {
  const OutPort x = required(node, 0);
  const bool flat = node.attributes.find("axis") && !is_given(node, "axis");
  return {flat ? b.reshape(x, {-1}, false) : x, flat ? 0 : int_of(node, "axis", otherwise), flat};
}

OutPort typed(Builder& b, OutPort places, ElementType type) { return b.op("Cast", {places}, {{"dst_type", type}}); }

/// All elements in order, and their places.
Node& sorted(Builder& b, const Line& line, bool largest) {
  return b.node("ArgSort", {line.x}, {{"axis", line.axis}, {"largest", largest}}, 2);
}

/// The place of the first of the largest or least elements; the result has a dimension at least, unless NumPy's rules
/// hold.
void place(Node& node, const char* op, bool of_numpy) {
  Builder b(node);
  const OutPort x = required(node, 0);
  const bool keep = bool_of(node, "keepdims"), flat = !is_given(node, "axis");
  const Line line{flat ? b.reshape(x, {-1}, false) : x, int_of(node, "axis"), flat};
  OutPort y = b.op(op, {line.x},
                   Attributes{{"axis", line.axis},
                              {"keepdims", flat ? !of_numpy : keep},
                              {"select_last_index", false},
                              {"output_type", ElementType::I64}});
  if (flat && keep) y = b.op("WithRankOf", {y, x});
  if (of_numpy) return give(node, {y});
  const OutPort shaped = flat || keep ? y : b.op("AtLeast1D", {y});
  become(node, "ConvertLike", {shaped, x});
}

}  // namespace

void extract_sort(Node& node) {
  Builder b(node);
  const Line line = line_of(node, b, -1);
  give(node, {sorted(b, line, !bool_of(node, "is_ascend", true)).out(0)});
}

void extract_argsort(Node& node) {
  Builder b(node);
  const Line line = line_of(node, b, -1);
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  give(node, {typed(b, sorted(b, line, !bool_of(node, "is_ascend", true)).out(1), type)});
}

/// The first k elements in order, their places, or ones at these places.
void extract_topk(Node& node) {
  Builder b(node);
  const Line line = line_of(node, b, -1);
  const bool largest = !bool_of(node, "is_ascend");
  const int64_t k = int_of(node, "k", 1);
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  const std::string wanted = choice_of(node, "ret_typ", "indices", {"value", "indices", "both", "mask"});
  Node& found =
      k < 1 ? sorted(b, line, largest)
            : b.node("TopKONNX", {line.x}, {{"axis", line.axis}, {"k", k}, {"largest", largest}, {"sorted", true}}, 2);
  if (wanted == "value") return give(node, {found.out(0)});
  if (wanted == "mask") {
    const OutPort axis = b.i64_scalar(line.axis), mask = b.op("OnesAt", {line.x, found.out(1), axis});
    if (!line.flat) return give(node, {mask});
    const OutPort shape = b.shape_of(required(node, 0));
    return become(node, "Reshape", {mask, shape}, {{"special_zero", false}});
  }
  const OutPort places = typed(b, found.out(1), type);
  if (wanted == "indices") return give(node, {places});
  give(node, {found.out(0), places});
}

void extract_argmax(Node& node) { place(node, "ArgMax", false); }
void extract_argmin(Node& node) { place(node, "ArgMin", false); }
void extract_np_argmax(Node& node) { place(node, "ArgMax", true); }
void extract_np_argmin(Node& node) { place(node, "ArgMin", true); }

void extract_argmax_channel(Node& node) {
  const OutPort x = required(node, 0);
  Builder b(node);
  const OutPort y = b.op(
      "ArgMax", {x},
      Attributes{{"axis", 1}, {"keepdims", false}, {"select_last_index", false}, {"output_type", ElementType::I64}});
  become(node, "ConvertLike", {y, x});
}

}  // namespace mo::mxnet
