#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"

namespace mo {

void FrontReplacementFromConfigFileGeneral::find_and_replace_pattern(Graph& graph) {
  const TransformationsConfig* config = transformations_config(graph.model());
  if (!config) return;
  if (const ReplacementDescription* description = config->take(replacement_id()))
    transform_graph(graph, description->custom_attributes);
}

}  // namespace mo
