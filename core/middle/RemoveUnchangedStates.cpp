// Before: x -> ReadValue -> y; the same ReadValue, behind Reshapes that change nothing -> Assign
// After:  x -> y
// Conditions: ReadValue has an input.
// The assignments of a model may be in a branch that it never takes, as in training.

#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class RemoveUnchangedStates final : public MiddleReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* assign : graph.nodes("Assign")) {
      OutPort value = assign->source(0);
      while (value && (value.node().op() == "Identity" || value.node().op() == "Reshape") && value.node().has_in(0) &&
             value.tensor().shape == value.node().source(0).tensor().shape && value.tensor().shape.is_static())
        value = value.node().source(0);
      if (!value || value.node().op() != "ReadValue" || !value.node().has_in(0) ||
          value.node().get_string("variable_id") != assign->get_string("variable_id"))
        continue;
      graph.remove(*assign);
      value.connection().set_source(value.node().source(0), TensorNames::Dest);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(RemoveUnchangedStates)
}  // namespace mo
