// The tokens of protobuf's text format, and the values of its literals.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.h"

namespace mo::proto {

/// A piece of the text: [begin, end).
struct Token {
  enum Kind : uint8_t { End, Word, Number, Text, Mark };
  Kind kind = End;
  size_t begin = 0, end = 0;
};

/// A text and the name of its file. Places are byte offsets; messages give them as line and column, both from 1, the
/// column in bytes.
class Lexer {
 public:
  Lexer(std::string_view text, std::string_view file);

  std::string_view text() const { return text_; }
  std::string_view text(const Token& token) const { return text_.substr(token.begin, token.end - token.begin); }
  /// The token at `at`, or the next one after comments and blanks. Throws BadText for a string without an end, a number
  /// that runs into a word, and characters that the format does not have.
  Token next(size_t at) const;
  /// Appends the value of a string literal. Throws BadText, with its place, for an invalid escape.
  void append_text(const Token& token, std::string& out) const;
  Error error(Code code, size_t at, const Detail& what) const;

 private:
  Token number(size_t at) const;
  Token quoted(size_t at) const;
  size_t escape(size_t at, std::string& out) const;
  uint32_t digits(size_t& at, size_t end, unsigned base, size_t most) const;

  std::string_view text_;
  std::string_view file_;
  mutable std::vector<size_t> lines_;  ///< where each begins; read when the first place is asked for
};

/// The value of a Number token: decimal, octal or hexadecimal. nullopt when it is a fraction or does not fit.
std::optional<uint64_t> literal_integer(std::string_view literal);
/// nullopt for octal and hexadecimal.
std::optional<double> literal_float(std::string_view literal);

}  // namespace mo::proto
