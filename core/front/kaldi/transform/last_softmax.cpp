#include "core/front/kaldi/transform/last_softmax.h"

#include "core/front/kaldi/load/model_facts.h"

namespace mo::kaldi {

bool RemoveLast::graph_condition(Graph& graph) const {
  const ModelFacts* facts = facts_of(graph.model());
  return facts && facts->remove_output_softmax;
}

void RemoveLast::find_and_replace_pattern(Graph& graph) {
  for (Node* result : graph.results) {
    if (!result->has_in(0)) continue;
    const OutPort last = result->source(0);
    OutPort found = last;
    // The smallest number that Kaldi lets a probability have.
    if (found.node().op() == "Maximum" && found.node().source(1).node().op() == "Const") found = found.node().source(0);
    if (found.node().op() != op() || !found.node().has_in(0)) continue;
    const OutPort before = found.node().source(0);
    result->in(0).connect(before);
    for (const std::string& name : last.tensor().names.all()) before.tensor().add_name(name);
    last.tensor().names.clear();
  }
}

}  // namespace mo::kaldi
