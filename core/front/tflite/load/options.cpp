#include "core/front/tflite/load/options.h"

#include <tflite_tables.h>

#include <algorithm>
#include <cstring>

#include "core/base/text.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/load/flex_buffer.h"

namespace mo::tflite {
namespace {

/// An operator of schema.fbs.
struct Builtin {
  int code;
  const char *name, *options;
};
constexpr Builtin kBuiltins[] = {
#define LITE_SAME(code, name, options, internal, attributes) {code, #name, options},
#define LITE_CALL(code, name, options, function, ops) {code, #name, options},
#define LITE_LOADED(code, name, options, how) {code, #name, options},
#define LITE_REFUSED(code, name, reason) {code, #name, ""},
#include "core/front/tflite/extract/operators.def"
};

const Builtin* find_builtin(int code) {
  const auto found =
      std::find_if(std::begin(kBuiltins), std::end(kBuiltins), [&](const Builtin& row) { return row.code == code; });
  return found == std::end(kBuiltins) ? nullptr : found;
}

constexpr uint64_t kLongestOptions = 1 << 16, kLongestStructure = 256;

Attribute of_type(int64_t type) {
  try {
    return element_type_of(type);
  } catch (const Error&) {
    return type;  // of complex numbers and others that only some operators have
  }
}

/// One token of a row: "name:type=default".
void read_option(const FlatTable& options, int field, std::string_view token, int result, Attributes& attributes) {
  const size_t colon = token.find(':'), equals = token.find('=');
  if (colon == token.npos) return;
  const std::string name(token.substr(0, colon));
  const auto otherwise =
      static_cast<int32_t>(equals == token.npos ? 0 : parse_int(token.substr(equals + 1)).value_or(0));
  switch (token[colon + 1]) {
    case 'b': return attributes.set(name, int64_t{options.get<int8_t>(field, static_cast<int8_t>(otherwise))});
    case 'B': return attributes.set(name, options.get<uint8_t>(field, static_cast<uint8_t>(otherwise)) != 0);
    case 'i': return attributes.set(name, int64_t{options.get<int32_t>(field, otherwise)});
    case 'l': return attributes.set(name, options.get<int64_t>(field));
    case 'f': return attributes.set(name, double{options.get<float>(field)});
    case 'I': return attributes.set(name, options.ints(field, 4));
    case 'L': return attributes.set(name, options.ints(field, 8));
    case 'F': return attributes.set(name, options.floats(field));
    case 's': return attributes.set(name, options.text(field));
    default:  // t
      if (options.has(field)) return attributes.set(name, of_type(options.get<int8_t>(field)));
      return attributes.set(name, of_type(equals == token.npos ? result : otherwise));
  }
}

Attributes custom_options(const FlatTable& table) {
  const FlatVector bytes = table.vector(fb::Operator::custom_options, 1);
  if (bytes.count == 0 || bytes.count > kLongestOptions) return {};
  std::string text(static_cast<size_t>(bytes.count), '\0');
  std::memcpy(text.data(), table.file().window().view(bytes.offset, text.size()).data(), text.size());
  if (auto map = read_flex_map(text)) return *map;
  if (text.size() % 4 != 0 || text.size() > kLongestStructure) return {};
  Ints numbers;
  for (size_t i = 0; i < text.size(); i += 4) {
    int32_t number;
    std::memcpy(&number, text.data() + i, 4);
    numbers.push_back(number);
  }
  return Attributes{{"custom_options", numbers}};
}

}  // namespace

int operator_code(std::string_view name) {
  for (const Builtin& row : kBuiltins)
    if (name == row.name) return row.code;
  return kCustom;
}

std::string operator_name(int code) {
  const Builtin* row = find_builtin(code);
  return row ? row->name : cat("BUILTIN_", code);
}

Attributes read_options(const OperatorRecord& from, int result) {
  if (from.code == kCustom) return custom_options(from.table);
  Attributes attributes;
  const Builtin* row = find_builtin(from.code);
  if (!row) return attributes;
  FlatTable options = from.table.table(fb::Operator::builtin_options);
  if (!options) options = from.table.table(fb::Operator::builtin_options_2);
  int field = 0;
  for (const std::string& token : split(row->options, ' '))
    if (!token.empty()) read_option(options, field++, token, result, attributes);
  return attributes;
}

}  // namespace mo::tflite
