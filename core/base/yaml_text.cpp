#include "core/base/yaml_text.h"

#include <algorithm>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 64;
constexpr size_t kMostOfAlias = 16, kLongestOfAlias = 64;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0'; }

/// Whether an alias may stand for it.
bool is_small(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().size() <= kLongestOfAlias;
  if (!value.is_array() || value.size() > kMostOfAlias) return false;
  return std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string() && is_small(one); });
}

void append_utf8(std::string& out, uint32_t code) {
  const auto add = [&](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) return add(code);
  if (code < 0x800) return add(0xc0 | code >> 6), add(0x80 | (code & 0x3f));
  if (code < 0x10000) return add(0xe0 | code >> 12), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
  add(0xf0 | code >> 18), add(0x80 | (code >> 12 & 0x3f)), add(0x80 | (code >> 6 & 0x3f)), add(0x80 | (code & 0x3f));
}

/// Each function that reads a value begins at its first character, and ends at that of what follows it. Columns count
/// bytes from 0.
class YamlReader {
 public:
  explicit YamlReader(std::string_view text) : text_(text) {}

  Json read() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = line_ = 3;
    next_token();
    if (is_marker("---")) at_ += 3, next_token();
    Json out = ended() ? Json() : block(-1, 0);
    if (!ended()) throw error("it is indented in another way than what is before");
    return out;
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  int64_t column() const { return static_cast<int64_t>(at_ - line_); }
  bool is_marker(std::string_view mark) const {
    return column() == 0 && text_.substr(at_).starts_with(mark) && is_blank(peek(3));
  }
  bool ended() const { return at_ >= text_.size() || is_marker("...") || is_marker("---"); }
  bool is_item() const { return peek() == '-' && is_blank(peek(1)); }

  Error error(const Detail& what) const {
    const std::string_view before = text_.substr(0, std::min(at_, text_.size()));
    Place place{.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1};
    place.column = static_cast<int>(before.size() - (before.rfind('\n') + 1)) + 1;
    return Error(Code::UnreadableSettings, what, place);
  }

