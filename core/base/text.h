// The only routines between text and numbers or names, so that every host gives the same bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mo {

/// A text that gives the same number when it is read again: printf's %.17g, and "inf", "-inf", "nan".
std::string format_double(double value);
/// A decimal integer, perhaps with a sign, and nothing else; nullopt when the text is not one or it does not fit.
std::optional<int64_t> parse_int(std::string_view text);
std::optional<double> parse_double(std::string_view text);

/// A text that is safe for people, in a terminal, a log or a message: characters that control a terminal, end a line,
/// turn the direction of a text or cannot be seen are escapes (\u001b), bytes that are no UTF-8 are U+FFFD. The package
/// has the same function: wasm/library/shared/printable.ts.
std::string printable(std::string_view text);
/// The same of a text that may have several lines: it keeps line feeds and tabs.
std::string printable_lines(std::string_view text);
/// The same of finished JSON: escapes in its strings, so that its values stay what they are.
std::string printable_json(std::string_view json);
/// The text as the IR has it: U+FFFD in place of control characters and of bytes that are no character of XML.
std::string name_in_ir(std::string_view text);
/// What replaces a byte: U+FFFD.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Character {
  uint32_t code = 0;
  size_t size = 0;  ///< its bytes; 0 if there is no well-formed UTF-8
};
Character character_at(std::string_view text, size_t at);
/// Whether printable() writes it as an escape.
bool is_unsafe(uint32_t code);
bool has_unsafe(std::string_view text);
/// Makes a name of an IR out of that of a file: "_" in place of unsafe characters.
std::string without_unsafe(std::string_view text);
/// Whether XML 1.0 has it, and it is no control character.
bool is_in_ir(const Character& character);
/// Joins with ", " as the IR's lists are written.
template <typename Range, typename Format>
std::string join(const Range& range, Format format, std::string_view separator = ", ") {
  std::string out;
  bool first = true;
  for (const auto& element : range) {
    if (!first) out += separator;
    out += format(element);
    first = false;
  }
  return out;
}
std::string join(const std::vector<int64_t>& values, std::string_view separator = ", ");
std::vector<std::string> split(std::string_view text, char separator);
/// Whether `text` is one of a list of texts.
template <typename Range>
bool is_one_of(std::string_view text, const Range& texts) {
  return std::find(std::begin(texts), std::end(texts), text) != std::end(texts);
}
inline bool is_one_of(std::string_view text, std::initializer_list<std::string_view> texts) {
  return is_one_of<std::initializer_list<std::string_view>>(text, texts);
}
/// If a text in quotes begins at `at`, behind "->", an opening bracket, a comma or a blank: where it ends. Otherwise
/// `at`.
size_t skip_quoted(std::string_view text, size_t at);
/// The parts between commas that are in no brackets and no quotes, trimmed.
std::vector<std::string_view> split_items(std::string_view text);
std::string_view trim(std::string_view text);
std::string lower(std::string_view text);
/// The number of bytes to insert, remove or replace to make `a` into `b`, but at most `limit`.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

}  // namespace mo
