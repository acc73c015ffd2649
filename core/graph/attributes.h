// Attributes of a node: documented snake_case keys, values of few kinds, kept in the order they were set.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/content.h"

namespace mo {

class Graph;

using Ints = std::vector<int64_t>;
using Doubles = std::vector<double>;
using Strings = std::vector<std::string>;
using Attribute = std::variant<std::monostate, bool, int64_t, double, std::string, Ints, Doubles, Strings, ElementType,
                               PartialShape, Constant, std::shared_ptr<Graph>>;

class Attributes {
 public:
  using Entry = std::pair<std::string, Attribute>;

  Attributes() = default;
  Attributes(std::initializer_list<Entry> entries) : entries_(entries) {}

  const Attribute* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// The value of that kind, or null when the key is absent or of another kind.
  template <typename T>
  const T* get_if(std::string_view key) const {
    const Attribute* a = find(key);
    return a ? std::get_if<T>(a) : nullptr;
  }
  void set(std::string_view key, Attribute value);
  void erase(std::string_view key);
  /// Sets all of `others`, winning over what is there.
  void update(const Attributes& others);
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace mo
