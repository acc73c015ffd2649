#include "core/front/mxnet/decompose/suppressed_rows.h"

#include "core/decompose/detection/suppression.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"

namespace mo::mxnet {

Node& best_scores(Builder& b, OutPort scores, int64_t most) {
  OutPort count = dimension_of(b, scores, 1);
  if (most > 0) count = b.op("Minimum", {count, b.i64_scalar(most)});
  return b.node(
      "TopK", {scores, count},
      {{"axis", 1}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", ElementType::I64}, {"stable", true}}, 2);
}

OutPort kept(Builder& b, const Node& node, const RankedBoxes& boxes, OutPort threshold, OutPort number) {
  // Their order stands for the scores: IR's operation sorts again.
  const OutPort count = dimension_of(b, boxes.corners, 1);
  const OutPort order = evaluate(b, node, "s=Gather(ShapeOf(x),[0 1],<0>);Broadcast(F32(Sub(y,Range(<0>,y,<1>))),s)",
                                 {boxes.corners, count})[0];
  const OutPort ranked = boxes.valid ? evaluate(b, node, "Select(x,y,-1)", {boxes.valid, order})[0] : order;
  OutPort scores;
  if (!boxes.ids) {
    scores = b.unsqueeze(ranked, {1});
  } else if (!boxes.valid) {
    scores = evaluate(b, node,
                      "i=I64(x);l=TotalMin(i);c=Range(<0>,Add(Sub(TotalMax(i),l),1),<1>);"
                      "Select(Equal(Unsqueeze(Sub(i,l),[1]),Unsqueeze(c,[1])),Unsqueeze(y,[1]),-1)",
                      {boxes.ids, ranked})[0];
  } else {
    scores = evaluate(b, node,
                      "i=Select(z,I64(x),0);l=TotalMin(i);c=Range(<0>,Add(Sub(TotalMax(i),l),1),<1>);"
                      "Select(Equal(Unsqueeze(Sub(i,l),[1]),Unsqueeze(c,[1])),Unsqueeze(y,[1]),-1)",
                      {boxes.ids, ranked, boxes.valid})[0];
  }
  Node& chosen = suppressed(b, {boxes.corners, scores, number ? number : count, threshold, b.f32_scalar(0)});
  return evaluate(
      b, node,
      "ScatterNDUpdate(Broadcast(<0>,ShapeOf(x)),Gather(y,[0 2],<1>),Broadcast(<1>,Gather(ShapeOf(y),[0],<0>)))",
      {ranked, chosen.out(0)})[0];
}

}  // namespace mo::mxnet
