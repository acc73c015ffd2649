// Before: Y = While(X) {cond, body}
// After:  Y = Loop(trip count, condition, X) {body}; TensorIterator(X) {body} if the loop runs once for each slice
//   a counter, from a known number on by ones: the number of the iteration
//   a variable that the body does not change: an input of the body, or its slice i where only element i is read
//   a list in which each iteration writes or appends element i: slices of an output, with zeros up to its length
//   a list of one element that each iteration writes: an output
//   elements of several lengths that are joined or read behind the loop: a tensor that grows in it
//   elements of unknown shape that are written in another order: slices of outputs, with their indices
// Conditions: other lists have elements of a shape that is known before the loop. Elements that are slices of an output
//             are stacked behind the loop, or their shapes are proven equal.

#include "core/decompose/while_loop.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeWhile final : public Decomposition {
 public:
  Names ops() const override { return {"While"}; }
  std::vector<OutPort> decompose(Builder& b, Node& node) override { return WhileLoop(b, node).convert(); }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeWhile)
}  // namespace mo
