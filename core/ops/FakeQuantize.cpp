// FakeQuantize (opset1): data, input_low, input_high, output_low, output_high; the last four broadcast to the data by
// NumPy's rules. Attribute levels.

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_fake_quantize(InferContext& c) {
  if (c.node().get_int("levels") < 2) c.fail(Code::BadAttribute, msg("levels is ", c.node().get_int("levels")));
  PartialShape out = c.shape(0);
  for (int i = 1; i < 5; ++i) out = broadcast(out, c.shape(i));
  c.set(0, out, c.type(0));
}

void attributes_fake_quantize(const Node& n, IrAttributes& a) {
  a.add("levels", n.get_int("levels"));
  a.add("auto_broadcast", "numpy");
}

constexpr OpDef kFakeQuantizeDefs[] = {
    {.op = "FakeQuantize",
     .type = "FakeQuantize",
     .version = "opset1",
     .infer = infer_fake_quantize,
     .ir_attributes = attributes_fake_quantize,
     .layout = kBroadcasting},
};

}  // namespace

OpFamily ops_FakeQuantize() { return kFakeQuantizeDefs; }

}  // namespace mo
