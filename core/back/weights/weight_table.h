// What has become of the weights, for the report.
#pragma once

#include <string>
#include <vector>

#include "core/back/weights/weight_layers.h"

namespace mo {

struct WeightRow {
  std::string name;   ///< of the constant
  std::string layer;  ///< the operation that reads it; empty for OtherLayer
  std::string op;     ///< the layer's type in IR
  std::vector<int64_t> shape;
  WeightFormat format = WeightFormat::Float;
  int64_t group = -1;
  uint64_t before = 0, after = 0;  ///< bytes of the .bin, with scales and zero points
  WeightsOnCpu cpu = WeightsOnCpu::Same;
  WeightsStay stay = WeightsStay::No;
};

/// The rows that QuantiseWeights has left; null if it did not run.
const std::vector<WeightRow>* weight_table(const Model& model);
void set_weight_table(Model& model, std::vector<WeightRow> rows);

/// Whether weights have become integers.
bool has_small_weights(const Model& model);

/// What NNCF says in rt_info of how it has compressed a model, so that nobody compresses it again; empty if all weights
/// are as they were.
std::vector<std::pair<std::string, std::string>> nncf_facts(const Model& model);

}  // namespace mo
