// What --weight_format and the options beside it ask for.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/model.h"

namespace mo {

/// Before a regular expression in --ignored_scope.
inline constexpr std::string_view kPatternMark = "{re}";

struct WeightRequest {
  enum class Format { F32, F16, Int8, Int4 };
  enum class Fallback { Adjust, Ignore, Error };
  enum class Backup { Int8Asym, Int8Sym, None };
  std::optional<Format> format;  ///< nothing: weights stay as compress_to_fp16 says
  bool symmetric = false;
  int64_t group = 128;  ///< -1: a scale for each channel
  Fallback fallback = Fallback::Adjust;
  Backup backup = Backup::Int8Asym;
  bool all_layers = false;
  std::vector<std::string> ignored;  ///< names of nodes, and regular expressions behind {re}
  std::vector<std::string> given;    ///< the options, in their order

  bool is_integer() const { return format == Format::Int8 || format == Format::Int4; }
};

/// Sets what an option says: weight_format, sym, group_size, group_size_fallback, backup_precision, all_layers or
/// ignored_scope. Switches have no value here. Throws BadOptionValue, and BadNamePattern for an expression.
void read_weight_option(WeightRequest& request, std::string_view option, std::string_view value);
/// Throws WeightOptionUnused if the format has no use for an option that is given.
void check(const WeightRequest& request);

/// Asks the model's transformation QuantiseWeights for integers.
void request_weights(Model& model, WeightRequest request);
/// Null if no integers are asked for.
const WeightRequest* requested_weights(const Model& model);

}  // namespace mo
