#include "core/front/onnx/microsoft/quantized_cache.h"

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo::onnx {

QuantizedCache quantized_cache(Builder& b, const Node& node, const char* type, int scale) {
  const std::string name = node.get_string(type, "NONE");
  const int64_t bits = node.get_int("kv_cache_bit_width");
  if (name != "PER_TENSOR" && name != "PER_CHANNEL") throw Error(Code::UnsupportedForm, msg(type, " is ", name));
  if (bits != 4 && bits != 8) throw Error(Code::BadAttribute, msg("kv_cache_bit_width is ", bits));
  require_input(node, scale);
  const Ints shape = name == "PER_TENSOR" ? Ints{1, 1, 1, 1} : Ints{1, node.get_int("kv_num_heads"), 1, -1};
  return {b.reshape(node.source(scale), shape, false), bits};
}

OutPort kept(Builder& b, OutPort x, const QuantizedCache& cache) {
  const OutPort scale = convert_like(b, cache.scale, x), one = b.scalar_like(x, 1);
  const OutPort divisor = b.op("Select", {b.op("Equal", {scale, b.scalar_like(x, 0)}), one, scale});
  const OutPort steps = b.op("Round", {b.op("Mul", {x, b.op("Div", {one, divisor})})}, {{"mode", "half_to_even"}});
  if (cache.bits == 8)
    return b.convert(b.op("AttributedClamp", {steps}, {{"min", -128.0}, {"max", 127.0}}), ElementType::I8);
  const OutPort bounded = b.op("AttributedClamp", {steps}, {{"min", -8.0}, {"max", 7.0}});
  const OutPort pairs = b.reshape(b.op("Add", {bounded, b.scalar_like(x, 8)}), {0, 0, 0, -1, 2});
  Node& halves = b.node("Split", {pairs, b.i64_scalar(4)}, {{"num_splits", int64_t{2}}}, 2);
  const OutPort high = b.op("Mul", {halves.out(1), b.scalar_like(x, 16)});
  return b.convert(b.squeeze(b.op("Add", {halves.out(0), high}), {4}), ElementType::U8);
}

OutPort restored(Builder& b, OutPort x, const QuantizedCache& cache, OutPort like) {
  OutPort numbers = convert_like(b, x, like);
  if (cache.bits == 4) {
    const OutPort sixteen = b.scalar_like(like, 16), high = b.op("Floor", {b.op("Div", {numbers, sixteen})});
    const OutPort low = b.op("Sub", {numbers, b.op("Mul", {high, sixteen})});
    const OutPort pairs = b.concat({b.unsqueeze(low, {4}), b.unsqueeze(high, {4})}, 4);
    numbers = b.op("Sub", {b.reshape(pairs, {0, 0, 0, -1}), b.scalar_like(like, 8)});
  }
  return b.op("Mul", {numbers, convert_like(b, cache.scale, like)});
}

}  // namespace mo::onnx
