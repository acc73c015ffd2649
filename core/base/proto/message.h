// A protobuf message, read by the names of its fields. It may come from a binary file or from a text.
#pragma once

#include <bit>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/proto/schema.h"
#include "core/base/proto/wire.h"

namespace mo::proto {

/// One value: signed integers and enums are Int, texts and bytes Text. Without a schema the literal of a text gives the
/// kind, and enums are Text. None: there is no value.
struct Scalar {
  enum Kind : uint8_t { None, Int, Uint, Float, Bool, Text };
  Kind kind = None;
  uint64_t bits = 0;
  std::string text;

  Scalar() = default;
  Scalar(int64_t value) : kind(Int), bits(static_cast<uint64_t>(value)) {}     // NOLINT: values are made implicitly
  Scalar(uint64_t value) : kind(Uint), bits(value) {}                          // NOLINT
  Scalar(double value) : kind(Float), bits(std::bit_cast<uint64_t>(value)) {}  // NOLINT
  Scalar(bool value) : kind(Bool), bits(value) {}                              // NOLINT
  Scalar(std::string value) : kind(Text), text(std::move(value)) {}            // NOLINT
  bool operator==(const Scalar&) const = default;

  // The value as one kind; nullopt when it has another kind.
  std::optional<int64_t> as_int() const;
  std::optional<double> as_float() const;
  std::optional<bool> as_bool() const;
  std::optional<std::string> as_string() const;
};
using Scalars = std::vector<Scalar>;
using TakeScalar = std::function<void(Scalar)>;

/// One occurrence of a field, or a run of occurrences of a repeated field of numbers.
struct Entry {
  const FieldRow* row = nullptr;  ///< null: the schema does not have the field
  WireField field;                ///< the place in a binary message; for texts see text_message.cpp

  bool may_be_run() const { return row && row->is_repeated() && row->is_number(); }
};
using Entries = std::vector<Entry>;

/// What a message is read from. All functions throw when the file is malformed.
class Source {
 public:
  virtual ~Source() = default;
  /// A name for a field that the schema does not have.
  virtual std::string unknown_name(const Entry& entry) const = 0;
  virtual bool is_message(const Entry& entry) const = 0;
  /// Gives the values of one entry, in order: several when it is packed or a run.
  virtual void scalars(const Entry& entry, const TakeScalar& take) const = 0;
  /// The fields of one occurrence, which is a message of `type`.
  virtual std::shared_ptr<const Entries> children(const Entry& entry, int type) const = 0;
  /// The error for that occurrence, with its place.
  virtual Error error(Code code, const Entry& entry, const Detail& what) const = 0;
};

/// A message, cheap to copy. If `name` is not a field of the schema, it refers to the unknown fields that are kept. All
/// functions throw BadFieldValue, with its place, for a value of another kind than asked for, and the errors of a
/// malformed file.
class Message {
 public:
  /// Nesting of messages.
  static constexpr int kMaxDepth = 100;
  /// Values of one field. Beyond that only places are kept.
  static constexpr size_t kMaxValues = 4 << 20;

  Message(std::shared_ptr<const Source> source, const Schema* schema, int type, std::shared_ptr<const Entries> entries)
      : source_(std::move(source)), schema_(schema), type_(type), entries_(std::move(entries)) {}

  /// Null without a schema.
  const Schema* schema() const { return schema_; }
  int type_index() const { return type_; }
  /// As Schema::message_name(); empty without a schema.
  std::string_view type() const { return schema_ ? schema_->message_name(type_) : std::string_view(); }
  /// The names of the fields that are present, each once, in order. An unknown field has the name in the text; in a
  /// binary message its number is its name.
  std::vector<std::string> names() const;
  /// Present fields that the schema does not have.
  std::vector<std::string> unknown_names() const;
  /// Required fields that are absent.
  std::vector<std::string> missing() const;
  bool has(std::string_view name) const;
  /// Every occurrence, in order. In a binary message `field` is the place of the payload.
  Entries occurrences(std::string_view name) const;

  /// A singular field. The last occurrence counts. Without one: the schema's default, else the type's zero.
  Scalar get(std::string_view name) const;
  // As get(), of one kind. `otherwise` is used when the field is absent and not in the schema.
  int64_t get_int(std::string_view name, int64_t otherwise = 0) const;
  double get_float(std::string_view name, double otherwise = 0) const;
  bool get_bool(std::string_view name, bool otherwise = false) const;
  std::string get_string(std::string_view name, std::string_view otherwise = {}) const;
  /// The value's name, or its number if it has no name.
  std::string get_enum(std::string_view name, std::string_view otherwise = {}) const;
  /// Several occurrences are merged, as protobuf does. Without one the message has no fields, only defaults.
  Message get_message(std::string_view name) const;

  /// Gives all values of a repeated field, in order. Throws TooDeep beyond kMaxValues.
  void each(std::string_view name, const TakeScalar& take) const;
  /// The same as a list, which takes six times the memory of the numbers.
  Scalars all(std::string_view name) const;
  std::vector<int64_t> ints(std::string_view name) const;
  std::vector<double> floats(std::string_view name) const;
  std::vector<std::string> strings(std::string_view name) const;
  std::vector<Message> messages(std::string_view name) const;
  /// The message of one of the occurrences(): for long lists, of which messages() would hold all.
  Message message(const Entry& entry) const;

  /// The value, with the number of an enum replaced by its name.
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
  [[noreturn]] void fail(std::string_view name, const Detail& wanted) const;

  std::shared_ptr<const Source> source_;
  const Schema* schema_;
  int type_;
  std::shared_ptr<const Entries> entries_;
  int depth_ = 0;
};

}  // namespace mo::proto
