// Before: i, cs, f, o, ci, co, h = BlockLSTM(steps, x [time, batch, input], cs, h, w, wci, wcf, wco, b)
// After:  a TensorIterator of LSTMBlockCell; zeros from `steps` on
// Conditions: none.

#include "core/build/loop_builder.h"
#include "core/decompose/formula.h"
#include "core/decompose/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeBlockLSTM final : public Decomposition {
 public:
  Names ops() const override { return {"BlockLSTM"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    LoopBuilder loop(b);
    const OutPort x = node.source(1), each = loop.each(x, 0), cell = loop.state(node.source(2)),
                  hidden = loop.state(node.source(3));
    std::vector<OutPort> inputs{each, cell, hidden};
    for (int i = 4; i < 9; ++i) inputs.push_back(loop.invariant(node.source(i)));
    const std::vector<OutPort> results = evaluate(loop.body(), node, formula_of("LSTMBlockCell"), inputs);
    std::vector<OutPort> outputs(static_cast<size_t>(node.out_count()));
    for (size_t i = 0; i < outputs.size(); ++i)
      if (!node.out(static_cast<int>(i)).disconnected()) outputs[i] = loop.collect(results[i], 0);
    loop.carry(cell, results[1]);
    loop.carry(hidden, results[6]);
    loop.finish();
    const OutPort steps = to_i64_scalar(b, node.source(0)), time = dimension_of(b, x, 0);
    const auto known = steps.tensor().ints;
    const PartialShape& shape = x.tensor().shape;
    if (known && shape.has_rank() && known->elements[0].min >= shape[0].max) return outputs;
    const OutPort inside = b.unsqueeze(b.op("Less", {counted(b, time), steps}), {1, 2});
    for (OutPort& output : outputs)
      if (output) output = b.op("Select", {inside, output, b.scalar_like(output, 0)});
    return outputs;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBlockLSTM)
}  // namespace mo