  /// Passes by blanks, ends of lines and comments.
  void next_token() {
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '#' && (at_ == 0 || is_blank(text_[at_ - 1]))) at_ = std::min(text_.find('\n', at_), text_.size());
      if (peek() == '\n')
        line_ = at_ + 1;
      else if (!is_blank(c) || at_ >= text_.size())
        return;
    }
  }

  std::string word() {
    const size_t begin = at_;
    while (!is_blank(peek()) && !is_one_of(text_.substr(at_, 1), {",", "]", "}"})) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Where a plain text of this line ends: before a comment, or ':' with a blank behind it; in a flow collection before
  /// its marks, too.
  size_t end_of_plain(bool in_flow) const {
    size_t at = at_;
    for (; at < text_.size() && text_[at] != '\n'; ++at) {
      if (text_[at] == '#' && at > at_ && is_blank(text_[at - 1])) break;
      if (text_[at] == ':' && (at + 1 == text_.size() || is_blank(text_[at + 1]))) break;
      if (in_flow && is_one_of(text_.substr(at, 1), {",", "[", "]", "{", "}"})) break;
    }
    return at;
  }

  bool is_key() {
    if (peek() == '?' && is_blank(peek(1))) throw error("a key that is a collection");
    const size_t begin = at_, line = line_;
    size_t end = end_of_plain(false);
    if (const char c = peek(); c == '"' || c == '\'') {
      quoted();
      const bool is_same_line = line_ == line;
      while (is_same_line && (peek() == ' ' || peek() == '\t')) ++at_;
      end = is_same_line ? at_ : text_.size();
      at_ = begin, line_ = line;
    } else if (is_one_of(text_.substr(at_, 1), {"[", "{", "*", "&", "!", "|", ">", "-"}) && c != '-') {
      return false;
    }
    return end < text_.size() && text_[end] == ':' && (end + 1 == text_.size() || is_blank(text_[end + 1]));
  }

  std::string key() {
    if (peek() == '"' || peek() == '\'') {
      std::string out = quoted();
      at_ = text_.find(':', at_) + 1;
      return out;
    }
    const size_t end = end_of_plain(false);
    std::string out(trim(text_.substr(at_, end - at_)));
    at_ = end + 1;
    return out;
  }

  /// A collection, or a scalar, that is indented more than `parent`.
  Json block(int64_t parent, int depth) {
    if (depth > kDeepest) throw error(msg("more than ", kDeepest, " collections in each other"));
    const int64_t own = column();
    const bool is_list = is_item();
    if (!is_list && !is_key()) return scalar(parent, depth);
    Json out = is_list ? Json::array() : Json::object();
    while (!ended() && column() == own && is_item() == is_list) {
      if (is_list) {
        ++at_;
        out.push_back(entry(own, true, depth + 1));
      } else {
        if (!is_key()) throw error("it is neither a key nor an item");
        std::string name = key();
        out[std::move(name)] = entry(own, false, depth + 1);
      }
    }
    if (!ended() && column() > own) throw error("it is indented in another way than what is before");
    return out;
  }

  /// What is behind '-' or ':' in column `own`.
  Json entry(int64_t own, bool of_list, int depth) {
    const size_t line = line_;
    std::string anchor;
    next_token();
    while (!ended() && (peek() == '&' || peek() == '!')) {
      if (std::string name = word(); name[0] == '&') anchor = name.substr(1);
      next_token();
    }
    if (ended()) return {};
    Json out;
    if (line_ != line) {
      if (column() > own || (column() == own && !of_list && is_item())) out = block(own, depth);
    } else if (of_list && (is_item() || is_key())) {
      out = block(own, depth);
    } else {
      out = scalar(own, depth);
    }
    if (!anchor.empty() && is_small(out)) anchors_[anchor] = out;
    return out;
  }

  /// What begins no collection of block style.
  Json scalar(int64_t parent, int depth) {
    Json out;
    if (const char c = peek(); c == '[' || c == '{') {
      out = flow(depth);
    } else if (c == '"' || c == '\'') {
      out = quoted();
    } else if (c == '*') {
      out = aliased();
    } else if (c == '|' || c == '>') {
      return lines(parent);
    } else {
      return plain(parent);
    }
    next_token();
    return out;
  }

  Json aliased() {
    const auto found = anchors_.find(word().substr(1));
    return found == anchors_.end() ? Json() : found->second;
  }

  static Json of_plain(std::string text) {
    return text.empty() || is_one_of(text, {"~", "null", "Null", "NULL"}) ? Json() : Json(std::move(text));
  }

  /// It goes on in lines that are indented more than `parent`.
  Json plain(int64_t parent) {
    std::string out;
    do {
      const size_t end = end_of_plain(false);
      if (end < text_.size() && text_[end] == ':') throw error("a key in a text");
      if (!out.empty()) out += ' ';
      out += trim(text_.substr(at_, end - at_));
      at_ = end;
      next_token();
    } while (!ended() && column() > parent);
    return of_plain(std::move(out));
  }

  /// A text of lines, '|', or of folded lines, '>'.
  Json lines(int64_t parent) {
    const char separator = peek() == '|' ? '\n' : ' ';
    std::string out;
    int64_t indent = -1;
    for (at_ = text_.find('\n', at_); at_ < text_.size(); at_ = text_.find('\n', at_)) {
      line_ = ++at_;
      const size_t begin = text_.find_first_not_of(' ', at_), end = std::min(text_.find('\n', at_), text_.size());
      if (begin >= end) {
        if (separator == '\n') out += '\n';
        continue;
      }
      const auto own = static_cast<int64_t>(begin - line_);
      if (own <= parent) break;
      if (indent < 0) indent = own;
      at_ += static_cast<size_t>(std::min(own, indent));
      out += text_.substr(at_, end - at_);
      out += separator;
    }
    at_ = std::min(at_, text_.size());
    next_token();
    return out;
  }

  std::string quoted() {
    const char quote = text_[at_++];
    std::string out;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == quote && (quote == '"' || peek(1) != quote)) {
        ++at_;
        return out;
      }
      if (c == '\n') {
        while (!out.empty() && (out.back() == ' ' || out.back() == '\r')) out.pop_back();
        fold();
        out += ' ';
      } else if (c == '\\' && quote == '"') {
        ++at_;
        escaped(out);
      } else {
        out += c;
        if (c == quote) ++at_;
      }
    }
    throw error("a quote is not closed");
  }

  /// Goes to the last blank before the text of the next line.
  void fold() {
    line_ = at_ + 1;
    while (is_blank(peek(1)) && at_ + 1 < text_.size()) {
      ++at_;
      if (text_[at_] == '\n') line_ = at_ + 1;
    }
  }

  void escaped(std::string& out) {
    constexpr std::string_view kLetters = "0abtnvfre\"/\\ _NLP\t";
    constexpr uint32_t kCodes[] = {0, 7, 8, 9, 10, 11, 12, 13, 27, '"', '/', '\\', ' ', 0xa0, 0x85, 0x2028, 0x2029, 9};
    const char letter = peek();
    if (letter == '\n') return fold();
    if (const size_t found = kLetters.find(letter); found != kLetters.npos) return append_utf8(out, kCodes[found]);
    const size_t digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
    uint32_t code = 0;
    for (size_t i = 0; i < digits; ++i) {
      ++at_;
      const size_t digit = std::string_view("0123456789abcdef").find(lower(text_.substr(at_, 1)));
      if (at_ >= text_.size() || digit == std::string_view::npos) throw error("an escape without its digits");
      code = code << 4 | static_cast<uint32_t>(digit);
    }
    if (digits == 0 || code > 0x10ffff) throw error("an escape that is not known");
    append_utf8(out, code);
  }

  /// A list in brackets, or an object in braces.
  Json flow(int depth) {
    if (depth > kDeepest) throw error(msg("more than ", kDeepest, " collections in each other"));
    const bool is_list = peek() == '[';
    const char close = is_list ? ']' : '}';
    Json out = is_list ? Json::array() : Json::object();
    for (++at_;; ++at_) {
      next_token();
      if (peek() == close) break;
      Json value = in_flow(depth + 1);
      if (!is_list) {
        if (!value.is_string()) throw error("a key that is no text");
        Json& place = out[value.get_ref<const std::string&>()];
        if (peek() == ':') {
          ++at_;
          next_token();
          if (peek() != ',' && peek() != close) place = in_flow(depth + 1);
        }
      } else {
        out.push_back(std::move(value));
      }
      if (peek() == close) break;
      if (peek() != ',') throw error("a collection in brackets is not closed");
    }
    ++at_;
    return out;
  }

  Json in_flow(int depth) {
    Json out;
    while (peek() == '&' || peek() == '!') word(), next_token();
    if (const char c = peek(); c == '[' || c == '{') {
      out = flow(depth);
    } else if (c == '"' || c == '\'') {
      out = quoted();
    } else if (c == '*') {
      out = aliased();
    } else {
      const size_t end = end_of_plain(true);
      out = of_plain(std::string(trim(text_.substr(at_, end - at_))));
      at_ = end;
    }
    next_token();
    return out;
  }

  std::string_view text_;
  size_t at_ = 0, line_ = 0;  ///< and where its line begins
  std::map<std::string, Json, std::less<>> anchors_;
};

}  // namespace

Json read_yaml(std::string_view text) { return YamlReader(text).read(); }

}  // namespace mo
