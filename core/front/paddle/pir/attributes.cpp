#include "core/front/paddle/pir/attributes.h"

#include <limits>

#include "core/base/proto/message.h"
#include "core/base/text.h"
#include "core/front/expansion.h"
#include "core/front/paddle/load/types.h"

namespace mo::paddle::pir {
namespace {

struct TypeName {
  std::string_view of_attribute, of_type;
  int64_t number;
};

constexpr TypeName kTypeNames[] = {
    {"bool", "bool", 0},
    {"int16", "i16", 1},
    {"int32", "i32", 2},
    {"int64", "i64", 3},
    {"float16", "f16", 4},
    {"float32", "f32", 5},
    {"float64", "f64", 6},
    {"uint8", "ui8", 20},
    {"int8", "i8", 21},
    {"bfloat16", "bf16", 22},
    {"complex64", "c64", 23},
    {"complex128", "c128", 24},
    {"float8_e4m3fn", "f8e4m3fn", 32},
    {"float8_e5m2", "f8e5m2", 33},
    {"uint16", "ui16", 36},
    {"uint32", "ui32", 37},
    {"uint64", "ui64", 38},
    {"double", "index", 6},
};

/// "i32" of "0.t_i32" behind "t_", "i32" of "1.a_i32" behind "a_".
std::string_view kind_of_value(const JsonValue& value, std::string_view prefix) {
  const std::string_view name = value["#"].text().value_or("");
  const std::string_view bare = name.substr(name.find('.') == name.npos ? 0 : name.find('.') + 1);
  return bare.starts_with(prefix) ? bare.substr(prefix.size()) : bare;
}

Detail lacks(std::string_view key) { return msg("'", key, "' is missing, or of another kind than it has to be"); }

PartialShape shape_of_dims(const JsonValue& dims) {
  if (!dims.is(JsonValues::Kind::List)) throw broken(Code::CorruptFile, dims, lacks("D"));
  require_dimensions(dims.count());
  std::vector<Dimension> out;
  dims.each([&](const JsonValue& size) {
    const auto number = size.integer();
    if (!number) throw broken(Code::CorruptFile, size, "a dimension that is no whole number");
    out.push_back(*number < 0 ? kAnyDimension : Dimension(*number));
  });
  return out;
}

VariableDesc read_type(const JsonValue& type) {
  VariableDesc out;
  const std::string_view kind = kind_of_value(type, "t_");
  const bool is_array = kind.find("array") != kind.npos;
  if (kind != "dtensor" && !is_array) return out;
  const JsonValue data = type["D"];
  if (!data.is(JsonValues::Kind::List)) throw broken(Code::CorruptFile, type, lacks("D"));
  out.kind = static_cast<int64_t>(is_array ? VariableKind::TensorArray : VariableKind::Tensor);
  out.data_type = type_number(kind_of_value(data.at(0), "t_"));
  out.shape = shape_of_dims(data.at(1));
  return out;
}

/// Of {"D": 1.5} or {"VD": "NaN"}.
double number_in(const JsonValue& attribute) {
  if (const auto number = attribute["D"].number()) return *number;
  const std::string_view special = attribute["VD"].text().value_or("");
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (special == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (special == "INF") return kInfinity;
  if (special == "-INF") return -kInfinity;
  throw broken(Code::BadAttribute, attribute, "a number is missing");
}

int64_t integer_in(const JsonValue& number) {
  if (const auto out = number.integer()) return *out;
  throw broken(Code::BadAttribute, number, "it is no whole number");
}

/// [type, value], or [type, real part, imaginary part].
Attribute scalar_in(const JsonValue& data, const JsonValue& attribute) {
  const int64_t type = type_number(data.at(0).text().value_or(""));
  const JsonValue value = data.at(1);
  if (is_complex_type(type)) return Doubles{value.number().value_or(0), data.at(2).number().value_or(0)};
  const auto element = element_type(type);
  if (element == ElementType::Bool && value.boolean()) return *value.boolean();
  if (element && !is_float(*element)) return integer_in(value);
  if (value) return value.number() ? Attribute(*value.number()) : throw broken(Code::BadAttribute, value, lacks("D"));
  return number_in(attribute);
}

/// Of at most as many numbers as other formats have in memory.
void require_list(const JsonValue& data, const JsonValue& attribute) {
  if (!data.is(JsonValues::Kind::List)) throw broken(Code::BadAttribute, attribute, lacks("D"));
  if (data.count() > proto::Message::kMaxValues)
    throw broken(Code::BadAttribute, attribute, msg("a list of more than ", proto::Message::kMaxValues, " numbers"));
}

/// Attributes of one kind: numbers if one of them is no whole one, flags as integers, as in a ProgramDesc.
Attribute list_in(const JsonValue& data) {
  require_list(data, data);
  Ints integers;
  Doubles numbers;
  Strings texts;
  data.each([&](const JsonValue& element) {
    const Attribute one = read_attribute(element);
    if (const auto* flag = std::get_if<bool>(&one)) integers.push_back(*flag);
    if (const auto* integer = std::get_if<int64_t>(&one)) integers.push_back(*integer);
    if (const auto* number = std::get_if<double>(&one)) numbers.push_back(*number);
    if (const auto* pair = std::get_if<Doubles>(&one)) numbers.insert(numbers.end(), pair->begin(), pair->end());
    if (const auto* text = std::get_if<std::string>(&one)) texts.push_back(*text);
  });
  if (!texts.empty()) return texts;
  if (numbers.empty()) return integers;
  if (!integers.empty()) throw broken(Code::BadAttribute, data, "a list of several types");
  return numbers;
}

}  // namespace

Error broken(Code code, const JsonValue& at, const Detail& what) {
  return Error(code, what, {.line = at.line(), .column = at.column()});
}

int64_t type_number(std::string_view name) {
  for (const TypeName& row : kTypeNames)
    if (name == row.of_attribute || (name == row.of_type && name != "index")) return row.number;
  return -1;
}

Value read_value(const JsonValue& value) {
  Value out;
  const JsonValue id = value["%"] ? value["%"] : value["#"];
  if (!id.integer()) throw broken(Code::CorruptFile, value, lacks("%"));
  out.id = *id.integer();
  const JsonValue type = value["TT"];
  out.is_list = kind_of_value(type, "t_") == "vec";
  if (!out.is_list) return out.parts.push_back(read_type(type)), out;
  if (!type["D"].is(JsonValues::Kind::List)) throw broken(Code::CorruptFile, type, lacks("D"));
  type["D"].each([&](const JsonValue& element) { out.parts.push_back(read_type(element)); });
  return out;
}

Attribute read_attribute(const JsonValue& attribute) {
  const std::string_view kind = kind_of_value(attribute, "a_");
  const JsonValue data = attribute["D"];
  if (kind == "bool") {
    if (const auto flag = data.boolean()) return *flag;
    throw broken(Code::BadAttribute, attribute, "it is no flag");
  }
  if (is_one_of(kind, {"i32", "i64", "index"})) return integer_in(data ? data : attribute);
  if (is_one_of(kind, {"f32", "f64", "f16", "bf16"})) return number_in(attribute);
  if (is_one_of(kind, {"str", "layout", "tensorname"})) {
    if (const auto text = data.text()) return std::string(*text);
    throw broken(Code::BadAttribute, attribute, "it is no text");
  }
  if (kind == "array") return list_in(data);
  if (kind == "intarray") {
    Ints out;
    require_list(data, attribute);
    out.reserve(data.count());
    data.each([&](const JsonValue& number) { out.push_back(integer_in(number)); });
    return out;
  }
  if (kind == "dtype") return type_number(data.text().value_or(""));
  if (kind == "scalar") return scalar_in(data, attribute);
  if (kind == "c64" || kind == "c128") return Doubles{data.at(0).number().value_or(0), data.at(1).number().value_or(0)};
  if (is_one_of(kind, {"place", "type", "NULL"})) return {};
  throw broken(Code::BadAttribute, attribute, msg("its kind '", printable(kind), "' is not known"));
}

Attributes read_attributes(const JsonValue& list) {
  Attributes out;
  list.each([&](const JsonValue& entry) {
    const auto name = entry["N"].text();
    if (!name) throw broken(Code::CorruptFile, entry, lacks("N"));
    // What says where an operation was written, or how it is to be run.
    if (name->starts_with("op_") || is_one_of(*name, {"stop_gradient", "persistable", "struct_name", "is_test"}))
      return;
    Attribute value = read_attribute(entry["AT"]);
    if (!std::holds_alternative<std::monostate>(value)) out.set(*name, std::move(value));
  });
  return out;
}

}  // namespace mo::paddle::pir
