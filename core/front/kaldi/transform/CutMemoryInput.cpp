// Before: ReadValue {variable_id: V} -> a, b
// After:  Parameter_0_for_V -> a, Parameter_1_for_V -> b
// Conditions: --remove_memory.

#include "core/base/text.h"
#include "core/front/kaldi/load/model_facts.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class CutMemoryInput final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }
  bool graph_condition(Graph& graph) const override {
    const kaldi::ModelFacts* facts = kaldi::facts_of(graph.model());
    return facts && facts->remove_memory;
  }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* read : graph.nodes("ReadValue")) {
      int number = 0;
      for (const InPort& reader : read->out(0).destinations()) {
        const std::string name = cat("Parameter_", number++, "_for_", read->get_string("variable_id"));
        Node& parameter = graph.add_node("Parameter", name);
        parameter.set("shape", read->out(0).tensor().shape);
        parameter.set("data_type", read->out(0).tensor().type);
        parameter.add_out_ports(1);
        parameter.out(0).tensor().add_name(name);
        parameter.out(0).tensor().shape = read->out(0).tensor().shape;
        parameter.out(0).tensor().type = read->out(0).tensor().type;
        reader.connect(parameter.out(0));
      }
      graph.remove(*read);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(CutMemoryInput)
}  // namespace mo
