#include "core/decompose/detection/suppression.h"

#include <algorithm>
#include <cmath>

#include "core/decompose/shaping/shaping.h"

namespace mo {
namespace {

constexpr float kLeastOverlap = 0x1p-126F;  // the least normal number; runtimes may flush smaller ones to zero

OutPort next_larger(Builder& b, OutPort threshold) {
  const Tensor& tensor = threshold.tensor();
  if (tensor.value)
    if (const auto numbers = read_doubles(*tensor.value, b.graph().files(), 1); numbers && numbers->size() == 1)
      return b.f32_scalar(std::max(std::nextafter(static_cast<float>((*numbers)[0]), 2.0F), kLeastOverlap));
  // Adding between half a unit and one unit in the last place rounds to the next number.
  const OutPort more = b.op("Mul", {threshold, b.f32_scalar(0x1.02p-24F)});
  return b.op("Maximum", {b.op("Add", {threshold, more}), b.f32_scalar(kLeastOverlap)});
}

}  // namespace

OutPort suppression_threshold(Builder& b, OutPort overlap) {
  return overlap ? next_larger(b, overlap) : b.f32_scalar(kLeastOverlap);
}

Node& suppressed(Builder& b, List<OutPort> inputs, bool centers) {
  std::vector<OutPort> ports(inputs.begin(), inputs.end());
  // The runtime takes scalars, and lists whose size it knows to be 1.
  for (size_t i = 2; i < ports.size(); ++i)
    if (ports[i] && (!ports[i].tensor().shape.is_static() || ports[i].tensor().shape.rank() > 1))
      ports[i] = to_scalar(b, ports[i]);
  return b.node("NonMaxSuppression", ports,
                {{"box_encoding", centers ? "center" : "corner"},
                 {"sort_result_descending", false},
                 {"output_type", ElementType::I64}},
                3);
}

}  // namespace mo
