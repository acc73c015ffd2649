// Logic of booleans (opset1): LogicalNot; LogicalAnd, LogicalOr, LogicalXor with NumPy broadcasting.
// Bits of integers or booleans: BitwiseNot, BitwiseAnd, BitwiseOr, BitwiseXor (opset13), BitwiseLeftShift,
// BitwiseRightShift (opset15). auto_broadcast="numpy".

#include "core/ops/elementwise.h"

namespace mo {
namespace {

Interval logical_not_ints(Interval a) { return {1 - a.max, 1 - a.min}; }
Interval logical_and_ints(Interval a, Interval b) { return {a.min & b.min, a.max & b.max}; }
Interval logical_or_ints(Interval a, Interval b) { return {a.min | b.min, a.max | b.max}; }
Interval logical_xor_ints(Interval a, Interval b) {
  return a.is_exact() && b.is_exact() ? Interval(a.min ^ b.min) : Interval{0, 1};
}

Interval bitwise_and_ints(Interval a, Interval b) {
  return a.is_exact() && b.is_exact() ? Interval(a.min & b.min) : Interval{};
}
Interval bitwise_or_ints(Interval a, Interval b) {
  return a.is_exact() && b.is_exact() ? Interval(a.min | b.min) : Interval{};
}
Interval bitwise_xor_ints(Interval a, Interval b) {
  return a.is_exact() && b.is_exact() ? Interval(a.min ^ b.min) : Interval{};
}
Interval bitwise_not_ints(Interval a) { return a.is_exact() ? Interval(~a.min) : Interval{}; }
Interval left_shift_ints(Interval a, Interval b) {
  const bool known =
      a.is_exact() && b.is_exact() && b.min >= 0 && b.min < 63 && a.min >= 0 && a.min <= INT64_MAX >> b.min;
  return known ? Interval(a.min << b.min) : Interval{};
}
Interval right_shift_ints(Interval a, Interval b) {
  return a.is_exact() && b.is_exact() && b.min >= 0 && b.min < 64 && a.min >= 0 ? Interval(a.min >> b.min) : Interval{};
}

template <BinaryInterval Map>
void infer_logical(InferContext& c) {
  infer_numpy_broadcast(c);
  map_ints(c, Map);
}
template <BinaryInterval Map>
void fold_logical(InferContext& c) {
  fold_elements(c, BinaryFold{nullptr, nullptr, Map});
}
void infer_logical_not(InferContext& c) {
  infer_same_as_input(c);
  map_ints(c, logical_not_ints);
}
void fold_logical_not(InferContext& c) { fold_elements(c, UnaryFold{nullptr, nullptr, logical_not_ints}); }
UnaryInterval bitwise_not_of(const InferContext& c) {
  return c.type(0) == ElementType::Bool ? logical_not_ints : bitwise_not_ints;
}
void infer_bitwise_not(InferContext& c) {
  infer_same_as_input(c);
  if (is_signed(c.type(0)) || c.type(0) == ElementType::Bool) map_ints(c, bitwise_not_of(c));
}
void fold_bitwise_not(InferContext& c) {
  if (is_signed(c.type(0)) || c.type(0) == ElementType::Bool)
    fold_elements(c, UnaryFold{nullptr, nullptr, bitwise_not_of(c)});
}

void attributes_logical(const Node&, IrAttributes& a) { a.add("auto_broadcast", "numpy"); }

#define LOGICAL(name, version_, map)                                                                                 \
  {                                                                                                                  \
    .op = name, .type = name, .version = version_, .infer = infer_logical<map>, .ir_attributes = attributes_logical, \
    .layout = kBroadcasting, .fold = fold_logical<map>                                                               \
  }

constexpr OpDef kLogicalDefs[] = {
    {.op = "LogicalNot",
     .type = "LogicalNot",
     .version = "opset1",
     .infer = infer_logical_not,
     .fold = fold_logical_not},
    LOGICAL("LogicalAnd", "opset1", logical_and_ints),
    LOGICAL("LogicalOr", "opset1", logical_or_ints),
    LOGICAL("LogicalXor", "opset1", logical_xor_ints),
    {.op = "BitwiseNot",
     .type = "BitwiseNot",
     .version = "opset13",
     .infer = infer_bitwise_not,
     .fold = fold_bitwise_not},
    LOGICAL("BitwiseAnd", "opset13", bitwise_and_ints),
    LOGICAL("BitwiseOr", "opset13", bitwise_or_ints),
    LOGICAL("BitwiseXor", "opset13", bitwise_xor_ints),
    LOGICAL("BitwiseLeftShift", "opset15", left_shift_ints),
    LOGICAL("BitwiseRightShift", "opset15", right_shift_ints),
};
#undef LOGICAL

}  // namespace

OpFamily ops_Logical() { return kLogicalDefs; }

}  // namespace mo
