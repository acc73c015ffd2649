#include "core/ops/contract.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/base/text.h"
#include "core/ops/former_names.h"
#include "core/ops/window.h"

namespace mo {
namespace {

/// A bit for each input without `?` or `*`.
constexpr uint32_t required_mask(std::string_view inputs) {
  uint32_t mask = 0, bit = 1;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i] == ' ' || (i + 1 < inputs.size() && inputs[i + 1] != ' ')) continue;
    if (inputs[i] != '?' && inputs[i] != '*') mask |= bit;
    bit <<= 1;
  }
  return mask;
}

/// The number of names; -1 if the last may occur any number of times.
constexpr int count_inputs(std::string_view inputs) {
  if (inputs.empty()) return 0;
  return inputs.back() == '*' ? -1 : static_cast<int>(std::count(inputs.begin(), inputs.end(), ' ')) + 1;
}

constexpr bool has_input(std::string_view inputs, std::string_view name) {
  for (size_t begin = 0; begin < inputs.size();) {
    const size_t end = std::min(inputs.find_first_of(" ?*", begin), inputs.size());
    if (inputs.substr(begin, end - begin) == name) return true;
    begin = end + 1;
  }
  return false;
}

constexpr Contract kContracts[] = {
#define MO_CONTRACT(ops, inputs, attributes, meaning) \
  {ops, attributes, required_mask(inputs), has_input(inputs, "weights")},
#include "core/ops/contracts.def"
};

constexpr int kMostInputs[] = {
#define MO_CONTRACT(ops, inputs, attributes, meaning) count_inputs(inputs),
#include "core/ops/contracts.def"
};

/// Attributes allowed on every node.
constexpr std::string_view kOfEveryNode =
    "type version data_type need_shape_inference stop_value_propagation keep_computed can_be_fused returns_shape_value "
    "layout dim_attrs shape_attrs batch_dims channel_dims spatial_dims";

/// Removes and returns the first word; empty when there is none.
std::string_view next_word(std::string_view& words) {
  const size_t end = std::min(words.find(' '), words.size());
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(std::min(end + 1, words.size()));
  return word;
}

bool has_word(std::string_view words, std::string_view wanted) {
  while (!words.empty())
    if (next_word(words) == wanted) return true;
  return false;
}

/// "name:type", "name:type?" or "name:type=value"
struct AttributeRule {
  explicit AttributeRule(std::string_view rule) {
    const size_t colon = rule.find(':');
    name = rule.substr(0, colon);
    type = rule.substr(colon + 1);
    const size_t equals = type.find('=');
    if (equals != std::string_view::npos) value = type.substr(equals + 1);
    required = equals == std::string_view::npos && type.back() != '?';
    type = type.substr(0, required ? type.size() : std::min(equals, type.size() - 1));
  }
  std::string_view name, type;
  std::optional<std::string_view> value;
  bool required = false;
};

/// A value of contracts.def.
Attribute literal_of_type(std::string_view type, std::string_view text) {
  if (type == "bool") return text == "true";
  if (type == "int") return parse_int(text).value_or(0);
  if (type == "float") return parse_double(text).value_or(0);
  if (type == "type") return element_type(text).value_or(ElementType::Unknown);
  if (type != "ints") return std::string(text);
  Ints numbers;
  for (const std::string& part : split(text, ',')) numbers.push_back(parse_int(part).value_or(0));
  return numbers;
}

template <typename T>
bool holds(const Attribute& value) {
  return std::holds_alternative<T>(value);
}

/// The value in the contract's type; nullopt when it cannot be converted.
std::optional<Attribute> as_type(std::string_view type, const Attribute& value) {
  const int64_t* whole = std::get_if<int64_t>(&value);
  const Ints* list = std::get_if<Ints>(&value);
  const bool nothing = list && list->empty();
  bool fits = false;
  if (type == "bool") {
    if (whole) return *whole != 0;
    fits = holds<bool>(value);
  } else if (type == "int") {
    if (const bool* flag = std::get_if<bool>(&value)) return int64_t{*flag};
    fits = whole != nullptr;
  } else if (type == "float") {
    if (whole) return static_cast<double>(*whole);
    fits = holds<double>(value);
  } else if (type == "string") {
    fits = holds<std::string>(value);
  } else if (type == "padding") {
    const std::string* text = std::get_if<std::string>(&value);
    if (const auto known = text ? auto_pad_of(*text) : std::nullopt) return std::string(name_of(*known));
    fits = text != nullptr;  // whoever reads it says that there is no such padding
  } else if (type == "type") {
    if (const std::string* name = std::get_if<std::string>(&value))
      if (const auto known = element_type(*name)) return *known;
    fits = holds<ElementType>(value);
  } else if (type == "ints") {
    fits = list != nullptr;
  } else if (type == "floats") {
    if (list) return Doubles(list->begin(), list->end());
    fits = holds<Doubles>(value);
  } else if (type == "strings") {
    if (nothing) return Strings();
    fits = holds<Strings>(value);
  } else if (type == "tensor") {
    fits = holds<Constant>(value);
  } else if (type == "graph") {
    fits = holds<std::shared_ptr<Graph>>(value);
  } else {
    if (list && std::all_of(list->begin(), list->end(), [](int64_t d) { return d >= 0; }))
      return PartialShape(Shape(*list));
    fits = holds<PartialShape>(value);
  }
  return fits ? std::optional<Attribute>(value) : std::nullopt;
}

