// SoftMax (opset1; opset8 for an axis counted from the back), LogSoftmax (opset5); attribute axis. If the rank is
// known, the axis is written counted from the front.

#include "core/ops/op_def.h"

namespace mo {
namespace {

int64_t softmax_axis(const Node& n) {
  const int64_t axis = n.get_int("axis", 1);
  const OutPort data = n.source(0);
  return data && data.tensor().shape.rank() > 0 ? static_cast<int64_t>(normalize_axis(axis, data.tensor().shape.rank()))
                                                : axis;
}

void infer_softmax(InferContext& c) {
  c.require_rank(0, 1);
  softmax_axis(c.node());
  c.set(0, c.shape(0), c.type(0));
}

void attributes_softmax(const Node& n, IrAttributes& a) { a.add("axis", softmax_axis(n)); }
std::string_view softmax_version(const Node& n) { return softmax_axis(n) < 0 ? "opset8" : "opset1"; }

constexpr Layout kSoftmaxLayout{LayoutClass::Follows, {{LayoutRule::Kind::Inv, "axis"}}};
constexpr OpDef kSoftmaxDefs[] = {
    {.op = "SoftMax",
     .type = "SoftMax",
     .version = "opset1",
     .infer = infer_softmax,
     .ir_attributes = attributes_softmax,
     .layout = kSoftmaxLayout,
     .version_of = softmax_version},
    {.op = "LogSoftmax",
     .type = "LogSoftmax",
     .version = "opset5",
     .infer = infer_softmax,
     .ir_attributes = attributes_softmax,
     .layout = kSoftmaxLayout},
};

}  // namespace

OpFamily ops_Softmax() { return kSoftmaxDefs; }

}  // namespace mo
