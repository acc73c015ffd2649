#include "core/front/onnx/decompose/random.h"

#include <cmath>

namespace mo::onnx {

OutPort uniform_numbers(Builder& b, const Node& node, OutPort shape, double low, double high, int64_t stream) {
  Attributes attributes = {{"output_type", ElementType::F32}};
  if (node.has("seed")) {
    // Seeds are small numbers, possibly fractions. If both seeds were 0, the runtime would use none.
    const double scaled = std::fabs(node.get_float("seed")) * 1000;
    attributes.set("global_seed", stream + 1);
    attributes.set("op_seed", static_cast<int64_t>(scaled < 1e9 ? scaled : 1e9));
  }
  const OutPort from = b.f32_scalar(static_cast<float>(low)), to = b.f32_scalar(static_cast<float>(high));
  return b.op("RandomUniform", {shape, from, to}, attributes);
}

}  // namespace mo::onnx
