// Loop (opset5): trip count [] or [1] i64 (-1: no limit), condition [] or [1] boolean, then the inputs of the body.
// Attribute body: core/graph/body.h explains its Parameters and Results. The body's Result of purpose
// "execution_condition" says whether there is another iteration.

#include "core/ops/body_inference.h"

namespace mo {
namespace {

const Tensor& next_condition(InferContext& c) {
  for (const Node* result : c.node().get_graph("body")->results)
    if (result->get_string("purpose") == "execution_condition") return result_tensor(*result);
  c.fail(Code::InvalidGraph, "no result of the body is the execution condition");
}

bool is_true(const Boxed<IntTensor>& value) {
  return value && value->is_exact() && value->elements.size() == 1 && value->elements[0].min == 1;
}

/// The number of iterations: exactly the trip count if the condition is always true, else at most the trip count.
Dimension loop_iterations(InferContext& c) {
  const auto trip_count = c.exact_int(0);
  const auto& condition = c.ints(1);
  if (condition && condition->is_exact() && condition->elements.size() == 1 && condition->elements[0].min == 0)
    return 0;
  if (!trip_count || *trip_count < 0) return kAnyDimension;
  if (is_true(condition) && is_true(next_condition(c).ints)) return *trip_count;
  return {0, *trip_count};
}

void infer_loop(InferContext& c) {
  for (const int input : {0, 1})
    if (!c.has_in(input))
      c.fail(Code::MissingInput, input == 0 ? Detail("input 0, the trip count") : "input 1, the condition");
  infer_loop_body(c);
  next_condition(c);
  set_loop_outputs(c, loop_iterations(c));
}

constexpr OpDef kLoopDefs[] = {
    {.op = "Loop", .type = "Loop", .version = "opset5", .infer = infer_loop, .layout = {LayoutClass::Reshapes}},
};

}  // namespace

OpFamily ops_Loop() { return kLoopDefs; }

}  // namespace mo
