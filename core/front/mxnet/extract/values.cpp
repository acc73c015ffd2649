// Attributes of MXNet, which are texts as Python writes them.

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

/// Without blanks; empty for None and for an absent attribute.
std::string_view value_of(const Node& node, std::string_view key) {
  const auto* text = node.attributes.get_if<std::string>(key);
  if (!text) return {};
  const std::string_view value = trim(*text);
  return value == "None" ? std::string_view() : value;
}

[[noreturn]] void refuse(const Node& node, std::string_view key) {
  throw Error(Code::BadAttribute, msg(std::string(key), " is '", printable(node.get_string(key)), "'"));
}

/// An integer, perhaps a long one of Python 2.
std::optional<int64_t> integer(std::string_view text) {
  if (text.size() > 1 && (text.back() == 'L' || text.back() == 'l')) text.remove_suffix(1);
  return parse_int(text);
}

/// The elements of a tuple, a list, or one value.
std::vector<std::string_view> elements_of(std::string_view text) {
  if (text.size() > 1 && ((text.front() == '(' && text.back() == ')') || (text.front() == '[' && text.back() == ']')))
    text = trim(text.substr(1, text.size() - 2));
  std::vector<std::string_view> out;
  for (const std::string_view element : split_items(text))
    if (!element.empty()) out.push_back(element);
  return out;
}

constexpr std::pair<std::string_view, ElementType> kTypes[] = {
    {"float32", ElementType::F32},  {"float64", ElementType::F64}, {"float16", ElementType::F16},
    {"uint8", ElementType::U8},     {"int32", ElementType::I32},   {"int8", ElementType::I8},
    {"int64", ElementType::I64},    {"bool", ElementType::Bool},   {"int16", ElementType::I16},
    {"uint16", ElementType::U16},   {"uint32", ElementType::U32},  {"uint64", ElementType::U64},
    {"bfloat16", ElementType::BF16}};

}  // namespace

bool is_given(const Node& node, std::string_view key) { return !value_of(node, key).empty(); }

std::string text_of(const Node& node, std::string_view key, std::string_view otherwise) {
  const std::string_view value = value_of(node, key);
  return std::string(value.empty() ? otherwise : value);
}

std::string choice_of(const Node& node, std::string_view key, std::string_view otherwise,
                      std::initializer_list<std::string_view> choices) {
  std::string value = text_of(node, key, otherwise);
  if (!is_one_of(value, choices)) refuse(node, key);
  return value;
}

bool bool_of(const Node& node, std::string_view key, bool otherwise) {
  if (!is_given(node, key)) return otherwise;
  const std::string value = lower(value_of(node, key));
  if (is_one_of(value, {"true", "1"})) return true;
  if (!is_one_of(value, {"false", "0"})) refuse(node, key);
  return false;
}

int64_t int_of(const Node& node, std::string_view key, int64_t otherwise) {
  if (!is_given(node, key)) return otherwise;
  const auto value = integer(value_of(node, key));
  if (!value) refuse(node, key);
  return *value;
}

int64_t required_int(const Node& node, std::string_view key) {
  if (!is_given(node, key)) throw Error(Code::MissingAttribute, std::string(key));
  return int_of(node, key);
}

int64_t limited_int(const Node& node, std::string_view key, int64_t otherwise, int64_t least, int64_t most) {
  const int64_t value = int_of(node, key, otherwise);
  if (value < least || value > most) throw Error(Code::BadAttribute, msg(std::string(key), " is ", value));
  return value;
}

double float_of(const Node& node, std::string_view key, double otherwise) {
  if (!is_given(node, key)) return otherwise;
  const auto value = parse_double(value_of(node, key));
  if (!value) refuse(node, key);
  return *value;
}

Ints ints_of(const Node& node, std::string_view key, const Ints& otherwise) {
  if (!is_given(node, key)) return otherwise;
  Ints out;
  for (const std::string_view element : elements_of(value_of(node, key))) {
    const auto value = integer(element);
    if (!value) refuse(node, key);
    out.push_back(*value);
  }
  return out;
}

Doubles floats_of(const Node& node, std::string_view key, const Doubles& otherwise) {
  if (!is_given(node, key)) return otherwise;
  Doubles out;
  for (const std::string_view element : elements_of(value_of(node, key))) {
    const auto value = parse_double(element);
    if (!value) refuse(node, key);
    out.push_back(*value);
  }
  return out;
}

std::vector<std::optional<int64_t>> optional_ints_of(const Node& node, std::string_view key) {
  std::vector<std::optional<int64_t>> out;
  for (const std::string_view element : elements_of(value_of(node, key))) {
    out.push_back(integer(element));
    if (!out.back() && element != "None") refuse(node, key);
  }
  return out;
}

ElementType type_of_number(int64_t number) {
  constexpr int64_t kCount = sizeof kTypes / sizeof *kTypes;
  return number >= 0 && number < kCount ? kTypes[number].second : ElementType::Unknown;
}

ElementType type_of(const Node& node, std::string_view key, ElementType otherwise) {
  if (!is_given(node, key)) return otherwise;
  const std::string_view value = value_of(node, key);
  for (const auto& [name, type] : kTypes)
    if (name == value) return type;
  const ElementType numbered = type_of_number(integer(value).value_or(-1));
  if (numbered == ElementType::Unknown) throw Error(Code::UnsupportedType, printable(value));
  return numbered;
}

}  // namespace mo::mxnet
