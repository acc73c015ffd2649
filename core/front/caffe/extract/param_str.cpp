#include "core/front/caffe/extract/param_str.h"

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo::caffe {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Attributes read() {
    Attributes out;
    const bool braces = take('{');
    for (;;) {
      while (take(',')) {
      }
      if (at_end() || (braces && take('}'))) break;
      const std::string key = word();
      if (!take(':')) fail("':'");
      out.set(key, value());
    }
    if (!at_end()) fail("the end");
    return out;
  }

 private:
  bool is_blank(char c) const { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  void skip() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '#'))
      if (text_[at_] == '#')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else
        ++at_;
  }
  bool at_end() {
    skip();
    return at_ == text_.size();
  }
  bool take(char c) {
    skip();
    const bool found = at_ < text_.size() && text_[at_] == c;
    if (found) ++at_;
    return found;
  }
  [[noreturn]] void fail(const Detail& wanted) const {
    throw Error(Code::BadFieldValue, msg("param_str: byte ", at_, " is not ", wanted));
  }

  /// In quotes, or up to what ends a word.
  std::string word() {
    skip();
    if (at_ == text_.size()) fail("a word");
    const char quote = text_[at_];
    if (quote == '\'' || quote == '"') {
      const size_t end = text_.find(quote, at_ + 1);
      if (end == text_.npos) fail("a word whose quotes end");
      const std::string out(text_.substr(at_ + 1, end - at_ - 1));
      at_ = end + 1;
      return out;
    }
    const size_t end = std::min(text_.find_first_of(" \t\r\n,:[]{}()#'\"", at_), text_.size());
    if (end == at_) fail("a word");
    const std::string out(text_.substr(at_, end - at_));
    at_ = end;
    return out;
  }

  Attribute single() {
    skip();
    const bool quoted = at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"');
    std::string text = word();
    if (quoted) return text;
    if (const auto whole = parse_int(text)) return *whole;
    if (const auto number = parse_double(text)) return *number;
    if (text == "True" || text == "true") return true;
    if (text == "False" || text == "false") return false;
    return text;
  }

  Attribute value() {
    const char close = take('[') ? ']' : take('(') ? ')' : '\0';
    if (!close) return single();
    Ints whole;
    Doubles numbers;
    Strings words;
    while (!take(close)) {
      if (at_end()) fail("the end of a list");
      const Attribute one = single();
      if (const auto* number = std::get_if<int64_t>(&one)) {
        whole.push_back(*number);
        numbers.push_back(static_cast<double>(*number));
      } else if (const auto* real = std::get_if<double>(&one)) {
        numbers.push_back(*real);
      } else if (const auto* text = std::get_if<std::string>(&one)) {
        words.push_back(*text);
      }
      take(',');
    }
    if (!words.empty()) return words;
    return whole.size() == numbers.size() ? Attribute(whole) : Attribute(numbers);
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Attributes read_param_str(std::string_view text) { return Reader(text).read(); }

}  // namespace mo::caffe
