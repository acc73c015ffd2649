#include "core/base/proto/message.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"

namespace mo::proto {
namespace {

/// The default in the schema, where it is a text; otherwise the type's zero, or an enum's first value.
Scalar default_of(const Schema& schema, const FieldRow& row) {
  const std::string_view text = schema.text(row.otherwise);
  switch (row.type) {
    case FieldType::Double:
    case FieldType::Float: {
      const double value = parse_double(text).value_or(0);
      return row.type == FieldType::Float ? static_cast<double>(static_cast<float>(value)) : value;
    }
    case FieldType::UInt64:
    case FieldType::Fixed64:
    case FieldType::UInt32:
    case FieldType::Fixed32: {
      uint64_t value = 0;
      for (const char digit : text) value = value * 10 + static_cast<uint64_t>(digit - '0');
      return value;
    }
    case FieldType::Bool: return text == "true";
    case FieldType::String:
    case FieldType::Bytes: return std::string(text);
    case FieldType::Enum:
      if (text.empty()) return int64_t{schema.values[schema.enums[row.type_index].first_value].number};
      return int64_t{schema.enum_number(row, text).value_or(0)};
    case FieldType::Group:
    case FieldType::Message: return {};
    default: return parse_int(text).value_or(0);
  }
}

}  // namespace

std::optional<int64_t> Scalar::as_int() const {
  const bool fits = kind == Int || kind == Bool || (kind == Uint && bits <= INT64_MAX);
  return fits ? std::optional(static_cast<int64_t>(bits)) : std::nullopt;
}

std::optional<double> Scalar::as_float() const {
  if (kind == Float) return std::bit_cast<double>(bits);
  if (kind == Int) return static_cast<double>(static_cast<int64_t>(bits));
  return kind == Uint ? std::optional(static_cast<double>(bits)) : std::nullopt;
}

std::optional<bool> Scalar::as_bool() const {
  const bool fits = (kind == Int || kind == Uint || kind == Bool) && bits < 2;
  return fits ? std::optional(bits == 1) : std::nullopt;
}

std::optional<std::string> Scalar::as_string() const { return kind == Text ? std::optional(text) : std::nullopt; }

bool Message::is(const Entry& entry, const FieldRow* row, std::string_view name) const {
  return row ? entry.row == row : !entry.row && source_->unknown_name(entry) == name;
}

std::vector<std::string> Message::names() const {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const Entry& entry : *entries_) {
    std::string name = entry.row ? std::string(schema_->name(*entry.row)) : source_->unknown_name(entry);
    if (seen.insert(name).second) out.push_back(std::move(name));
  }
  return out;
}

std::vector<std::string> Message::unknown_names() const {
  std::vector<std::string> out = names();
  std::erase_if(out, [this](const std::string& name) { return row(name) != nullptr; });
  return out;
}

std::vector<std::string> Message::missing() const {
  std::vector<std::string> out;
  if (!schema_) return out;
  for (const FieldRow& row : schema_->fields_of(type_))
    if (row.is_required() && !has(schema_->name(row))) out.emplace_back(schema_->name(row));
  return out;
}

Entries Message::occurrences(std::string_view name) const {
  const FieldRow* field = row(name);
  Entries out;
  for (const Entry& entry : *entries_)
    if (is(entry, field, name)) out.push_back(entry);
  return out;
}

bool Message::has(std::string_view name) const {
  const FieldRow* field = row(name);
  return std::any_of(entries_->begin(), entries_->end(), [&](const Entry& entry) { return is(entry, field, name); });
}

void Message::each(std::string_view name, const TakeScalar& take) const {
  const FieldRow* field = row(name);
  size_t count = 0;
  for (const Entry& entry : *entries_) {
    if (!is(entry, field, name)) continue;
    if (source_->is_message(entry)) throw source_->error(Code::BadFieldValue, entry, msg(name, " is a message"));
    source_->scalars(entry, [&](Scalar value) {
      if (++count > kMaxValues)
        throw source_->error(Code::TooDeep, entry, msg(name, " has more than ", kMaxValues, " values"));
      take(std::move(value));
    });
  }
}

