#include "core/base/proto/schema.h"

#include <algorithm>

namespace mo::proto {

std::string_view Schema::text_name(const FieldRow& field) const {
  if (field.type != FieldType::Group) return name(field);
  const std::string_view full = message_name(field.type_index);
  return full.substr(full.rfind('.') + 1);
}

int Schema::message(std::string_view name) const {
  for (size_t i = 0; i < messages.size(); ++i)
    if (text(messages[i].name) == name) return static_cast<int>(i);
  return kNone;
}

std::string_view Schema::message_name(int message) const {
  return message == kNone ? std::string_view() : text(messages[static_cast<size_t>(message)].name);
}

std::span<const FieldRow> Schema::fields_of(int message) const {
  if (message == kNone) return {};
  const MessageRow& row = messages[static_cast<size_t>(message)];
  return fields.subspan(row.first_field, row.fields);
}

const FieldRow* Schema::field(int message, uint32_t number) const {
  const auto rows = fields_of(message);
  const auto found = std::lower_bound(rows.begin(), rows.end(), number,
                                      [](const FieldRow& row, uint32_t wanted) { return row.number < wanted; });
  return found != rows.end() && found->number == number ? &*found : nullptr;
}

const FieldRow* Schema::field(int message, std::string_view name) const {
  for (const FieldRow& row : fields_of(message))
    if (this->name(row) == name) return &row;
  return nullptr;
}

std::span<const EnumValueRow> Schema::values_of(const FieldRow& field) const {
  const EnumRow& row = enums[field.type_index];
  return values.subspan(row.first_value, row.values);
}

std::optional<int32_t> Schema::enum_number(const FieldRow& field, std::string_view name) const {
  for (const EnumValueRow& row : values_of(field))
    if (text(row.name) == name) return row.number;
  return std::nullopt;
}

std::string_view Schema::enum_name(const FieldRow& field, int64_t number) const {
  for (const EnumValueRow& row : values_of(field))
    if (row.number == number) return text(row.name);
  return {};
}

}  // namespace mo::proto
