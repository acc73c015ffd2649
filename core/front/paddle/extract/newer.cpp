// Operators that only programs of PaddlePaddle 3 have.

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {

/// x * sigmoid(x) * y; without y of the halves of x.
void extract_swiglu(Node& node) {
  Builder b(node);
  OutPort x = required(node, "x"), y = input(node, "y");
  if (!y) {
    Node& halves = b.node("AttributedSplit", {x}, {{"axis", int64_t{-1}}, {"num_outputs", int64_t{2}}}, 2);
    x = halves.out(0);
    y = halves.out(1);
  }
  give(node, {{"out", b.op("Mul", {b.op("Swish", {x}), y})}});
}

void extract_baddbmm(Node& node) {
  Builder b(node);
  const OutPort base = required(node, "input");
  const auto times = [&](OutPort x, double factor) {
    return factor == 1 ? x : b.op("Mul", {x, b.scalar_like(x, factor)});
  };
  const OutPort product = times(b.matmul({required(node, "x"), required(node, "y")}), node.get_float("alpha", 1));
  if (node.get_float("beta", 1) == 0) return give(node, {{"out", product}});
  give(node, {{"out", b.op("Add", {times(base, node.get_float("beta", 1)), product})}});
}

void extract_masked_fill(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "x"), value = b.op("ConvertLike", {required(node, "value"), x});
  become(node, "Select", {required(node, "mask"), value, x}, {}, {"out"});
}

void extract_bitwise_left_shift(Node& node) {
  become(node, "BitwiseLeftShift", {required(node, "x"), required(node, "y")}, {}, {"out"});
}

/// One that is not arithmetic would fill signed integers with zeros.
void extract_bitwise_right_shift(Node& node) {
  if (!node.get_bool("is_arithmetic", true)) throw Error(Code::UnsupportedForm, "a shift that is not arithmetic");
  become(node, "BitwiseRightShift", {required(node, "x"), required(node, "y")}, {}, {"out"});
}

/// The sign of -0 shows in its reciprocal.
void extract_copysign(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "x"), y = required(node, "y"), size = b.op("Abs", {x}), zero = b.scalar_like(y, 0);
  const OutPort inverse = b.op("Div", {b.scalar_like(y, 1), y});
  const OutPort negative = b.op("LogicalOr", {b.op("Less", {y, zero}), b.op("Less", {inverse, zero})});
  become(node, "Select", {negative, b.op("Mul", {size, b.scalar_like(size, -1)}), size}, {}, {"out"});
}

}  // namespace mo::paddle