Scalars Message::all(std::string_view name) const {
  Scalars out;
  each(name, [&](Scalar value) { out.push_back(std::move(value)); });
  return out;
}

Scalar Message::get(std::string_view name) const {
  std::optional<Scalar> last;
  each(name, [&](Scalar value) { last = std::move(value); });
  if (last) return *std::move(last);
  const FieldRow* field = row(name);
  return field ? default_of(*schema_, *field) : Scalar();
}

void Message::fail(std::string_view name, const Detail& wanted) const {
  const Entries found = occurrences(name);
  const Detail what = msg(name, " is not ", wanted);
  if (found.empty()) throw Error(Code::BadFieldValue, what);
  throw source_->error(Code::BadFieldValue, found.back(), what);
}

template <typename T>
T Message::convert(std::string_view name, T otherwise, std::optional<T> (Scalar::*as)() const) const {
  const Scalar value = get(name);
  if (value.kind == Scalar::None && !has(name)) return otherwise;
  auto converted = (value.*as)();
  if (!converted) fail(name, "of the kind asked for");
  return *std::move(converted);
}

template <typename T>
std::vector<T> Message::convert_all(std::string_view name, std::optional<T> (Scalar::*as)() const) const {
  std::vector<T> out;
  each(name, [&](const Scalar& value) {
    auto converted = (value.*as)();
    if (!converted) fail(name, "a list of the kind asked for");
    out.push_back(*std::move(converted));
  });
  return out;
}

int64_t Message::get_int(std::string_view name, int64_t otherwise) const {
  return convert(name, otherwise, &Scalar::as_int);
}
double Message::get_float(std::string_view name, double otherwise) const {
  return convert(name, otherwise, &Scalar::as_float);
}
bool Message::get_bool(std::string_view name, bool otherwise) const {
  return convert(name, otherwise, &Scalar::as_bool);
}
std::string Message::get_string(std::string_view name, std::string_view otherwise) const {
  return convert(name, std::string(otherwise), &Scalar::as_string);
}
std::vector<int64_t> Message::ints(std::string_view name) const { return convert_all(name, &Scalar::as_int); }
std::vector<double> Message::floats(std::string_view name) const { return convert_all(name, &Scalar::as_float); }
std::vector<std::string> Message::strings(std::string_view name) const { return convert_all(name, &Scalar::as_string); }

Scalar Message::named(const FieldRow* row, Scalar value) const {
  if (!row || row->type != FieldType::Enum || value.kind != Scalar::Int) return value;
  const auto number = static_cast<int64_t>(value.bits);
  const std::string_view known = schema_->enum_name(*row, number);
  return known.empty() ? std::to_string(number) : std::string(known);
}

std::string Message::get_enum(std::string_view name, std::string_view otherwise) const {
  Scalar value = named(row(name), get(name));
  if (value.kind == Scalar::None && !has(name)) return std::string(otherwise);
  if (value.kind != Scalar::Text) fail(name, "an enum");
  return std::move(value.text);
}

Message Message::child(const FieldRow* row, std::shared_ptr<const Entries> entries) const {
  const bool known = row && row->is_message();
  Message out(source_, known ? schema_ : nullptr, known ? row->type_index : Schema::kNone, std::move(entries));
  out.depth_ = depth_ + 1;
  if (out.depth_ > kMaxDepth) throw Error(Code::TooDeep, msg("more than ", kMaxDepth, " messages in each other"));
  return out;
}

Message Message::get_message(std::string_view name) const {
  auto merged = std::make_shared<Entries>();
  for (const Message& part : messages(name))
    merged->insert(merged->end(), part.entries_->begin(), part.entries_->end());
  return child(row(name), std::move(merged));
}

std::vector<Message> Message::messages(std::string_view name) const {
  std::vector<Message> out;
  for (const Entry& entry : occurrences(name)) {
    if (!source_->is_message(entry)) fail(name, "a message");
    out.push_back(message(entry));
  }
  return out;
}

Message Message::message(const Entry& entry) const {
  return child(entry.row, source_->children(entry, entry.row ? entry.row->type_index : Schema::kNone));
}

}  // namespace mo::proto
