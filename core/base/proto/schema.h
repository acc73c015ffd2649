// The messages of a protobuf format as a table. scripts/generate-proto-schema.py makes it from the format's .proto at
// build time. It is constant data; a table that is not used is not linked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mo::proto {

/// The numbers of descriptor.proto.
enum class FieldType : uint8_t {
  Double = 1,
  Float = 2,
  Int64 = 3,
  UInt64 = 4,
  Int32 = 5,
  Fixed64 = 6,
  Fixed32 = 7,
  Bool = 8,
  String = 9,
  Group = 10,
  Message = 11,
  Bytes = 12,
  UInt32 = 13,
  Enum = 14,
  SFixed32 = 15,
  SFixed64 = 16,
  SInt32 = 17,
  SInt64 = 18
};

// Names and defaults are offsets into Schema::names.
struct FieldRow {
  enum Flags : uint8_t { Repeated = 1, Required = 2, Packed = 4 };
  uint32_t number;
  uint16_t name;
  uint16_t type_index;  ///< of the message or enum
  uint16_t otherwise;   ///< the default as text, "" for none
  FieldType type;
  uint8_t flags;

  bool is_repeated() const { return flags & Repeated; }
  bool is_required() const { return flags & Required; }
  bool is_message() const { return type == FieldType::Message || type == FieldType::Group; }
  bool is_number() const { return !is_message() && type != FieldType::String && type != FieldType::Bytes; }
};
/// The fields of a message are adjacent and ordered by number.
struct MessageRow {
  uint16_t name, first_field, fields;
};
struct EnumRow {
  uint16_t name, first_value, values;
};
struct EnumValueRow {
  int32_t number;
  uint16_t name;
};

/// Messages and enums are identified by their index.
struct Schema {
  /// A message without a schema.
  static constexpr int kNone = -1;

  const char* names;
  std::span<const MessageRow> messages;
  std::span<const FieldRow> fields;
  std::span<const EnumRow> enums;
  std::span<const EnumValueRow> values;
  bool open_enums;  ///< proto3: an enum may have values without a name

  std::string_view text(uint16_t place) const { return names + place; }
  std::string_view name(const FieldRow& field) const { return text(field.name); }
  /// The name in the text format: for a group, the name of its message without the enclosing messages.
  std::string_view text_name(const FieldRow& field) const;
  /// "NetParameter", "Outer.Inner": without the package. kNone when there is none.
  int message(std::string_view name) const;
  std::string_view message_name(int message) const;
  /// Empty for kNone.
  std::span<const FieldRow> fields_of(int message) const;
  /// Null when the message has none, or is kNone.
  const FieldRow* field(int message, uint32_t number) const;
  const FieldRow* field(int message, std::string_view name) const;
  std::optional<int32_t> enum_number(const FieldRow& field, std::string_view name) const;
  /// Empty for a number without a name.
  std::string_view enum_name(const FieldRow& field, int64_t number) const;

 private:
  std::span<const EnumValueRow> values_of(const FieldRow& field) const;
};

}  // namespace mo::proto
