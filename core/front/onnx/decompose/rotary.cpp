#include "core/front/onnx/decompose/rotary.h"

namespace mo::onnx {

OutPort rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved) {
  const auto slice = [&](int64_t from, int64_t to) {
    return b.op("Slice", {x, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({3})});
  };
  const OutPort turned = part > 0 ? slice(0, part) : x;
  Node& halves = interleaved ? b.node("Split", {b.reshape(turned, {0, 0, 0, -1, 2}), b.i64_scalar(4)},
                                      {{"num_splits", int64_t{2}}}, 2)
                             : b.node("Split", {turned, b.i64_scalar(3)}, {{"num_splits", int64_t{2}}}, 2);
  const OutPort x1 = interleaved ? b.squeeze(halves.out(0), {4}) : halves.out(0),
                x2 = interleaved ? b.squeeze(halves.out(1), {4}) : halves.out(1);
  const OutPort real = b.op("Sub", {b.op("Mul", {x1, cosine}), b.op("Mul", {x2, sine})});
  const OutPort imaginary = b.op("Add", {b.op("Mul", {x1, sine}), b.op("Mul", {x2, cosine})});
  const OutPort y = interleaved
                        ? b.reshape(b.concat({b.unsqueeze(real, {4}), b.unsqueeze(imaginary, {4})}, 4), {0, 0, 0, -1})
                        : b.concat({real, imaginary}, 3);
  return part > 0 ? b.concat({y, slice(part, INT64_MAX)}, 3) : y;
}

}  // namespace mo::onnx
