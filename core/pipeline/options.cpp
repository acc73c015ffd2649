#include "core/pipeline/options.h"

#include <algorithm>
#include <span>

#include "core/base/text.h"
#include "core/front/cut/shapes.h"

namespace mo {

Error waiting_option(const OptionRow& row) {
  const bool library = row.name == "tensorflow_custom_layer_libraries";
  Detail hint;
  if (library) hint = "write an extension that says what the operations are: docs/extending.md";
  return Error(Code::OptionNotInBuild, msg("--", row.name), {}, hint).about(row.name);
}

std::optional<bool> parse_flag(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true") return true;
  if (word == "false") return false;
  return std::nullopt;
}

namespace {

[[noreturn]] void refuse(const OptionRow& row, std::string_view value, const Detail& wanted) {
  throw Error(Code::BadOptionValue, msg("--", row.name, " is \"", printable(value), "\", want ", wanted))
      .about(row.name);
}

}  // namespace

void refuse_unsafe(const OptionRow& row, std::string_view value) {
  const bool names_files =
      row.kind == OptionKind::Path || (row.kind == OptionKind::Text && row.scope == OptionScope::Host);
  if (names_files) return;
  if (value.size() > kLongestValue)
    throw Error(Code::BadOptionValue, msg("--", row.name, " has ", value.size(), " bytes, at most ", kLongestValue))
        .about(row.name);
  if (has_unsafe(value)) refuse(row, value, "a text without control characters");
}

namespace {

bool flag(const OptionRow& row, std::string_view value) {
  const auto parsed = parse_flag(value);
  if (!parsed) refuse(row, value, "True or False");
  return *parsed;
}

void require_one_of(const OptionRow& row, std::string_view value, std::span<const std::string_view> choices) {
  if (std::find(choices.begin(), choices.end(), value) == choices.end())
    refuse(row, value, msg("one of ", join(choices, [](std::string_view choice) { return choice; })));
}

void add_names(std::string_view value, std::vector<std::string>& names) {
  for (const std::string& name : split(value, ','))
    if (!trim(name).empty()) names.emplace_back(trim(name));
}

void enable(const OptionRow&, std::string_view value, Options& out) {
  std::vector<std::string>& names = out.switches.enabled;
  add_names(value, names);
  out.switches.analysis |= std::erase(names, "ANALYSIS_JSON_PRINT") > 0;
}

std::optional<int64_t> batch(const OptionRow& row, std::string_view value) {
  const auto parsed = parse_int(trim(value));
  if (!parsed || *parsed < 1) refuse(row, value, "a positive integer value");
  return parsed;
}

void data_type(const OptionRow& row, std::string_view value, Options& out) {
  constexpr std::string_view kTypes[] = {"FP16", "half", "FP32", "float"};
  require_one_of(row, value, kTypes);
  out.compress_to_fp16 = value == kTypes[0] || value == kTypes[1];
}

void framework(const OptionRow& row, std::string_view value, Options&) {
  constexpr std::string_view kFrameworks[] = {"tf", "caffe", "mxnet", "kaldi", "onnx", "paddle", "pytorch", "tflite"};
  if (!value.empty()) require_one_of(row, value, kFrameworks);
}

void preprocess(const OptionRow& row, std::string_view value, Options& out) {
  read_option(out.preprocess, row.name, value);
}

void weights(const OptionRow& row, std::string_view value, Options& out) {
  if (row.kind != OptionKind::Switch || flag(row, value)) read_weight_option(out.weights, row.name, value);
}

void scale(const OptionRow& row, std::string_view value, Options& out) {
  preprocess(row, value, out);
  if (const auto factor = out.preprocess.scale_factor; factor && *factor < 1)
    out.warnings.emplace_back(Code::SmallScale, format_double(*factor));
}

void model_name(const OptionRow& row, std::string_view value, Options& out) {
  if (value.find('/') != std::string_view::npos) refuse(row, value, "a name of a file");
  out.model_name = value;
  out.load.texts["model_name"] = value;
}

/// Shapes have the names of their inputs, or all have none.
void input_shape(const OptionRow&, std::string_view value, Options& out) {
  const size_t open = value.find('['), first = value.find_first_not_of(" ");
  const bool named = open != std::string_view::npos && first != open && value[first] != '(';
  if (named)
    out.cut.shaped = parse_named_shapes(value);
  else
    out.cut.shapes = parse_shapes(value);
}

/// What sets an option, in the order in which Model Optimizer checks them.
struct Setter {
  std::string_view name;
  void (*set)(const OptionRow& row, std::string_view value, Options& out);
};
constexpr Setter kSetters[] = {
    {"framework", framework},
    {"model_name", model_name},
    {"transform", [](auto&, auto value, Options& out) { out.transforms = parse_transforms(value); }},
    {"scale", scale},
    {"input_shape", input_shape},
    {"input", [](auto&, auto value, Options& out) { out.cut.inputs = parse_inputs(value); }},
    {"freeze_placeholder_with_value", [](auto&, auto value, Options& out) { out.cut.frozen = parse_frozen(value); }},
    {"batch", [](auto& row, auto value, Options& out) { out.cut.batch = batch(row, value); }},
    {"output", [](auto&, auto value, Options& out) { out.cut.outputs = parse_outputs(value); }},
    {"layout", preprocess},
    {"source_layout", preprocess},
    {"target_layout", preprocess},
    {"mean_values", preprocess},
    {"scale_values", preprocess},
    {"reverse_input_channels",
     [](auto& row, auto value, Options& out) { out.preprocess.reverse_channels = flag(row, value); }},
    {"compress_to_fp16", [](auto& row, auto value, Options& out) { out.compress_to_fp16 = flag(row, value); }},
    {"data_type", data_type},
    {"disable_weights_compression",
     [](auto& row, auto value, Options& out) { out.compress_to_fp16 &= !flag(row, value); }},
    {"weight_format", weights},
    {"sym", weights},
    {"group_size", weights},
    {"group_size_fallback", weights},
    {"backup_precision", weights},
    {"all_layers", weights},
    {"ignored_scope", weights},
    {"static_shape", [](auto& row, auto value, Options& out) { out.static_shape = flag(row, value); }},
    {"disable_nhwc_to_nchw", [](auto& row, auto value, Options& out) { out.disable_nhwc_to_nchw = flag(row, value); }},
    {"allow_large_output", [](auto& row, auto value, Options& out) { out.allow_large_output = flag(row, value); }},
    {"generate_mapping", [](auto& row, auto value, Options& out) { out.generate_mapping = flag(row, value); }},
    {"emit_check", [](auto& row, auto value, Options& out) { out.emit_check = flag(row, value); }},
    {"weight_sizes", [](auto& row, auto value, Options& out) { out.weight_sizes = flag(row, value); }},
    {"trace", [](auto& row, auto value, Options& out) { out.trace = flag(row, value); }},
    {"tensorflow_use_custom_operations_config",
     [](auto&, auto value, Options& out) { out.transformations_config = value; }},
    {"transformations_config", [](auto&, auto value, Options& out) { out.transformations_config = value; }},
    {"tensorflow_custom_operations_config_update", [](auto&, auto value, Options& out) { out.config_update = value; }},
    {"tensorboard_logdir", [](auto&, auto value, Options& out) { out.event_file = !value.empty(); }},
    {"save_params_from_nd", [](auto& row, auto value, Options& out) { out.parameters_file = flag(row, value); }},
    {"enabled_transforms", enable},
    {"disabled_transforms", [](auto&, auto value, Options& out) { add_names(value, out.switches.disabled); }},
};

void set_load_option(const OptionRow& row, std::string_view value, Options& out) {
  if (row.kind == OptionKind::Flag || row.kind == OptionKind::Switch) {
    if (flag(row, value)) out.load.flags.emplace(row.name);
  } else if (!value.empty() || row.facts.may_be_empty) {
    (is_path(row.kind) ? out.load.paths : out.load.texts)[std::string(row.name)] = value;
  }
}

void set_former_option(const OptionRow& row, std::string_view value, Options& out) {
  if (row.kind != OptionKind::Switch || flag(row, value))
    out.warnings.push_back(Error(Code::FormerOption, msg("--", row.name)).about(row.name));
}

void check_nothing(const OptionRow& row, std::string_view value) {
  if (row.kind == OptionKind::Flag || row.kind == OptionKind::Switch) flag(row, value);
}

/// The value in the IR's rt_info; empty for an option that does not change the IR, and for a flag that is off.
std::string given_text(const OptionRow& row, std::string_view value) {
  if (row.scope != OptionScope::Convert && row.scope != OptionScope::Load) return "";
  if (!row.facts.in_ir || !row.facts.alias_of.empty()) return "";
  switch (row.kind) {
    case OptionKind::Flag:
    case OptionKind::Switch: return flag(row, value) ? "True" : "";
    // As Model Optimizer writes it: the path of the folder is private.
    case OptionKind::Path:
    case OptionKind::Files: return value.empty() ? "" : cat("DIR/", value.substr(value.find_last_of("/\\") + 1));
    default: return std::string(trim(value));
  }
}

struct Given {
  const OptionRow* row;
  std::string_view value;
};

std::vector<Given> rows_of(const std::vector<OptionText>& options) {
  std::vector<Given> out;
  for (const OptionText& option : options) {
    const OptionRow* row = find_option(option.name);
    const bool host = row && row->scope == OptionScope::Host && !row->facts.to_core;
    if (!row || host)
      throw Error(Code::UnknownOption, host ? msg("\"", printable(option.name), "\", which only the command has")
                                            : msg("\"", printable(option.name), "\"").with(nearest_option(option.name)))
          .about(option.name);
    if (row->scope == OptionScope::Waiting) throw waiting_option(*row);
    refuse_unsafe(*row, option.value);
    out.push_back({row, option.value});
  }
  return out;
}

void check_front_ends(const std::vector<Given>& given) {
  const auto asked = std::count_if(given.begin(), given.end(), [](const Given& one) {
    return (one.row->name == "use_new_frontend" || one.row->name == "use_legacy_frontend") && flag(*one.row, one.value);
  });
  if (asked > 1)
    throw Error(Code::OptionsExclude,
                "Options --use_new_frontend and --use_legacy_frontend must not be used simultaneously in the Model "
                "Optimizer command-line")
        .about("use_new_frontend")
        .about("use_legacy_frontend");
}

}  // namespace

Options parse_options(const std::vector<OptionText>& options) {
  Options out;
  const std::vector<Given> given = rows_of(options);
  check_front_ends(given);
  for (const Setter& setter : kSetters)
    for (const Given& one : given)
      if (one.row->name == setter.name)
        of_option(cat("--", setter.name), [&] { setter.set(*one.row, one.value, out); });
  check(out.weights);
  if (out.weights.format == WeightRequest::Format::F16) out.compress_to_fp16 = true;
  if (out.weights.format == WeightRequest::Format::F32) out.compress_to_fp16 = false;
  for (const OptionRow& row : all_options()) {
    std::string text;
    for (const auto& [of, value] : given) {
      if (of != &row) continue;
      if (row.scope == OptionScope::Load) set_load_option(row, value, out);
      if (row.scope == OptionScope::Former) set_former_option(row, value, out);
      if (row.scope == OptionScope::None) check_nothing(row, value);
      const std::string more = given_text(row, value);
      text += text.empty() || more.empty() ? more : cat(", ", more);
    }
    if (row.name == "compress_to_fp16") text = out.compress_to_fp16 ? "True" : "";  // its aliases set it, too
    if (!text.empty()) out.given.push_back({std::string(row.name), text});
  }
  check(out.cut);
  check(out.preprocess, out.cut);
  return out;
}

}  // namespace mo
