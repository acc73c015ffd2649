// IR v11: the .xml in the format of `ov::serialize`, and the plan of the .bin.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "core/ir/bin_plan.h"
#include "core/ir/record.h"

namespace mo {

/// The options that change the IR and differ from their defaults, as (name, value) for rt_info.
using ConversionParameters = std::vector<std::pair<std::string, std::string>>;

/// The output of a layer that has a tensor.
struct TensorPlace {
  std::string layer;
  int id = 0, port = 0;
};
/// By body_path() and tensor name.
using TensorPlaces = std::map<std::pair<std::string, std::string>, TensorPlace>;

/// The layer that each node has become. Each graph numbers its own layers.
using NodeLayers = std::vector<std::pair<const Node*, int>>;

struct IrSummary {
  std::vector<std::pair<std::string, int>> operations;  ///< IR type and count, without Const; sorted by type
  int constants = 0;
  std::string runtime;  ///< the oldest OpenVINO release that reads the IR
  uint64_t xml_bytes = 0;
  TensorPlaces* places = nullptr;  ///< filled, if given; the first of several tensors of a name in a graph counts
  NodeLayers* layers = nullptr;    ///< filled, if given
  /// Given, if weights are compressed: how, for rt_info, where NNCF writes it.
  const std::vector<std::pair<std::string, std::string>>* weight_compression = nullptr;
};

/// Writes the graph: Parameters, then the rest in topological order, then Results. Each layer adds its constants to
/// `plan`. The text of the .xml goes to `text` in pieces. All nodes without an IR form are reported in `diagnostics`;
/// nothing is written then. `taker` gets what is written, as it is written.
void prepare_emit_ir(Graph& graph, const ConversionParameters& parameters, const TextSink& text, BinPlan& plan,
                     IrSummary& summary, Diagnostics& diagnostics, const IrTaker& taker);

}  // namespace mo
