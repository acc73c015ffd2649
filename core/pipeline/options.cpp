#include "core/pipeline/options.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

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

[[noreturn]] void refuse_shape(std::string_view text) {
  throw Error(Code::BadInputShape, cat("\"", printable(text), "\""));
}

Dimension parse_dimension(std::string_view item, std::string_view whole) {
  if (item == "?" || item == "-1") return kAnyDimension;
  const auto number = [&](std::string_view digits) {
    const auto value = parse_int(digits);
    if (!value || *value < 0 || digits[0] == '+') refuse_shape(whole);
    return *value;
  };
  const size_t dots = item.find("..");
  if (dots == std::string_view::npos) return number(item);
  const std::string_view low = trim(item.substr(0, dots)), high = trim(item.substr(dots + 2));
  const Dimension range{low.empty() ? 0 : number(low), high.empty() ? Interval::kInfinity : number(high)};
  if (range.min > range.max) refuse_shape(whole);
  return range;
}

PartialShape parse_shape(std::string_view group, std::string_view whole) {
  std::vector<Dimension> dimensions;
  if (trim(group).empty()) return dimensions;  // a scalar
  // Blanks separate like commas: "[1 2]" and "[1, 2]" are the same.
  for (const std::string& part : split(group, ',')) {
    bool any = false;
    for (const std::string& item : split(part, ' ')) {
      if (item.empty()) continue;
      dimensions.push_back(parse_dimension(item, whole));
      any = true;
    }
    if (!any) refuse_shape(whole);
  }
  return dimensions;
}

}  // namespace

std::vector<PartialShape> parse_shapes(std::string_view text) {
  std::vector<PartialShape> shapes;
  std::string_view rest = trim(text);
  while (!rest.empty()) {
    const char close = rest[0] == '[' ? ']' : rest[0] == '(' ? ')' : '\0';
    const size_t end = close ? rest.find(close) : std::string_view::npos;
    if (end == std::string_view::npos) refuse_shape(text);
    shapes.push_back(parse_shape(rest.substr(1, end - 1), text));
    rest = trim(rest.substr(end + 1));
    if (rest.empty()) break;
    if (rest[0] != ',') refuse_shape(text);
    rest = trim(rest.substr(1));
    if (rest.empty()) refuse_shape(text);
  }
  return shapes;
}

namespace {

bool flag(const OptionText& o) {
  const auto value = parse_flag(o.value);
  if (!value)
    throw Error(Code::BadOptionValue, cat("--", o.name, " is \"", printable(o.value), "\", want True or False"));
  return *value;
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
      out.input_shapes = parse_shapes(o.value);
      if (!out.input_shapes.empty()) out.given.push_back({o.name, std::string(trim(o.value))});
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
  std::stable_sort(out.given.begin(), out.given.end(),
                   [](const OptionText& a, const OptionText& b) { return find_option(a.name) < find_option(b.name); });
  return out;
}

}  // namespace mo
