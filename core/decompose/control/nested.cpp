#include "core/decompose/control/nested.h"

#include "core/ops/op_def.h"

namespace mo {

std::vector<OutPort> decomposed(Builder& b, const char* op, List<OutPort> inputs, Attributes attributes, int outputs) {
  Node& made = b.node(op, inputs, std::move(attributes), outputs);
  // Consumers stay connected when the node is replaced.
  std::vector<Node*> exits;
  for (int i = 0; i < outputs; ++i) exits.push_back(&b.node("Identity", {made.out(i)}));
  infer_or_decompose(made);
  std::vector<OutPort> results;
  for (Node* exit : exits) {
    results.push_back(exit->source(0));
    b.graph().remove(*exit);
  }
  return results;
}

}  // namespace mo
