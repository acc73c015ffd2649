#include "core/pipeline/options.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/front/cut/shapes.h"

namespace mo {

const std::vector<OptionRow>& all_options() {
  static const std::vector<OptionRow> rows = {
#define MO_OPTION(name, short_name, kind, value, default_text, scope, help) \
  {#name, short_name, OptionKind::kind, value, default_text, OptionScope::scope, help},
#include "core/pipeline/options.def"
  };
  return rows;
}

const OptionRow* find_option(std::string_view name) {
  for (const OptionRow& row : all_options())
    if (row.name == name) return &row;
  return nullptr;
}

std::optional<bool> parse_flag(std::string_view text) {
  const std::string word = lower(text);
  if (word == "true") return true;
  if (word == "false") return false;
  return std::nullopt;
}

namespace {

bool flag(const OptionText& o) {
  const auto value = parse_flag(o.value);
  if (!value)
    throw Error(Code::BadOptionValue, cat("--", o.name, " is \"", printable(o.value), "\", want True or False"));
  return *value;
}

/// False for another option.
bool parse_cut_option(const OptionText& o, CutRequest& cut) {
  if (o.name == "input") {
    cut.inputs = parse_inputs(o.value);
  } else if (o.name == "output") {
    cut.outputs = parse_outputs(o.value);
  } else if (o.name == "freeze_placeholder_with_value") {
    cut.frozen = parse_frozen(o.value);
  } else if (o.name == "batch") {
    const auto batch = parse_int(trim(o.value));
    if (!o.value.empty() && (!batch || *batch < 1))
      throw Error(Code::BadOptionValue, cat("--batch is \"", printable(o.value), "\", want a positive integer value"));
    cut.batch = batch;
  } else {
    return false;
  }
  return true;
}

void parse_load_option(const OptionRow& row, const OptionText& o, Options& out) {
  if (row.kind == OptionKind::Flag || row.kind == OptionKind::Switch) {
    if (flag(o)) out.load.flags.emplace(row.name), out.given.push_back({o.name, "True"});
  } else if (!o.value.empty()) {
    const bool is_path = row.kind == OptionKind::Path;
    (is_path ? out.load.paths : out.load.texts)[o.name] = o.value;
    out.given.push_back({o.name, is_path ? "DIR" : o.value});
  }
}

}  // namespace

Options parse_options(const std::vector<OptionText>& options) {
  Options out;
  for (OptionText o : options) {
    std::replace(o.name.begin(), o.name.end(), '-', '_');
    if (o.name == "model_name") {
      out.model_name = o.value;
    } else if (o.name == "input_shape") {
      out.cut.shapes = parse_shapes(o.value);
      if (!out.cut.shapes.empty()) out.given.push_back({o.name, std::string(trim(o.value))});
    } else if (parse_cut_option(o, out.cut)) {
      if (!trim(o.value).empty()) out.given.push_back({o.name, std::string(trim(o.value))});
    } else if (o.name == "compress_to_fp16") {
      out.compress_to_fp16 = flag(o);
      if (out.compress_to_fp16) out.given.push_back({o.name, "True"});
    } else if (o.name == "static_shape") {
      out.static_shape = flag(o);
      if (out.static_shape) out.given.push_back({o.name, "True"});
    } else if (o.name == "transformations_config") {
      out.transformations_config = o.value;
      if (!o.value.empty()) out.given.push_back({o.name, "DIR"});  // as Model Optimizer writes it
    } else if (o.name == "tensorflow_custom_operations_config_update") {
      out.config_update = o.value;
    } else if (o.name == "enabled_transforms" || o.name == "disabled_transforms") {
      auto& names = o.name == "enabled_transforms" ? out.switches.enabled : out.switches.disabled;
      for (const std::string& name : split(o.value, ','))
        if (!trim(name).empty()) names.emplace_back(trim(name));
      if (!names.empty()) out.given.push_back({o.name, join(names, [](const std::string& name) { return name; })});
    } else if (const OptionRow* row = find_option(o.name); row && row->scope == OptionScope::Load) {
      parse_load_option(*row, o, out);
    } else {
      throw Error(Code::UnknownOption, cat("\"", printable(o.name), "\""));
    }
  }
  check(out.cut);
  std::stable_sort(out.given.begin(), out.given.end(),
                   [](const OptionText& a, const OptionText& b) { return find_option(a.name) < find_option(b.name); });
  return out;
}

}  // namespace mo
