// A protobuf message as its reader asks for it: by the names of fields, whether it stands in a file's bytes or in a
// text.
#pragma once

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/proto/schema.h"
#include "core/base/proto/wire.h"

namespace mo::proto {

/// One value: signed integers and enums are Int, texts and bytes Text. Without a schema a text's literal tells the
/// kind: an enum is a Text there. None: there is no value.
struct Scalar {
  enum Kind : uint8_t { None, Int, Uint, Float, Bool, Text };
  Kind kind = None;
  uint64_t bits = 0;
  std::string text;

  Scalar() = default;
  Scalar(int64_t value) : kind(Int), bits(static_cast<uint64_t>(value)) {}     // NOLINT: values are made at once
  Scalar(uint64_t value) : kind(Uint), bits(value) {}                          // NOLINT
  Scalar(double value) : kind(Float), bits(std::bit_cast<uint64_t>(value)) {}  // NOLINT
  Scalar(bool value) : kind(Bool), bits(value) {}                              // NOLINT
  Scalar(std::string value) : kind(Text), text(std::move(value)) {}            // NOLINT
  bool operator==(const Scalar&) const = default;

  // The value as one kind; none when it is not of that kind.
  std::optional<int64_t> as_int() const;
  std::optional<double> as_float() const;
  std::optional<bool> as_bool() const;
  std::optional<std::string> as_string() const;
};
using Scalars = std::vector<Scalar>;

/// One occurrence of a field.
struct Entry {
  const FieldRow* row = nullptr;  ///< null: not of the schema
  WireField field;                ///< of a binary message the place; of a text see text_message.cpp
};
using Entries = std::vector<Entry>;

/// What a message is read from. Everything throws what is wrong with the file.
class Source {
 public:
  virtual ~Source() = default;
  /// A name for a field that is not of the schema.
  virtual std::string unknown_name(const Entry& entry) const = 0;
  virtual bool is_message(const Entry& entry) const = 0;
  /// Appends the values of one occurrence: several when it is packed.
  virtual void scalars(const Entry& entry, Scalars& out) const = 0;
  /// The fields of the message of `type` that one occurrence is.
  virtual std::shared_ptr<const Entries> children(const Entry& entry, int type) const = 0;
  /// What to throw for that occurrence: with its place.
  virtual Error error(Code code, const Entry& entry, std::string what) const = 0;
};

/// A message, cheap to copy. Where `name` is not a field of the schema, what is kept of unknown fields is meant.
/// Everything throws BadFieldValue, at its place, for a value that is not of the kind asked for; and what is wrong with
/// the file.
class Message {
 public:
  /// Messages in each other.
  static constexpr int kMaxDepth = 100;
  /// Values of one field that are held in memory; more are only places.
  static constexpr size_t kMaxValues = 4 << 20;

  Message(std::shared_ptr<const Source> source, const Schema* schema, int type, std::shared_ptr<const Entries> entries)
      : source_(std::move(source)), schema_(schema), type_(type), entries_(std::move(entries)) {}

  /// As Schema::message_name(); empty without a schema.
  std::string_view type() const { return schema_ ? schema_->message_name(type_) : std::string_view(); }
  /// The names of the fields that are there, each once, in order. An unknown field is named by the text, or in a binary
  /// message by its number.
  std::vector<std::string> names() const;
  /// Those that the schema does not have.
  std::vector<std::string> unknown_names() const;
  /// Required fields that are not there.
  std::vector<std::string> missing() const;
  bool has(std::string_view name) const;
  /// Every occurrence, in order. In a binary message `field` is the place of what stands there.
  Entries occurrences(std::string_view name) const;

  /// A singular field. The last occurrence counts; without one it is the schema's default, else its type's zero.
  Scalar get(std::string_view name) const;
  // The same as one kind; `otherwise` where the schema says nothing of the field and it is not there.
  int64_t get_int(std::string_view name, int64_t otherwise = 0) const;
  double get_float(std::string_view name, double otherwise = 0) const;
  bool get_bool(std::string_view name, bool otherwise = false) const;
  std::string get_string(std::string_view name, std::string_view otherwise = {}) const;
  /// The value's name; its number where it has none.
  std::string get_enum(std::string_view name, std::string_view otherwise = {}) const;
  /// Several occurrences are one message, as protobuf merges them; without one it has no fields, only defaults.
  Message get_message(std::string_view name) const;

  /// All values of a repeated field. Throws TooDeep beyond kMaxValues.
  Scalars all(std::string_view name) const;
  std::vector<int64_t> ints(std::string_view name) const;
  std::vector<double> floats(std::string_view name) const;
  std::vector<std::string> strings(std::string_view name) const;
  std::vector<Message> messages(std::string_view name) const;

  /// The value with an enum's number by its name.
  Scalar named(const FieldRow* row, Scalar value) const;
  /// Null when the schema has no such field.
  const FieldRow* row(std::string_view name) const { return schema_ ? schema_->field(type_, name) : nullptr; }
  const Source& source() const { return *source_; }

 private:
  bool is(const Entry& entry, const FieldRow* row, std::string_view name) const;
  Message child(const FieldRow* row, std::shared_ptr<const Entries> entries) const;
  template <typename T>
  T convert(std::string_view name, T otherwise, std::optional<T> (Scalar::*as)() const) const;
  template <typename T>
  std::vector<T> convert_all(std::string_view name, std::optional<T> (Scalar::*as)() const) const;
  [[noreturn]] void fail(std::string_view name, const char* wanted) const;

  std::shared_ptr<const Source> source_;
  const Schema* schema_;
  int type_;
  std::shared_ptr<const Entries> entries_;
  int depth_ = 0;
};

}  // namespace mo::proto
