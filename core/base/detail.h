// The texts of messages are templates and arguments, so that other languages have their own template for each, and
// nobody has to read English back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace mo {

template <typename T>
inline constexpr bool kIsPointer = std::is_same_v<T, const char*> || std::is_same_v<T, char*>;

/// A text with arguments: names, numbers, shapes and quoted texts, which are the same in every language, or details
/// themselves. A string literal is the template's text; everything else is an argument of it, "{}" in the template.
class Detail {
 public:
  Detail() = default;
  /// A template without arguments.
  template <size_t N>
  Detail(const char (&text)[N]) : bytes_(text, N - 1) {}  // NOLINT: messages are made from these
  /// One argument, and no words. An empty text is an empty detail.
  Detail(const std::string& text) : Detail(std::string_view(text)) {}  // NOLINT
  Detail(std::string_view text);                                       // NOLINT
  /// A template without arguments that stands in a table.
  static Detail words(std::string_view text);
  /// One of two literals would be a text without a translation: one of two details is meant.
  template <typename T, std::enable_if_t<kIsPointer<T>, int> = 0>
  Detail(const T&) = delete;

  bool empty() const { return bytes_.empty(); }
  /// In English.
  std::string text() const;
  /// "axis {} of rank {}".
  std::string template_text() const;
  struct Argument;
  std::vector<Argument> arguments() const;
  /// The detail of which template_text() and arguments() are these.
  static Detail of(std::string_view text, const std::vector<Argument>& arguments);
  /// This, and what is said besides: "{}, in the body of {}".
  Detail with(const Detail& rest) const;
  bool operator==(const Detail&) const = default;

 private:
  friend class Piece;
  friend Detail msg_pieces(const std::initializer_list<class Piece>& pieces);
  /// The template's text. In place of an argument: a byte for its kind, its size, ":" and its bytes.
  std::string bytes_;
};

struct Detail::Argument {
  std::string text;              ///< the same in every language; empty if there is a
  std::optional<Detail> detail;  ///< detail
};

/// A piece of a message: a text or a number, formatted only when the message is. The type is trivial because hundreds
/// of places create pieces.
class Piece {
 public:
  template <size_t N>
  Piece(const char (&text)[N]) : value_(Literal{text}) {}  // NOLINT: pieces are made from what messages consist of
  template <typename T, std::enable_if_t<kIsPointer<T>, int> = 0>
  Piece(const T& text) : value_(std::string_view(text)) {}            // NOLINT
  Piece(std::string_view text) : value_(text) {}                      // NOLINT
  Piece(const std::string& text) : value_(std::string_view(text)) {}  // NOLINT
  Piece(const Detail& detail) : value_(Nested{detail.bytes_}) {}      // NOLINT
  Piece(char character) : value_(character) {}                        // NOLINT
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  Piece(T value) : value_(static_cast<std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>>(value)) {}  // NOLINT
  Piece(double value) : value_(value) {}                                                                      // NOLINT
  void append_to(std::string& text) const;

 private:
  friend Detail msg_pieces(const std::initializer_list<Piece>& pieces);
  struct Literal {
    std::string_view text;
  };
  struct Nested {
    std::string_view bytes;
  };
  std::variant<Literal, std::string_view, char, int64_t, uint64_t, double, Nested> value_;
};

std::string cat_pieces(const std::initializer_list<Piece>& pieces);
Detail msg_pieces(const std::initializer_list<Piece>& pieces);
/// Joins texts and numbers, for names and files: cat(name, "/", index).
template <typename... Parts>
std::string cat(const Parts&... parts) {
  return cat_pieces({parts...});
}
/// The detail of a message: msg("input ", i, " has rank ", rank).
template <typename... Parts>
Detail msg(const Parts&... parts) {
  return msg_pieces({parts...});
}

}  // namespace mo
