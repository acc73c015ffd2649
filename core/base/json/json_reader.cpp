#include "core/base/json/json_reader.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

/// What stands between texts, numbers and words.
constexpr bool is_between(char c) {
  switch (c) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
    case ',':
    case ':':
    case '[':
    case ']':
    case '{':
    case '}': return true;
    default: return false;
  }
}

/// Gives the library one byte after the other, and knows what it does not tell: where tokens begin.
class Cursor {
 public:
  Cursor(Window& window, uint64_t begin, uint64_t end, const JsonLimits& limits)
      : window_(window), end_(end), limits_(limits) {
    next_.offset = kept_from_ = begin;
  }

  /// Whether there are no more bytes, where the library asks for one.
  bool runs_out() { return ran_out_ = next_.offset >= end_; }
  bool ran_out() const { return ran_out_; }
  char byte() { return static_cast<char>(window_.byte(next_.offset)); }
  void advance() {
    const char c = byte();
    last_ = next_;
    look_at(c);
    // The library keeps all bytes since the last text or number began.
    if (next_.offset - kept_from_ > limits_.token) fail_too_long();
    ++next_.offset, ++next_.column;
    if (c == '\n') ++next_.line, next_.column = 1;
  }

  const JsonPlace& last() const { return last_; }    ///< of the byte read last
  const JsonPlace& next() const { return next_; }    ///< of the byte that comes
  const JsonPlace& token() const { return token_; }  ///< of the last text, number or word

 private:
  void look_at(char c) {
    if (in_text_) {
      if (is_escaped_)
        is_escaped_ = false;
      else if (c == '\\')
        is_escaped_ = true;
      else if (c == '"')
        in_text_ = in_token_ = false;
      return;
    }
    if (is_between(c)) {
      in_token_ = false;
      return;
    }
    if (in_token_) return;
    in_token_ = true;
    in_text_ = c == '"';
    token_ = next_;
    if (in_text_ || c == '-' || (c >= '0' && c <= '9')) kept_from_ = next_.offset;
  }
  [[noreturn]] void fail_too_long() const {
    throw Error(Code::CorruptFile, msg("more than ", limits_.token, " bytes without an end of a text or a number"),
                json_place(window_, token_));
  }

  Window& window_;
  uint64_t end_;
  JsonLimits limits_;
  JsonPlace next_, last_, token_;
  uint64_t kept_from_;
  bool in_text_ = false, is_escaped_ = false, in_token_ = false, ran_out_ = false;
};

/// An input iterator, so that the library cannot take the text as a whole. Without a cursor it is the end.
class Bytes {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  explicit Bytes(Cursor* cursor = nullptr) : cursor_(cursor) {}
  char operator*() const { return cursor_->byte(); }
  Bytes& operator++() {
    cursor_->advance();
    return *this;
  }
  Bytes operator++(int) {
    const Bytes before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Bytes& other) const { return is_end() == other.is_end(); }
  bool operator!=(const Bytes& other) const { return !(*this == other); }

 private:
  bool is_end() const { return !cursor_ || cursor_->runs_out(); }
  Cursor* cursor_;
};

/// The library's events as ours.
class Sax {
 public:
  using Json = nlohmann::json;
  Sax(Window& window, Cursor& cursor, const JsonLimits& limits, JsonEvents& events)
      : window_(window), cursor_(cursor), limits_(limits), events_(events) {}

  bool null() { return scalar(std::monostate()); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(int64_t value) { return scalar(value); }
  bool number_unsigned(uint64_t value) {
    return value <= static_cast<uint64_t>(INT64_MAX) ? scalar(static_cast<int64_t>(value)) : scalar(value);
  }
  bool number_float(double value, const std::string& text) { return scalar(parse_double(text).value_or(value)); }
  bool string(std::string& value) { return scalar(std::string_view(value)); }
  bool binary(Json::binary_t&) { return false; }
  bool key(std::string& name) { return events_.key(name, cursor_.token()); }
  bool start_object(size_t) { return open(true); }
  bool start_array(size_t) { return open(false); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  template <typename Exception>
  bool parse_error(size_t, const std::string&, const Exception& error) {
    constexpr int kNumberOutOfRange = 406;
    if (error.id == kNumberOutOfRange)
      throw Error(Code::CorruptFile, "a number that is too large", json_place(window_, cursor_.token()));
    if (cursor_.ran_out() && !is_whole_)
      throw Error(Code::TruncatedFile, "the JSON text has no end", json_place(window_, cursor_.next()));
    const char last = static_cast<char>(window_.byte(cursor_.last().offset));
    throw Error(Code::CorruptFile, msg("JSON cannot go on with '", printable(std::string_view(&last, 1)), "'"),
                json_place(window_, cursor_.last()));
  }

 private:
  bool scalar(JsonScalar value) {
    is_whole_ = depth_ == 0;
    return events_.scalar(value, cursor_.token());
  }
  bool open(bool is_object) {
    if (++depth_ > limits_.depth)
      throw Error(Code::TooDeep, msg("more than ", limits_.depth, " objects and lists in each other"),
                  json_place(window_, cursor_.last()));
    return events_.begin(is_object, cursor_.last());
  }
  bool close() {
    is_whole_ = --depth_ == 0;
    return events_.end(cursor_.last());
  }

  Window& window_;
  Cursor& cursor_;
  const JsonLimits& limits_;
  JsonEvents& events_;
  int depth_ = 0;
  bool is_whole_ = false;  ///< what follows is too much
};

}  // namespace

bool read_json(Window& window, uint64_t begin, uint64_t end, const JsonLimits& limits, JsonEvents& events) {
  if (end < begin || end > window.size()) throw Error(Code::TruncatedFile, {}, window.place(begin));
  if (end - begin > limits.bytes)
    throw Error(Code::CorruptFile, msg("a JSON text of ", end - begin, " bytes, more than ", limits.bytes),
                json_place(window, {}));
  Cursor cursor(window, begin, end, limits);
  Sax sax(window, cursor, limits, events);
  return nlohmann::json::sax_parse(Bytes(&cursor), Bytes(), &sax);
}

Place json_place(Window& window, const JsonPlace& place) {
  return {.file = window.files().name(window.file()), .line = place.line, .column = place.column};
}

}  // namespace mo
