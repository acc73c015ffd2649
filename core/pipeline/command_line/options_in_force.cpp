#include "core/pipeline/command_line/options_in_force.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

constexpr std::string_view kNotSpecified = "Not specified", kInherited = "Not specified, inherited from the model";

/// Model Optimizer's labels, in its order.
constexpr struct {
  std::string_view label, option, without;
} kCommon[] = {{"Batch", "batch", kInherited},
               {"Input layers", "input", kInherited},
               {"Output layers", "output", kInherited},
               {"Input shapes", "input_shape", kInherited},
               {"Source layout", "source_layout", kNotSpecified},
               {"Target layout", "target_layout", kNotSpecified},
               {"Layout", "layout", kNotSpecified},
               {"Mean values", "mean_values", kNotSpecified},
               {"Scale values", "scale_values", kNotSpecified},
               {"Scale factor", "scale", kNotSpecified},
               {"User transformations", "transform", kNotSpecified},
               {"Reverse input channels", "reverse_input_channels", "False"},
               {"Enable IR generation for fixed input shape", "static_shape", "False"},
               {"Use the transformations config file", "transformations_config", "None"}};

std::string row(std::string_view label, std::string_view value) {
  return cat("\t- ", label, ": \t", printable(value), "\n");
}

}  // namespace

std::string options_in_force(const CommandLine& line) {
  const auto value = [&](std::string_view name, std::string_view without) {
    for (const OptionText& option : line.options)
      if (option.name == name) return std::string_view(option.value);
    return without;
  };
  std::string out = "Model Optimizer arguments:\nCommon parameters:\n";
  out += row("Path to the Input Model", join(line.models, [](const ModelArgument& m) { return m.path; }));
  out += row("Path for generated IR", line.output_dir);
  out += row("IR output name", join(line.models, [](const ModelArgument& m) { return m.name; }));
  out += row("Log level", line.log_level);
  for (const auto& [label, option, without] : kCommon) out += row(label, value(option, without));
  out += "Advanced parameters:\n";
  for (const std::string_view kind : {"legacy", "new"})
    out += row(cat("Force the usage of ", kind, " Frontend for model conversion into IR"),
               value(cat("use_", kind, "_frontend"), "False"));
  return out;
}

}  // namespace mo
