// A layer by itself, held against the runtime's table: operation set, attributes, number, types and ranks of ports.

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/ir/verify/operation_table.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

bool is_integer_text(std::string_view text) { return parse_int(trim(text)).has_value(); }
bool is_unsigned_text(std::string_view text) {
  const auto number = parse_int(trim(text));
  return number && *number >= 0;
}
bool is_number_text(std::string_view text) { return parse_double(trim(text)).has_value(); }

template <typename Test>
bool is_list_of(std::string_view text, Test test) {
  if (trim(text).empty()) return true;
  const std::vector<std::string> parts = split(text, ',');
  return std::all_of(parts.begin(), parts.end(), [&](const std::string& part) { return test(part); });
}

bool fits_kind(std::string_view kind, std::string_view text) {
  if (kind == "text" || kind == "texts") return true;
  if (kind == "int") return is_integer_text(text);
  if (kind == "uint") return is_unsigned_text(text);
  if (kind == "float") return is_number_text(text);
  if (kind == "ints") return is_list_of(text, is_integer_text);
  if (kind == "uints") return is_list_of(text, is_unsigned_text);
  if (kind == "floats") return is_list_of(text, is_number_text);
  if (kind == "bool") return is_word_of(lower(text), "true false 1 0");
  if (kind == "dims") return shape_of_ir(text).has_value();
  if (kind == "type") return type_of_precision(text).has_value();
  const auto values = ir_values(kind);
  return !values || is_word_of(lower(text), *values);
}

/// What a value of the kind is called.
Detail kind_name(std::string_view kind) {
  if (kind == "int") return "a whole number";
  if (kind == "uint") return "a whole number from 0 on";
  if (kind == "float") return "a number";
  if (kind == "ints") return "whole numbers";
  if (kind == "uints") return "whole numbers from 0 on";
  if (kind == "floats") return "numbers";
  if (kind == "bool") return "true or false";
  if (kind == "dims") return "dimensions";
  if (kind == "type") return "an element type";
  return msg("one of ", *ir_values(kind));
}

std::optional<int> operation_set(std::string_view version) {
  if (!version.starts_with("opset")) return std::nullopt;
  const auto number = parse_int(version.substr(5));
  return number && *number >= 1 && *number <= kNewestOperationSet ? std::optional(static_cast<int>(*number))
                                                                  : std::nullopt;
}

class LayerCheck {
 public:
  LayerCheck(const IrLayer& layer, const IrChecks& checks) : layer_(layer), checks_(checks) {}

  void run() {
    if (layer_.type.empty()) return;  // verify_structure() says so
    const IrOperation* operation = find_operation();
    if (!operation) return;
    check_attributes(*operation);
    check_number(*operation);
    check_inputs(*operation);
  }

 private:
  const IrOperation* find_operation() {
    const auto* forms = find_ir_operation(layer_.type);
    if (!forms) {
      checks_.unknown(&layer_, msg(printable(layer_.type), " of ", printable(layer_.version)));
      return nullptr;
    }
    const auto set = operation_set(layer_.version);
    if (!set) {
      checks_.unknown(&layer_, msg(printable(layer_.type), " of ", printable(layer_.version)));
      return nullptr;
    }
    for (const IrOperation& form : *forms)
      if (form.first <= *set && *set <= form.last) return &form;
    checks_.wrong(&layer_, msg(printable(layer_.version), " has no ", printable(layer_.type), ", opset",
                               forms->front().first, " to opset", forms->back().last, " have it"));
    return nullptr;
  }

