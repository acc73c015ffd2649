// The runtime has one layer for all of this, RoPE, which it finds by its form: tables with one head in dimension 1,
// halves by VariadicSplit, and joined along axis 3, while the elements that are kept are joined along axis -1: Concats
// along the same axis would become one. Pairs side by side become halves for it and pairs again, which takes two
// Transposes, and still less time than their arithmetic apart.
#include "core/front/onnx/decompose/rotary.h"

namespace mo::onnx {
namespace {

/// Half the number of elements that are rotated; 0 if it is not known.
int64_t half_of(OutPort x, OutPort cosine) {
  for (const OutPort port : {cosine, x}) {
    const PartialShape& shape = port.tensor().shape;
    if (shape.rank() == 4 && shape[3].is_exact()) return port == x ? shape[3].min / 2 : shape[3].min;
  }
  return 0;
}

bool is_whole(OutPort x, int64_t part) {
  const PartialShape& shape = x.tensor().shape;
  return part == 0 || (shape.rank() == 4 && shape[3] == Dimension(part));
}

OutPort rotated_halves(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t half) {
  // Moved Transposes would put the length before the heads.
  Node& halves = half > 0
                     ? b.node("VariadicSplit", {x, b.i64_scalar(3), b.i64({half, half})}, {{"keeps_order", true}}, 2)
                     : b.node("Split", {x, b.i64_scalar(3)}, {{"num_splits", int64_t{2}}}, 2);
  const OutPort x1 = halves.out(0), x2 = halves.out(1);
  const OutPort x1_cosine = b.op("Mul", {x1, cosine}), x2_sine = b.op("Mul", {x2, sine});
  const OutPort x2_cosine = b.op("Mul", {x2, cosine}), x1_sine = b.op("Mul", {x1, sine});
  const OutPort real = b.op("Sub", {x1_cosine, x2_sine});
  return b.concat({real, b.op("Add", {x2_cosine, x1_sine})}, 3);
}

OutPort rotated_pairs(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t half, const Ints& order) {
  const OutPort halves = b.reshape(b.transpose(b.reshape(x, {0, 0, 0, -1, 2}), order), {0, 0, 0, -1});
  const OutPort y = b.reshape(rotated_halves(b, halves, cosine, sine, half), {0, 0, 0, 2, -1});
  return b.reshape(b.transpose(y, {0, 1, 2, 4, 3}), {0, 0, 0, -1});
}

}  // namespace

OutPort rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved) {
  if (!is_whole(x, part)) {
    Node& parts = b.split(x, 3, {part, -1});
    return b.concat({rotated(b, parts.out(0), cosine, sine, 0, interleaved), parts.out(1)}, -1);
  }
  const int64_t half = half_of(x, cosine);
  return interleaved ? rotated_pairs(b, x, cosine, sine, half, {0, 1, 2, 4, 3})
                     : rotated_halves(b, x, cosine, sine, half);
}

OutPort transposed_and_rotated(Builder& b, OutPort x, OutPort cosine, OutPort sine, int64_t part, bool interleaved) {
  if (!interleaved || !is_whole(x, part))
    return rotated(b, b.transpose(x, {0, 2, 1, 3}), cosine, sine, part, interleaved);
  return rotated_pairs(b, x, cosine, sine, half_of(x, cosine), {0, 2, 1, 4, 3});
}

}  // namespace mo::onnx
