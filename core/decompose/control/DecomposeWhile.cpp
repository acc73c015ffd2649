// Before: Y = While(X) {cond, body}
// After:  Y = X if the condition is a variable that is known to be false
//         Y = Loop(trip count, condition, X) {body}; TensorIterator(X) {body} if the loop runs once for each slice
//   a counter, from a known number on by ones: the number of the iteration
//   a variable that the body does not change: an input of the body, or its slice i where only element i is read
//   a list in which each iteration writes or appends element i: slices of an output, with zeros up to its length
//   a list of one element that each iteration writes: an output
//   elements of several lengths that are joined or read behind the loop: a tensor that grows in it
//   elements of unknown shape that are written in another order: slices of outputs, with their indices
// Conditions: other lists have elements of a shape that is known before the loop. Elements that are slices of an output
//             are stacked behind the loop, or their shapes are proven equal.

#include "core/decompose/control/while_loop.h"
#include "core/decompose/math/constants.h"
#include "core/graph/body.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeWhile final : public Decomposition {
 public:
  Names ops() const override { return {"While"}; }
  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (!never_runs(b, node)) return WhileLoop(b, node).convert();
    std::vector<OutPort> out;
    for (int i = 0; i < node.in_count(); ++i) out.push_back(node.source(i));
    return out;
  }

 private:
  /// Whether the condition is a variable that is known to be false. The runtime has results without elements for a Loop
  /// that it knows not to run.
  static bool never_runs(Builder& b, const Node& node) {
    const Graph* condition = node.get_graph("cond");
    if (!condition || condition->results.empty() || !condition->results[0]->has_in(0)) return false;
    const Node& made = behind_identities(condition->results[0]->source(0)).node();
    for (size_t i = 0; i < condition->parameters.size() && static_cast<int>(i) < node.in_count(); ++i)
      if (condition->parameters[i] == &made && node.has_in(static_cast<int>(i)))
        return known_number(b, node.source(static_cast<int>(i))) == 0;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeWhile)
}  // namespace mo