  void check_attributes(const IrOperation& operation) {
    for (const IrAttributeRule& rule : operation.attributes) {
      const auto given = std::find_if(layer_.attributes.begin(), layer_.attributes.end(),
                                      [&](const auto& attribute) { return attribute.first == rule.name; });
      if (given == layer_.attributes.end()) {
        if (rule.is_needed) checks_.wrong(&layer_, msg("it lacks the attribute ", rule.name));
      } else if (!fits_kind(rule.kind, given->second)) {
        checks_.wrong(&layer_, msg("attribute ", rule.name, " is \"", printable(given->second), "\", want ",
                                   kind_name(rule.kind)));
      }
    }
    std::vector<std::string_view> names;
    names.reserve(layer_.attributes.size());
    for (const auto& attribute : layer_.attributes) names.push_back(attribute.first);
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice != names.end()) checks_.wrong(&layer_, msg("it has the attribute ", printable(*twice), " twice"));
    for (const std::string_view name : names) {
      if (std::none_of(operation.attributes.begin(), operation.attributes.end(),
                       [&](const IrAttributeRule& rule) { return rule.name == name; }))
        checks_.ignored(&layer_, msg("it has an attribute ", printable(name), ", which the operation does not have"));
    }
  }

  void check_number(const IrOperation& operation) {
    const auto count = [&](size_t got, int least, int most, const Detail& what) {
      const auto number = static_cast<int64_t>(got);
      if (number >= least && number <= most) return;
      checks_.wrong(&layer_, most == IrOperation::kAny ? msg("it has ", number, " ", what, ", want at least ", least)
                             : least == most           ? msg("it has ", number, " ", what, ", want ", least)
                                             : msg("it has ", number, " ", what, ", want ", least, " to ", most));
    };
    count(layer_.inputs.size(), operation.least_inputs, operation.most_inputs, msg("inputs"));
    // The IR may leave out the port of a Result and of an Assign, and outputs that nothing reads.
    if (layer_.type == "Result" || layer_.type == "Assign") return;
    // Models name more outputs than there are, which nothing makes or reads: they have no type.
    const auto untyped = std::count_if(layer_.outputs.begin(), layer_.outputs.end(),
                                       [](const IrPort& port) { return port.type == ElementType::Unknown; });
    const size_t outputs = layer_.outputs.size();
    const size_t most = static_cast<size_t>(operation.most_outputs);
    count(outputs > most ? outputs - static_cast<size_t>(untyped) : outputs, 1, operation.most_outputs, msg("outputs"));
  }

  void check_inputs(const IrOperation& operation) {
    if (operation.inputs.empty()) return;
    const size_t ruled = operation.inputs.size();
    for (size_t i = 0; i < layer_.inputs.size() && (i < ruled || operation.repeats_last); ++i)
      check_input(operation.inputs[std::min(i, ruled - 1)], static_cast<int>(i));
  }

  void check_input(const IrInputRule& rule, int i) {
    const IrPort& port = layer_.inputs[static_cast<size_t>(i)];
    const auto unfit = [&](Code code, const Detail& what) { checks_.unfit_input(layer_, code, what); };
    if (is_typed(port)) {
      if (!rule.types.empty() && !is_word_of(ir_name(*port.type), rule.types))
        unfit(Code::UnsupportedType, msg("input ", i, " is ", printable(port.precision), ", want one of ", rule.types));
      if (rule.same_as != IrInputRule::kNone && rule.same_as < i) {
        const IrPort& other = layer_.inputs[static_cast<size_t>(rule.same_as)];
        if (is_typed(other) && *other.type != *port.type)
          unfit(Code::UnsupportedType, msg("input ", i, " is ", printable(port.precision), ", and input ", rule.same_as,
                                           " ", printable(other.precision)));
      }
    }
    const auto rank = static_cast<int>(std::min<size_t>(port.dims.size(), 1000));
    if (port.has_rank && (rank < rule.least || rank > rule.most))
      unfit(Code::ShapeMismatch, msg("input ", i, " has shape [", join(port.dims), "], want ",
                                     rule.least == rule.most ? msg(rule.least)
                                     : rule.most == 64       ? msg("at least ", rule.least)
                                                             : msg(rule.least, " to ", rule.most),
                                     " dimensions"));
  }
  static bool is_typed(const IrPort& port) { return port.type && *port.type != ElementType::Unknown; }

  const IrLayer& layer_;
  const IrChecks& checks_;
};

}  // namespace

void verify_layer(const IrLayer& layer, const IrChecks& checks) { LayerCheck(layer, checks).run(); }

}  // namespace mo
