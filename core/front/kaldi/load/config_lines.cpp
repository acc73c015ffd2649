#include "core/front/kaldi/load/config_lines.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo::kaldi {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_of_name(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'; }

constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr size_t kMostLines = 1 << 20;

class ConfigLineReader {
 public:
  ConfigLineReader(const Stream& stream, std::string_view text, const Stream::Mark& begin)
      : stream_(stream), text_(text), begin_(begin) {}

  ConfigLine read() {
    ConfigLine line;
    skip_blanks();
    line.place = mark();
    const size_t end = std::min(text_.find_first_of(kBlanks, at_), text_.size());
    line.kind = text_.substr(at_, end - at_);
    if (!is_valid_name(line.kind)) fail("a line without the kind of its node");
    at_ = end;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) line.values.push_back(value());
    return line;
  }

 private:
  Stream::Mark mark() const { return {begin_.at + at_, begin_.line, begin_.line_begin}; }
  [[noreturn]] void fail(const Detail& what) const { stream_.corrupt(mark(), what); }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  ConfigValue value() {
    const size_t equals = text_.find('=', at_);
    if (equals == text_.npos) fail("a line with a word that is no key=value");
    ConfigValue out;
    out.key = text_.substr(at_, equals - at_);
    if (!is_valid_name(out.key)) fail("a line with a word that is no key=value");
    at_ = equals + 1;
    if (at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"')) {
      const size_t quote = text_.find(text_[at_], at_ + 1);
      if (quote == text_.npos) fail("a text without its second quote");
      ++at_;
      out.place = mark();
      out.text = text_.substr(at_, quote - at_);
      at_ = quote + 1;
      return out;
    }
    // Up to the blank before the next key.
    const size_t next = text_.find('=', at_);
    size_t end = text_.size();
    if (next != text_.npos) {
      const size_t blank = text_.find_last_of(kBlanks, next);
      if (blank != text_.npos && blank >= at_) end = blank;
    }
    out.place = mark();
    out.text = trim(text_.substr(at_, end - at_));
    at_ = end;
    return out;
  }

  const Stream& stream_;
  std::string_view text_;
  Stream::Mark begin_;
  size_t at_ = 0;
};

}  // namespace

bool is_valid_name(std::string_view name) {
  return !name.empty() && (is_letter(name[0]) || name[0] == '_') && std::all_of(name.begin(), name.end(), is_of_name);
}

const ConfigValue* ConfigLine::find(std::string_view key) const {
  for (const ConfigValue& value : values)
    if (value.key == key) return &value;
  return nullptr;
}

std::vector<ConfigLine> read_config_lines(Stream& stream) {
  std::vector<ConfigLine> out;
  const Stream::Mark first = stream.mark();
  if (!trim(stream.line()).empty()) stream.corrupt(first, "<Nnet3> is not followed by the end of its line");
  for (;;) {
    const Stream::Mark begin = stream.mark();
    const std::string line = stream.line();
    if (line.empty()) return out;
    const std::string_view text = std::string_view(line).substr(0, line.find('#'));
    if (trim(text).empty()) continue;
    if (out.size() == kMostLines)
      throw Error(Code::TooDeep, msg("more than ", kMostLines, " nodes"), stream.place(begin));
    out.push_back(ConfigLineReader(stream, text, begin).read());
  }
}

}  // namespace mo::kaldi
