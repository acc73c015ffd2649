// The layers whose weights can become integers, and what becomes of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/back/weights/weight_request.h"
#include "core/graph/graph.h"

namespace mo {

/// How weights are written; Float: as they are.
enum class WeightFormat { Float, Int8Asym, Int8Sym, Int4Asym, Int4Sym };
std::string_view text_of(WeightFormat format);

/// What OpenVINO's CPU plugin makes of integers when it loads them.
enum class WeightsOnCpu { Same, Small, Expanded };

/// Why weights stay as they are.
enum class WeightsStay {
  No,
  Ignored,        ///< --ignored_scope
  Positions,      ///< a product that computes positions, whose sines are taken
  Backup,         ///< --backup_precision none
  Groups,         ///< --group_size_fallback ignore
  NotSmaller,     ///< the integers and their scales take as many bytes
  NotFinite,      ///< NaN or infinity
  ScaleTooLarge,  ///< a scale does not fit f16
  Spoiled,        ///< the CPU plugin would compute them wrongly, or refuse them
  Recipe,         ///< too many steps to compute them
  ManyScales,     ///< the numbers of too many scales are in turns
  OtherLayer      ///< no layer of these kinds reads them
};
std::string_view text_of(WeightsStay why);

struct WeightLayer {
  Node* constant = nullptr;
  Node* reader = nullptr;    ///< the first in NNCF's order; null for OtherLayer
  int port = 0;              ///< of the reader
  std::vector<size_t> axes;  ///< of the constant, over which a scale is shared
  WeightFormat format = WeightFormat::Float;
  int64_t group = -1;
  WeightsStay stay = WeightsStay::No;
};

/// The layers that NNCF finds, in its order, with the formats that it chooses; each constant once. Throws
/// GroupsDoNotDivide for all layers under --group_size_fallback error, and NothingIgnored for parts of --ignored_scope
/// that nothing in the graph is meant by.
std::vector<WeightLayer> weight_layers(Graph& graph, const WeightRequest& request);

/// Whether the CPU plugin spoils the integers: a product that reads the constant, directly or behind a Convert, sums
/// over an axis along which the scales differ, has one column of 4 bits, or weights of four dimensions
/// (docs/runtime.md).
bool is_spoiled(const WeightLayer& layer);

/// What the CPU plugin does with the integers of a layer.
WeightsOnCpu on_cpu(const WeightLayer& layer);

}  // namespace mo
