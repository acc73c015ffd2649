#include "core/front/onnx/decompose/random.h"

#include <cmath>

namespace mo::onnx {

Attributes seeds_of(const Node& node, int64_t stream) {
  if (!node.has("seed")) return {};
  // Seeds are small numbers, possibly fractions. If both seeds were 0, the runtime would use none.
  const double scaled = std::fabs(node.get_float("seed")) * 1000;
  return {{"global_seed", stream + 1}, {"op_seed", static_cast<int64_t>(scaled < 1e9 ? scaled : 1e9)}};
}

OutPort uniform_numbers(Builder& b, const Node& node, OutPort shape, double low, double high, int64_t stream) {
  Attributes attributes = seeds_of(node, stream);
  attributes.set("output_type", ElementType::F32);
  const OutPort from = b.f32_scalar(static_cast<float>(low)), to = b.f32_scalar(static_cast<float>(high));
  return b.op("RandomUniform", {shape, from, to}, attributes);
}

}  // namespace mo::onnx
