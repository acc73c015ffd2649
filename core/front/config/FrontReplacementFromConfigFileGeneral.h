// Base class of transformations of the whole graph that the transformations configuration enables.
#pragma once

#include "core/front/config/transformations_config.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Runs once, and only if the configuration has an entry with its id.
class FrontReplacementFromConfigFileGeneral : public Transform {
 public:
  std::string_view replacement_id() const override = 0;
  virtual void transform_graph(Graph& graph, const CustomAttributes& replacement_descriptions) = 0;

  /// As in FrontReplacementFromConfigFileSubGraph.
  bool run_not_recursively() const override { return true; }
  void find_and_replace_pattern(Graph& graph) override;
};

}  // namespace mo
