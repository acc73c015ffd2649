// Attributes of a node: documented snake_case keys with values of few kinds, in the order they were set.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
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

/// A key with a value of one of the kinds of Attribute, as written in calls: {"axis", 1}. It refers to its value and
/// does not own it.
struct NewAttribute {
  using Value =
      std::variant<bool, int64_t, double, std::string_view, ElementType, const Attribute*, const Ints*, const Doubles*,
                   const Strings*, const PartialShape*, const Constant*, const std::shared_ptr<Graph>*>;
  const char* key;
  Value value;

  template <typename T>
  NewAttribute(const char* k, const T& v) : key(k), value(view(v)) {}

 private:
  template <typename T>
  static Value view(const T& v) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, ElementType>)
      return v;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<int64_t>(v);
    else if constexpr (std::is_floating_point_v<T>)
      return static_cast<double>(v);
    else if constexpr (std::is_convertible_v<const T&, std::string_view>)
      return std::string_view(v);
    else
      return &v;
  }
};

using NewAttributes = const std::initializer_list<NewAttribute>&;

class Attributes {
 public:
  using Entry = std::pair<std::string, Attribute>;

  Attributes() = default;
  Attributes(NewAttributes entries);
  // Not inline: hundreds of rewrites pass attributes around.
  Attributes(const Attributes&);
  Attributes(Attributes&&) noexcept;
  Attributes& operator=(const Attributes&);
  Attributes& operator=(Attributes&&) noexcept;
  ~Attributes();

  const Attribute* find(std::string_view key) const;
  bool has(std::string_view key) const { return find(key) != nullptr; }
  /// The value if it is of that kind; null when the key is absent or has another kind.
  template <typename T>
  const T* get_if(std::string_view key) const {
    const Attribute* a = find(key);
    return a ? std::get_if<T>(a) : nullptr;
  }
  void set(std::string_view key, Attribute value);
  void erase(std::string_view key);
  /// Sets all of `others`, which replace existing values.
  void update(const Attributes& others);
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

 private:
  std::vector<Entry> entries_;
};

}  // namespace mo
