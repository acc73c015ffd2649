// Element-wise operations, with and without broadcasting.
#include "tests/core/ops/samples.h"

namespace mo::test {

Samples elementwise_samples() {
  const SampleInput x = data({2, 3, 5, 7}), y = data({2, 1, 5, 1}), scalar = float_number(0.5F);
  Samples out;
  for (const char* op :
       {"Identity", "ReLU", "Sigmoid", "Tanh",  "HSwish", "Mish",     "SoftPlus", "HSigmoid", "SoftSign",
        "Abs",      "Acos", "Acosh",   "Asin",  "Asinh",  "Atan",     "Atanh",    "Ceiling",  "Cos",
        "Cosh",     "Erf",  "Exp",     "Floor", "Log",    "Negative", "Sign",     "Sin",      "Sinh",
        "Sqrt",     "Tan",  "Round",   "Gelu",  "IsNaN",  "IsInf",    "IsFinite"})
    out.push_back({op, {x}});
  for (const char* op : {"Add", "Sub", "Mul", "Div", "Pow", "Maximum", "Minimum", "SquaredDifference", "FloorMod",
                         "Mod", "Equal", "NotEqual", "Less", "LessEqual", "Greater", "GreaterEqual"}) {
    out.push_back({op, {x, y}});
    out.push_back({op, {numbers({8, -3, 5}), number(3)}});
  }
  const SampleInput yes = data({2, 3, 5, 7}, ElementType::Bool), no = data({2, 1, 5, 1}, ElementType::Bool);
  out.push_back({"LogicalNot", {yes}});
  for (const char* op : {"LogicalAnd", "LogicalOr", "LogicalXor"}) out.push_back({op, {yes, no}});
  out.push_back({"BitwiseNot", {numbers({1, 2})}});
  for (const char* op : {"BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseLeftShift", "BitwiseRightShift"}) {
    out.push_back({op, {data({2, 3, 5, 7}, ElementType::I32), data({2, 1, 5, 1}, ElementType::I32)}});
    out.push_back({op, {numbers({8, 3, 5}), number(3)}});
  }
  out.push_back({"Elu", {x}, {{"alpha", 1.0}}});
  for (const char* op : {"AttributedClamp"}) {
    out.push_back({op, {x}, {{"min", 0.0}, {"max", 6.0}}});
    out.push_back({op, {numbers({-1, 7})}, {{"min", 0.0}, {"max", 6.0}}});
  }
  out.push_back({"PReLU", {x, data({1, 1, 1, 7})}});
  out.push_back({"Selu", {x, scalar, scalar}});
  out.push_back({"HardSigmoid", {x, scalar, scalar}});
  out.push_back({"Swish", {x, scalar}});
  out.push_back({"Select", {no, x, y}});
  out.push_back({"Select", {no, numbers({4}), number(3)}});
  out.push_back({"Cast", {x}, {{"dst_type", ElementType::I32}}});
  out.push_back({"ConvertLike", {x, number(1)}});
  out.push_back({"FakeQuantize", {x, y, y, data({1, 1, 1, 7}), data({1, 1, 1, 7})}, {{"levels", int64_t{256}}}});
  out.push_back({"Bucketize", {x, floats({0, 1})}, {{"output_type", ElementType::I32}}});
  return out;
}

}  // namespace mo::test
