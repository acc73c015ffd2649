// Before: y = BeamPaths(ids, parents), both [time, batch, beam]
// After:  a TensorIterator from the last time to the first, which follows the parents
// Conditions: none.

#include "core/build/loop_builder.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeBeamPaths final : public Decomposition {
 public:
  Names ops() const override { return {"BeamPaths"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort ids = node.source(0), parents = node.source(1);
    const OutPort beams = counted(b, dimension_of(b, ids, 2));
    const OutPort first = b.op("Broadcast", {beams, b.dims_of(ids, {1, 2})}, {{"mode", "numpy"}});
    LoopBuilder loop(b);
    const OutPort here = loop.each(ids, 0, true), before = loop.each(parents, 0, true), beam = loop.state(first);
    Builder& body = loop.body();
    const auto followed = [&](OutPort x) { return body.op("GatherElements", {x, beam}, {{"axis", int64_t{1}}}); };
    const OutPort path = followed(here), next = body.convert(followed(before), ElementType::I64);
    loop.carry(beam, next);
    const OutPort y = loop.collect(path, 0, true);
    loop.finish();
    return {y};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBeamPaths)
}  // namespace mo
