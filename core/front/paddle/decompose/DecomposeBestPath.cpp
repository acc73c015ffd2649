// Before: scores [batch], path [batch, time] = BestPath(x [batch, time, labels], transitions [labels, labels], start
//         [labels], end [labels], lengths [batch])
// After:  a TensorIterator that keeps the best score of each label and from where it came, and one that goes back
// Conditions: none. Behind its length a path is 0.

#include "core/build/loop_builder.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// The largest elements along an axis, with that axis, and their places.
std::pair<OutPort, OutPort> best(Builder& b, OutPort x, int64_t axis) {
  Node& node =
      b.node("TopK", {x, b.i64_scalar(1)},
             {{"axis", axis}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", ElementType::I64}}, 2);
  return {node.out(0), node.out(1)};
}

class DecomposeBestPath final : public Decomposition {
 public:
  Names ops() const override { return {"BestPath"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), lengths = b.unsqueeze(node.source(4), {1});
    const OutPort time = counted(b, dimension_of(b, x, 1)),
                  labels = b.unsqueeze(counted(b, dimension_of(b, x, 2)), {0});
    const OutPort first = b.op("Add", {b.gather(x, b.i64_scalar(0), 1), node.source(2)});
    OutPort scores, origins;
    {
      LoopBuilder loop(b);
      Builder& body = loop.body();
      const OutPort fed = loop.each(x, 1), at = loop.each(time, 0), before = loop.state(first);
      const OutPort moves = body.op("Add", {body.unsqueeze(before, {2}), loop.invariant(node.source(1))});
      const auto [highest, origin] = best(body, moves, 1);
      const OutPort reached = body.op("Add", {body.squeeze(highest, {1}), fed});
      // Neither the first step nor one behind the end changes anything.
      const OutPort inside = body.op(
          "LogicalAnd", {body.op("Greater", {at, body.i64_scalar(0)}), body.op("Less", {at, loop.invariant(lengths)})});
      const OutPort next = body.op("Select", {inside, reached, before});
      const OutPort from = body.op("Select", {inside, body.squeeze(origin, {1}), loop.invariant(labels)});
      origins = loop.collect(from, 0);
      scores = loop.carry(before, next);
      loop.finish();
    }
    const auto [score, last] = best(b, b.op("Add", {scores, node.source(3)}), 1);
    LoopBuilder loop(b);
    Builder& body = loop.body();
    const OutPort from = loop.each(origins, 0, true), label = loop.state(last);
    const OutPort path = loop.collect(label, 0, true);
    loop.carry(label, body.op("GatherElements", {from, label}, {{"axis", 1}}));
    loop.finish();
    const OutPort labelled = b.transpose(b.squeeze(path, {2}), {1, 0});
    const OutPort inside = b.op("Less", {b.unsqueeze(time, {0}), lengths});
    return {b.squeeze(score, {1}), b.op("Select", {inside, labelled, b.i64_scalar(0)})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBestPath)
}  // namespace mo
