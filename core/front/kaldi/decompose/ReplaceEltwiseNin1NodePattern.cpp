// Before: y = EltwiseNin1(x) {operation, num_inputs}
// After:  y = EltwiseN(the equal parts of x); of more than 16 parts ReduceProd or ReduceSum
// Conditions: the operation is mul or sum.

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class ReplaceEltwiseNin1NodePattern final : public kaldi::Lowering {
  std::string_view op() const override { return "EltwiseNin1"; }

  OutPort lowered(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const std::string operation = node.get_string("operation");
    if (operation != "mul" && operation != "sum") throw Error(Code::BadAttribute, msg("operation is ", operation));
    const int64_t count = node.get_int("num_inputs");
    if (count <= 1) return b.op("Identity", {x});
    if (count > kMostParts) {
      const char* reduction = operation == "mul" ? "ReduceProd" : "ReduceSum";
      return b.reduce(reduction, b.reshape(x, {1, count, -1}), {1}, false);
    }
    Node& parts = b.node("Split", {x, b.i64_scalar(1)}, {{"num_splits", count}}, static_cast<int>(count));
    std::vector<OutPort> inputs;
    for (int i = 0; i < static_cast<int>(count); ++i) inputs.push_back(parts.out(i));
    return b.op("EltwiseN", inputs, {{"operation", operation}});
  }

  static constexpr int64_t kMostParts = 16;
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceEltwiseNin1NodePattern)
}  // namespace mo
