// Values of a JSON text in memory. They are one list, in the order of the text, which a reader may cut back when it has
// taken over the last ones. A value takes 13 bytes besides its texts: the shortest ones of a text have two.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "core/base/json/json_reader.h"

namespace mo {

class JsonValues {
 public:
  enum class Kind : uint8_t { Null, Bool, Int, Float, Text, List, Object };

  size_t size() const { return items_.size(); }
  /// Adds an item behind the others; a list or an object is open until close().
  uint32_t add(const JsonScalar& value, std::string_view key, const JsonPlace& place);
  uint32_t open(bool is_object, std::string_view key, const JsonPlace& place);
  void close(uint32_t item) { items_[item].value = static_cast<uint32_t>(items_.size()); }
  /// Forgets this item and those behind it.
  void cut(uint32_t item);

  Kind kind(uint32_t item) const { return kind_of(items_[item]); }
  /// The item behind this one and what is in it.
  uint32_t next(uint32_t item) const { return kind(item) < Kind::List ? item + 1 : items_[item].value; }
  std::string_view key(uint32_t item) const { return text_at(items_[item].key); }
  std::string_view text(uint32_t item) const { return text_at(items_[item].value); }
  int64_t integer(uint32_t item) const;  ///< of a Bool or an Int
  double number(uint32_t item) const;    ///< of a Float
  int line(uint32_t item) const;
  int column(uint32_t item) const { return static_cast<int>(items_[item].column); }

 private:
  /// Of an Int that does not fit an item.
  static constexpr uint32_t kLongInt = 7, kLastColumn = (1 << 29) - 1;
  struct Item {
    uint32_t key = 0;    ///< where its text is
    uint32_t value = 0;  ///< where its text or its number is, the number itself, or the next item
    uint32_t kind : 3, column : 29;
  };
  /// Items from `item` on are in that line.
  struct Line {
    uint32_t item;
    int line;
  };

  static Kind kind_of(const Item& item) { return item.kind == kLongInt ? Kind::Int : static_cast<Kind>(item.kind); }
  Item& add_item(Kind kind, std::string_view key, const JsonPlace& place);
  uint32_t add_text(std::string_view text);
  uint32_t add_number(uint64_t bits);
  std::string_view text_at(uint32_t at) const;

  std::deque<Item> items_;  // which grows without a copy
  std::deque<uint64_t> numbers_;
  std::vector<Line> lines_;
  std::string texts_;  ///< each behind its length
};

/// One of them, or none. Asking none for something gives none.
class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const JsonValues& values, uint32_t item) : values_(&values), item_(item) {}

  explicit operator bool() const { return values_ != nullptr; }
  bool is(JsonValues::Kind kind) const { return values_ && values_->kind(item_) == kind; }
  /// A member of an object: the first of that name.
  JsonValue operator[](std::string_view key) const;
  /// An element of a list.
  JsonValue at(size_t index) const;
  /// Calls `take` for each element of a list or member of an object.
  template <typename Take>
  void each(const Take& take) const {
    if (!values_ || values_->kind(item_) < JsonValues::Kind::List) return;
    const uint32_t end = values_->next(item_);
    for (uint32_t item = item_ + 1; item < end; item = values_->next(item)) take(JsonValue(*values_, item));
  }
  size_t count() const;

  std::optional<std::string_view> text() const;
  /// A whole number, in any form.
  std::optional<int64_t> integer() const;
  std::optional<double> number() const;
  std::optional<bool> boolean() const;
  /// Of a member of an object; empty for others.
  std::string_view key() const { return values_ ? values_->key(item_) : std::string_view(); }
  uint32_t item() const { return item_; }
  int line() const { return values_ ? values_->line(item_) : 0; }
  int column() const { return values_ ? values_->column(item_) : 0; }

 private:
  const JsonValues* values_ = nullptr;
  uint32_t item_ = 0;
};

/// Keeps the values of a text that it is given. Throws TooDeep for more than `most`.
class JsonCollector : public JsonEvents {
 public:
  JsonCollector(Window& window, size_t most) : window_(window), most_(most) {}
  bool scalar(const JsonScalar& value, const JsonPlace& place) override;
  bool key(std::string_view name, const JsonPlace& place) override;
  bool begin(bool is_object, const JsonPlace& place) override;
  bool end(const JsonPlace& place) override;

  JsonValues values;

 protected:
  std::string key_;             ///< of the value that comes
  std::vector<uint32_t> open_;  ///< the lists and objects around it

 private:
  void count(const JsonPlace& place) const;
  Window& window_;
  size_t most_;
};

/// All values of the bytes [begin, end) of a file. Throws what read_json() throws, and TooDeep for more than `most`.
JsonValues read_json_values(Window& window, uint64_t begin, uint64_t end, const JsonLimits& limits, size_t most);

}  // namespace mo
