#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"

namespace mo {

void FrontReplacementFromConfigFileGeneral::find_and_replace_pattern(Graph& graph) {
  const TransformationsConfig* config = graph.model().transformations_config.get();
  if (!config) return;
  if (const ReplacementDescription* description = config->take(replacement_id()))
    transform_graph(graph, description->custom_attributes);
}

}  // namespace mo
