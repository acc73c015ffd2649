#include "core/back/weights/weight_table.h"

#include <algorithm>

#include "core/back/requested/requested_changes.h"
#include "core/base/text.h"

namespace mo {

const std::vector<WeightRow>* weight_table(const Model& model) {
  const RequestedChanges* const changes = requested_changes(model);
  return changes && changes->weight_table ? &*changes->weight_table : nullptr;
}

void set_weight_table(Model& model, std::vector<WeightRow> rows) {
  change_requests(model, [&](RequestedChanges& changes) { changes.weight_table = std::move(rows); });
}

bool has_small_weights(const Model& model) {
  const auto* rows = weight_table(model);
  const auto is_small = [](const WeightRow& row) { return row.format != WeightFormat::Float; };
  return rows && std::any_of(rows->begin(), rows->end(), is_small);
}

std::vector<std::pair<std::string, std::string>> nncf_facts(const Model& model) {
  if (!has_small_weights(model)) return {};
  const WeightRequest& request = *requested_weights(model);
  const bool four = request.format == WeightRequest::Format::Int4;
  constexpr std::string_view kBackups[] = {"int8_asym", "int8_sym", "none"};
  const auto ignored = join(request.ignored, [](const std::string& item) { return cat("'", item, "'"); });
  return {{"all_layers", request.all_layers ? "True" : "False"},
          {"awq", "False"},
          {"backup_mode", std::string(kBackups[static_cast<size_t>(request.backup)])},
          {"compression_format", "dequantize"},
          {"gptq", "False"},
          {"group_size", std::to_string(four ? request.group : -1)},
          {"ignored_scope", cat("[", ignored, "]")},
          {"lora_correction", "False"},
          {"mode", cat(four ? "int4" : "int8", request.symmetric ? "_sym" : "_asym")},
          {"ratio", "1"},
          {"scale_estimation", "False"},
          {"sensitivity_metric", "weight_quantization_error"}};
}

}  // namespace mo
