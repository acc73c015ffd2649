// The options of a conversion.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/back/requested/transform_request.h"
#include "core/back/weights/weight_request.h"
#include "core/base/error.h"
#include "core/front/cut/cut_request.h"
#include "core/front/load_options.h"
#include "core/front/preprocess/preprocess_request.h"
#include "core/mo.h"
#include "core/pipeline/option_table.h"
#include "core/pipeline/transforms.h"

namespace mo {

/// "MO6006 …": why an option of scope Waiting cannot be used.
Error waiting_option(const OptionRow& row);

struct Options {
  std::string model_name;
  CutRequest cut;
  PreprocessRequest preprocess;
  bool compress_to_fp16 = false;
  bool static_shape = false;
  bool disable_nhwc_to_nchw = false;
  bool allow_large_output = false;
  bool generate_mapping = false;
  bool emit_check = false;
  bool trace = false;
  bool weight_sizes = false;  ///< for an inspection
  bool event_file = false;
  bool parameters_file = false;
  std::string transformations_config;  ///< a file's name
  std::string config_update;           ///< a file's name; the model is not converted
  TransformSwitches switches;
  std::vector<TransformRequest> transforms;  ///< of --transform
  WeightRequest weights;
  LoadOptions load;
  /// The options that differ from the library's defaults, in the order of the table, for the IR's rt_info.
  std::vector<OptionText> given;
  std::vector<Error> warnings;
};
/// Throws UnknownOption, OptionNotInBuild, BadOptionValue, BadInputShape, and the errors of cut_request.h and
/// preprocess_request.h and transform_request.h. Values are checked in Model Optimizer's order, whatever the order of
/// the options.
Options parse_options(const std::vector<OptionText>& options);

/// Bytes. Each name and number of a value becomes some hundred bytes.
inline constexpr size_t kLongestValue = 1 << 20;
/// Throws BadOptionValue if the value is longer, or has control characters or others that printable() escapes. Only
/// names of files may have them, and may be longer.
void refuse_unsafe(const OptionRow& row, std::string_view value);

/// Parses "True", "False"…; nullopt for anything else.
std::optional<bool> parse_flag(std::string_view text);

}  // namespace mo
