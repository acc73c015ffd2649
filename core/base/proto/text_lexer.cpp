#include "core/base/proto/text_lexer.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo::proto {
namespace {

// Independent of the locale.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// 99 when it is not a digit of any base.
unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char low = static_cast<char>(c | 0x20);
  return low >= 'a' && low <= 'f' ? static_cast<unsigned>(low - 'a' + 10) : 99;
}

void append_utf8(uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xc0, 0xe0, 0xf0};
  out += static_cast<char>(kLead[more] | code >> (6 * more));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (code >> (6 * i) & 0x3f));
}

}  // namespace

Lexer::Lexer(std::string_view text, std::string_view file) : text_(text), file_(file) {}

Error Lexer::error(Code code, size_t at, const Detail& what) const {
  if (lines_.empty()) {
    size_t start = 0;
    do lines_.push_back(start);
    while ((start = text_.find('\n', start) + 1) != 0);
  }
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), at) - lines_.begin();
  const size_t column = at - lines_[static_cast<size_t>(line) - 1] + 1;
  return Error(code, what,
               {.file = std::string(file_), .line = static_cast<int>(line), .column = static_cast<int>(column)});
}

Token Lexer::next(size_t at) const {
  for (;; ++at) {
    if (at < text_.size() && text_[at] == '#') at = std::min(text_.find('\n', at), text_.size());
    if (at >= text_.size()) return {Token::End, text_.size(), text_.size()};
    if (!is_blank(text_[at])) break;
  }
  const char c = text_[at];
  if (c == '"' || c == '\'') return quoted(at);
  if (is_digit(c) || (c == '.' && at + 1 < text_.size() && is_digit(text_[at + 1]))) return number(at);
  if (is_word(c)) {
    const auto* end = std::find_if_not(text_.data() + at, text_.data() + text_.size(), is_word);
    return {Token::Word, at, static_cast<size_t>(end - text_.data())};
  }
  if (std::string_view(":{}<>[],;-./").find(c) == std::string_view::npos)
    throw error(Code::BadText, at, msg("a character that is not of the text format: ", printable(text_.substr(at, 1))));
  return {Token::Mark, at, at + 1};
}

Token Lexer::number(size_t at) const {
  const size_t begin = at;
  for (; at < text_.size() && (is_word(text_[at]) || text_[at] == '.'); ++at) {
    const bool exponent = (text_[at] | 0x20) == 'e' && at + 1 < text_.size();
    if (exponent && (text_[at + 1] == '-' || text_[at + 1] == '+')) ++at;
  }
  const Token token{Token::Number, begin, at};
  if (!literal_integer(text(token)) && !literal_float(text(token)))
    throw error(Code::BadText, begin, msg("no number, or one that is too large: ", text(token).substr(0, 40)));
  return token;
}

Token Lexer::quoted(size_t at) const {
  const size_t begin = at;
  for (++at; at < text_.size() && text_[at] != '\n' && text_[at] != text_[begin]; ++at)
    if (text_[at] == '\\' && at + 1 < text_.size() && text_[at + 1] != '\n') ++at;
  if (at >= text_.size() || text_[at] == '\n') throw error(Code::BadText, begin, "a text without its end");
  return {Token::Text, begin, at + 1};
}

void Lexer::append_text(const Token& token, std::string& out) const {
  for (size_t at = token.begin + 1; at + 1 < token.end;) {
    const size_t plain = std::min(text_.substr(0, token.end - 1).find('\\', at), token.end - 1);
    out += text_.substr(at, plain - at);
    at = plain + 1 < token.end ? escape(plain, out) : plain;
  }
}

uint32_t Lexer::digits(size_t& at, size_t end, unsigned base, size_t most) const {
  uint32_t value = 0;
  for (end = std::min(end, at + most); at < end && digit_value(text_[at]) < base; ++at)
    value = value * base + digit_value(text_[at]);
  return value;
}

size_t Lexer::escape(size_t at, std::string& out) const {
  const size_t begin = at++, end = text_.size();
  const char c = text_[at];
  constexpr std::string_view kNames = "abfnrtv?\\'\"", kMeanings = "\a\b\f\n\r\t\v?\\'\"";
  if (const size_t known = kNames.find(c); known != std::string_view::npos) {
    out += kMeanings[known];
    return at + 1;
  }
  const auto hexadecimal = [&](size_t least, size_t most) {
    const size_t from = ++at;
    const uint32_t value = digits(at, end, 16, most);
    if (at - from < least) throw error(Code::BadText, begin, "an escape lacks digits");
    return value;
  };
  if (c >= '0' && c <= '7') {
    const uint32_t value = digits(at, end, 8, 3);
    if (value > 0xff) throw error(Code::BadText, begin, "an escape of more than a byte");
    out += static_cast<char>(value);
  } else if (c == 'x' || c == 'X') {
    out += static_cast<char>(hexadecimal(1, 2));
  } else if (c == 'u' || c == 'U') {
    uint32_t code = c == 'u' ? hexadecimal(4, 4) : hexadecimal(8, 8);
    // Two escapes may be the halves of one character (a surrogate pair).
    if (code >> 10 == 0xd800 >> 10 && text_.substr(at, 2) == "\\u") {
      ++at;
      const uint32_t low = hexadecimal(4, 4);
      code = low >> 10 == 0xdc00 >> 10 ? 0x10000 + ((code & 0x3ff) << 10 | (low & 0x3ff)) : 0xd800;
    }
    if (code > 0x10ffff || code >> 11 == 0xd800 >> 11)
      throw error(Code::BadText, begin, "an escape that is no character");
    append_utf8(code, out);
  } else {
    throw error(Code::BadText, begin, "an escape that is not known");
  }
  return at;
}

std::optional<uint64_t> literal_integer(std::string_view literal) {
  unsigned base = 10;
  if (literal.size() > 1 && literal[0] == '0') {
    const bool hexadecimal = (literal[1] | 0x20) == 'x';
    base = hexadecimal ? 16 : 8;
    literal.remove_prefix(hexadecimal ? 2 : 1);
  }
  uint64_t value = 0;
  for (const char c : literal) {
    const unsigned digit = digit_value(c);
    if (digit >= base || value > (UINT64_MAX - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return literal.empty() ? std::nullopt : std::optional(value);
}

std::optional<double> literal_float(std::string_view literal) {
  const bool based = literal.size() > 1 && literal[0] == '0' && literal.find_first_of(".eE") == std::string_view::npos;
  if (based && literal != "0f" && literal != "0F") return std::nullopt;
  if (!literal.empty() && (literal.back() | 0x20) == 'f') literal.remove_suffix(1);
  if (literal.find_first_not_of("0123456789.eE+-") != std::string_view::npos) return std::nullopt;
  return parse_double(literal);
}

}  // namespace mo::proto
