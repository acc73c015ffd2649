// Before: x -> Assign {variable_id: V}
// After:  x -> Result_for_V
// Conditions: --remove_memory.

#include "core/base/text.h"
#include "core/front/kaldi/load/model_facts.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class CutMemoryOutput final : public BackReplacementPattern {
 public:
  bool graph_condition(Graph& graph) const override {
    const kaldi::ModelFacts* facts = kaldi::facts_of(graph.model());
    return facts && facts->remove_memory;
  }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* assign : graph.nodes("Assign")) {
      const OutPort value = assign->source(0);
      const std::string name = cat("Result_for_", assign->get_string("variable_id"));
      Node& result = graph.add_node("Result", name);
      result.add_in_ports(1);
      result.in(0).connect(value);
      value.tensor().add_name(name);
      graph.remove(*assign);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(CutMemoryOutput)
}  // namespace mo