/// Empty when the contract does not know the attribute.
std::string_view type_of_attribute(const Contract& contract, std::string_view name) {
  for (std::string_view left = contract.attributes; !left.empty();)
    if (const AttributeRule rule(next_word(left)); rule.name == name) return rule.type;
  return {};
}

const Contract* contract_of(const Node& node) {
  const auto& own = node.graph().model().user_ops;
  return own.find(node.op()) == own.end() ? find_contract(node.op()) : nullptr;
}

Detail known_attributes(const Contract& contract) {
  std::string names;
  for (std::string_view left = contract.attributes; !left.empty();)
    names += cat(names.empty() ? "" : ", ", AttributeRule(next_word(left)).name);
  return names.empty() ? Detail("no attributes") : Detail(names);
}

[[noreturn]] void fail(const Node& node, const Contract& contract, Code code, const Detail& detail) {
  throw Error(code, detail, node.place(),
              msg(node.op(), " has ", known_attributes(contract), ": docs/internal-operations.md"));
}

/// Gives the node's attributes the contract's types and values.
void apply_rules(Node& node, const Contract& contract) {
  for (std::string_view left = contract.attributes; !left.empty();) {
    const AttributeRule rule(next_word(left));
    const Attribute* given = node.attributes.find(rule.name);
    if (given && !holds<std::monostate>(*given)) {
      const auto value = as_type(rule.type, *given);
      if (!value) fail(node, contract, Code::AttributeType, msg(rule.name, " of ", node.op(), " is no ", rule.type));
      if (value->index() != given->index() || rule.type == "padding") node.set(rule.name, *value);
    } else if (rule.value) {
      node.set(rule.name, literal_of_type(rule.type, *rule.value));
    } else if (rule.required) {
      fail(node, contract, Code::MissingAttribute, std::string(rule.name));
    }
  }
}

}  // namespace

std::span<const Contract> all_contracts() { return kContracts; }

const Contract* find_contract(std::string_view op) {
  static const std::unordered_map<std::string_view, const Contract*> by_op = [] {
    std::unordered_map<std::string_view, const Contract*> map;
    for (const Contract& contract : kContracts)
      for (std::string_view left = contract.ops; !left.empty();) map[next_word(left)] = &contract;
    return map;
  }();
  const auto found = by_op.find(op);
  return found == by_op.end() ? nullptr : found->second;
}

int most_inputs(std::string_view op) {
  const Contract* contract = find_contract(op);
  return contract ? kMostInputs[contract - kContracts] : -1;
}

std::vector<std::pair<std::string, Attribute>> default_attributes(std::string_view op) {
  std::vector<std::pair<std::string, Attribute>> defaults;
  const Contract* contract = find_contract(op);
  for (std::string_view left = contract ? contract->attributes : std::string_view(); !left.empty();)
    if (const AttributeRule rule(next_word(left)); rule.value)
      defaults.emplace_back(rule.name, literal_of_type(rule.type, *rule.value));
  return defaults;
}

bool has_attribute(const Contract& contract, std::string_view name) {
  return !type_of_attribute(contract, name).empty();
}

bool is_type_attribute(const Contract& contract, std::string_view name) {
  return type_of_attribute(contract, name) == "type";
}

Strings attribute_names(const Node& node) {
  Strings names;
  for (const auto& entry : node.attributes) names.push_back(entry.first);
  return names;
}

void hold_to_contract(Node& node, const Strings& loaded) {
  if (!contract_of(node)) return;
  for (const std::string& name : attribute_names(node)) {
    if (has_word(kOfEveryNode, name)) continue;
    const bool is_left = std::find(loaded.begin(), loaded.end(), name) != loaded.end();
    const std::string_view now = is_left ? name : settle_attribute(node, name);
    const Contract& contract = *contract_of(node);
    if (!has_attribute(contract, now)) {
      if (!is_left) fail(node, contract, Code::UnknownAttribute, msg(name, " of ", node.op()));
      node.attributes.erase(name);
    } else if (now != name) {
      Attribute value = *node.attributes.find(name);
      node.attributes.erase(name);
      node.set(now, std::move(value));
    }
  }
  const Contract& contract = *contract_of(node);
  apply_rules(node, contract);
  for (int i = 0; contract.required_inputs >> i; ++i)
    if (contract.required_inputs >> i & 1) require_input(node, i);
}

void complete_by_contract(Node& node) {
  if (const Contract* contract = contract_of(node)) apply_rules(node, *contract);
}

}  // namespace mo
