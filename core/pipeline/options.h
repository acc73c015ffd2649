// The options of a conversion and their table.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/front/cut/cut_request.h"
#include "core/front/load_options.h"
#include "core/mo.h"
#include "core/pipeline/transforms.h"

namespace mo {

enum class OptionKind { Text, Flag, Switch, Shapes, Level, Path };
enum class OptionScope { Convert, Load, Host };

/// A row of options.def.
struct OptionRow {
  std::string_view name, short_name;
  OptionKind kind;
  std::string_view value, default_text;
  OptionScope scope;
  std::string_view help;
};
const std::vector<OptionRow>& all_options();
const OptionRow* find_option(std::string_view name);

struct Options {
  std::string model_name;
  CutRequest cut;
  bool compress_to_fp16 = false;
  bool static_shape = false;
  std::string transformations_config;  ///< a file's name
  std::string config_update;           ///< a file's name; the model is not converted
  TransformSwitches switches;
  LoadOptions load;
  /// The options that differ from the library's defaults, in the order of the table, for the IR's rt_info.
  std::vector<OptionText> given;
};
/// Throws UnknownOption, BadOptionValue, BadInputShape, and the errors of cut_request.h. Hyphens in names count as
/// underscores.
Options parse_options(const std::vector<OptionText>& options);

/// Parses "True", "False"…; nullopt for anything else.
std::optional<bool> parse_flag(std::string_view text);

}  // namespace mo
