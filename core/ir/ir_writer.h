// IR v11: the .xml as `ov::serialize` writes it, and the .bin's plan beside it.
#pragma once

#include <string>

#include "core/graph/graph.h"
#include "core/ir/bin_plan.h"

namespace mo {

/// The options that change the IR and are not at their default, as (name, value) for rt_info.
using ConversionParameters = std::vector<std::pair<std::string, std::string>>;

struct IrSummary {
  std::vector<std::pair<std::string, int>> operations;  ///< IR type and count, without Const; sorted by type
  int constants = 0;
  std::string runtime;  ///< the lowest OpenVINO release that reads the IR
};

/// Writes the graph: layers in the order Parameters, the rest topologically, Results. Constants enter `plan` as their
/// layers are written. Nodes without an IR form go to `diagnostics`, all of them; the result is then empty.
std::string write_ir(Graph& graph, const ConversionParameters& parameters, BinPlan& plan, IrSummary& summary,
                     Diagnostics& diagnostics);

}  // namespace mo
