// Values of a JSON text in memory. They are one list, in the order of the text, which a reader may cut back when it has
// taken over the last ones.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/json/json_reader.h"

namespace mo {

class JsonValues {
 public:
  enum class Kind : uint8_t { Null, Bool, Int, Float, Text, List, Object };
  struct Item {
    Kind kind = Kind::Null;
    uint32_t next = 0;  ///< the item behind this one and what is in it
    uint32_t key = 0, key_size = 0, text = 0, text_size = 0;
    int64_t integer = 0;
    double number = 0;
    int line = 0, column = 0;
  };

  size_t size() const { return items_.size(); }
  /// Adds an item behind the others; a list or an object is open until close().
  uint32_t add(const JsonScalar& value, std::string_view key, const JsonPlace& place);
  uint32_t open(bool is_object, std::string_view key, const JsonPlace& place);
  void close(uint32_t item) { items_[item].next = static_cast<uint32_t>(items_.size()); }
  /// Forgets this item and those behind it.
  void cut(uint32_t item);

  const Item& operator[](uint32_t item) const { return items_[item]; }
  std::string_view key(const Item& item) const { return std::string_view(texts_).substr(item.key, item.key_size); }
  std::string_view text(const Item& item) const { return std::string_view(texts_).substr(item.text, item.text_size); }

 private:
  Item& add_item(Kind kind, std::string_view key, const JsonPlace& place);
  std::vector<Item> items_;
  std::string texts_;
};

/// One of them, or none. Asking none for something gives none.
class JsonValue {
 public:
  JsonValue() = default;
  JsonValue(const JsonValues& values, uint32_t item) : values_(&values), item_(item) {}

  explicit operator bool() const { return values_ != nullptr; }
  bool is(JsonValues::Kind kind) const { return values_ && it().kind == kind; }
  /// A member of an object: the first of that name.
  JsonValue operator[](std::string_view key) const;
  /// An element of a list.
  JsonValue at(size_t index) const;
  /// Calls `take` for each element of a list or member of an object.
  template <typename Take>
  void each(const Take& take) const {
    if (!values_ || it().kind < JsonValues::Kind::List) return;
    for (uint32_t item = item_ + 1; item < it().next; item = (*values_)[item].next) take(JsonValue(*values_, item));
  }
  size_t count() const;

  std::optional<std::string_view> text() const;
  /// A whole number, in any form.
  std::optional<int64_t> integer() const;
  std::optional<double> number() const;
  std::optional<bool> boolean() const;
  /// Of a member of an object; empty for others.
  std::string_view key() const { return values_ ? values_->key(it()) : std::string_view(); }
  uint32_t item() const { return item_; }
  int line() const { return values_ ? it().line : 0; }
  int column() const { return values_ ? it().column : 0; }

 private:
  const JsonValues::Item& it() const { return (*values_)[item_]; }
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
