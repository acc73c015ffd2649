// Values that pass, perhaps with another type, factor or summand.

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {

void extract_cast(Node& node) {
  const ElementType type = type_of(node, "out_dtype");
  become(node, "Cast", {required(node, "X")}, {{"dst_type", type}});
}

/// X * scale + bias, or (X + bias) * scale. Programs of 2.x have one that changes nothing before each output.
void extract_scale(Node& node) {
  Builder b(node);
  OutPort x = required(node, "X");
  const double scale = node.get_float("scale", 1), bias = node.get_float("bias");
  const OutPort tensor = input(node, "ScaleTensor");
  const auto multiply = [&] {
    if (tensor) x = b.op("Mul", {x, b.op("ConvertLike", {b.reshape(tensor, {}), x})});
    if (!tensor && scale != 1) x = b.op("Mul", {x, b.scalar_like(x, scale)});
  };
  const bool bias_first = !node.get_bool("bias_after_scale", true);
  if (!bias_first) multiply();
  if (bias != 0) x = b.op("Add", {x, b.scalar_like(x, bias)});
  if (bias_first) multiply();
  give(node, {{"Out", x}});
}

void extract_increment(Node& node) {
  const OutPort x = required(node, "X");
  const OutPort step = Builder(node).scalar_like(x, node.get_float("step", 1));
  become(node, "Add", {x, step});
}

}  // namespace mo::paddle
