// The rewrites of --transform. Each leaves the graph to be inferred and cleaned up.
#pragma once

#include <map>
#include <set>
#include <string>

#include "core/graph/graph.h"

namespace mo {

/// The states of loops and recurrent layers are kept from one inference to the next. They begin with zeros, or with the
/// initial values of the model.
void low_latency2(Graph& graph, bool zeros);

/// Inputs become states: each takes the value that the output of its entry had in the inference before, and zeros in
/// the first. The names are tensor names. Throws NotAState.
void make_stateful(Graph& graph, const std::map<std::string, std::string>& param_res_names);

/// Removes channels that are always 0 from weights and from what reads them. The outputs do not change.
void prune_zero_channels(Graph& graph);

/// The ids of the variables of a model.
class VariableIds {
 public:
  /// Those of the model of which `graph` is a part.
  explicit VariableIds(Graph& graph);
  /// The id, or the id with underscores behind it, so that no other variable has it.
  std::string unused(std::string id);

 private:
  std::set<std::string> used_;
};

}  // namespace mo
