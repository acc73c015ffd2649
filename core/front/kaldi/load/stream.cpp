#include "core/front/kaldi/load/stream.h"

#include <cfloat>
#include <cmath>
#include <cstring>

#include "core/base/text.h"

namespace mo::kaldi {
namespace {

bool is_space(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
/// What ends a number between brackets.
bool ends_piece(int byte) { return is_space(byte) || byte == ']' || byte == ';' || byte == ','; }

/// "inf" and "nan" in letters of any case, and decimal numbers that fit f32.
std::optional<double> number_of(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  const std::string_view rest = text.substr(is_negative || text.starts_with('+') ? 1 : 0);
  if (rest.empty()) return std::nullopt;
  if ((rest[0] >= '0' && rest[0] <= '9') || rest[0] == '.') {
    if (rest.find_first_not_of("0123456789.eE+-") != rest.npos) return std::nullopt;
    const auto value = parse_double(text);
    return value && std::abs(*value) <= DBL_MAX ? value : std::nullopt;
  }
  const std::string word = lower(rest);
  if (word == "nan") return std::nan("");
  if (word != "inf" && word != "infinity") return std::nullopt;
  return is_negative ? -HUGE_VAL : HUGE_VAL;
}

bool fits_f32(double value) { return !std::isfinite(value) || std::abs(value) <= FLT_MAX; }

}  // namespace

Stream::Stream(Files& files, FileId file) : window_(files, file) {
  is_binary_ = window_.size() >= 2 && window_.byte(0) == 0 && window_.byte(1) == 'B';
  if (is_binary_) here_.at = 2;
}

Place Stream::place(const Mark& mark) const {
  if (is_binary_) return window_.place(mark.at);
  Place out{.file = window_.files().name(window_.file())};
  out.line = mark.line;
  out.column = static_cast<int>(std::min<uint64_t>(mark.at - mark.line_begin + 1, INT32_MAX));
  return out;
}

void Stream::corrupt(const Mark& at, const Detail& what) const { throw Error(Code::CorruptFile, what, place(at)); }

int Stream::next_byte() { return here_.at < window_.size() ? window_.byte(here_.at) : -1; }

void Stream::take() {
  if (window_.byte(here_.at++) != '\n') return;
  ++here_.line;
  here_.line_begin = here_.at;
}

void Stream::skip_blanks() {
  while (is_space(next_byte())) take();
}

bool Stream::at_end() {
  if (!is_binary_) skip_blanks();
  return here_.at >= window_.size();
}

std::string Stream::token() {
  skip_blanks();
  const Mark begin = here_;
  std::string out;
  int byte = next_byte();
  for (; byte > ' ' && byte != 0x7f; byte = next_byte()) {
    if (out.size() == kLongestToken) corrupt(begin, "no word is where one should be");
    out += static_cast<char>(byte);
    take();
  }
  if (byte < 0) throw Error(Code::TruncatedFile, out.empty() ? Detail() : msg("behind ", printable(out)), place(begin));
  if (out.empty() || !is_space(byte)) corrupt(begin, "no word is where one should be");
  take();
  return out;
}

std::string Stream::peek() {
  const Mark begin = here_;
  skip_blanks();
  std::string out;
  int byte = next_byte();
  for (; byte > ' ' && out.size() < kLongestToken; byte = next_byte()) {
    out += static_cast<char>(byte);
    take();
  }
  here_ = begin;
  return out;
}

bool Stream::accept(std::string_view wanted) {
  if (peek() != wanted) return false;
  token();
  return true;
}

void Stream::expect(std::string_view wanted) {
  skip_blanks();
  const Mark begin = here_;
  if (const std::string found = token(); found != wanted)
    corrupt(begin, msg(printable(found), " is where ", printable(wanted), " should be"));
}

void Stream::skip_word() {
  skip_blanks();
  for (int byte = next_byte(); byte >= 0 && !is_space(byte); byte = next_byte()) take();
}

bool Stream::is_before_tag() {
  if (!is_binary_) skip_blanks();
  return next_byte() == '<';
}

std::string Stream::line() {
  const Mark begin = here_;
  std::string out;
  for (int byte = next_byte(); byte != '\n'; byte = next_byte()) {
    if (byte < 0) throw Error(Code::TruncatedFile, {}, place(begin));
    if (out.size() == kLongestLine) throw Error(Code::TooDeep, "a line of more than 16 MB", place(begin));
    out += static_cast<char>(byte);
    take();
  }
  take();
  if (out.ends_with('\r')) out.pop_back();
  return out;
}

std::string Stream::number_text() {
  skip_blanks();
  const Mark begin = here_;
  std::string out;
  for (int byte = next_byte(); byte >= 0 && !ends_piece(byte); byte = next_byte()) {
    if (out.size() == kLongestToken) corrupt(begin, "no number is where one should be");
    out += static_cast<char>(byte);
    take();
  }
  if (out.empty() && next_byte() < 0) throw Error(Code::TruncatedFile, {}, place(begin));
  return out;
}

int64_t Stream::integer() {
  if (is_binary_) {
    const Mark begin = here_;
    const auto size = static_cast<int8_t>(raw(1));
    if (size != 4) corrupt(begin, msg("a whole number of ", int{size}, " bytes, want 4"));
    return static_cast<int32_t>(raw(4));
  }
  skip_blanks();
  const Mark begin = here_;
  const std::string text = number_text();
  const auto value = parse_int(text);
  if (!value || *value < INT32_MIN || *value > INT32_MAX)
    corrupt(begin, msg(printable(text), " is where ", Detail("a whole number"), " should be"));
  return *value;
}

double Stream::number() {
  if (is_binary_) {
    const Mark begin = here_;
    const auto size = static_cast<int8_t>(raw(1));
    if (size == 4) return raw_float();
    if (size != 8) corrupt(begin, msg("a number of ", int{size}, " bytes, want 4 or 8"));
    const uint64_t bits = raw(8);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
  skip_blanks();
  const Mark begin = here_;
  const std::string text = number_text();
  const auto value = number_of(text);
  if (!value) corrupt(begin, msg(printable(text), " is where ", Detail("a number"), " should be"));
  return *value;
}

bool Stream::boolean() {
  if (!is_binary_) skip_blanks();
  const Mark begin = here_;
  const int byte = next_byte();
  if (byte < 0) throw Error(Code::TruncatedFile, {}, place(begin));
  if (byte != 'T' && byte != 'F') corrupt(begin, "neither T nor F is where one should be");
  take();
  return byte == 'T';
}

Ints Stream::integers() {
  Ints out;
  if (is_binary_) {
    const Mark begin = here_;
    if (const uint64_t size = raw(1); size != 4) corrupt(begin, msg("whole numbers of ", size, " bytes, want 4"));
    const auto count = static_cast<int32_t>(raw(4));
    if (count < 0) corrupt(begin, msg("a list of ", count, " numbers"));
    if (static_cast<uint64_t>(count) > left() / 4)
      throw Error(Code::TruncatedFile, msg("a list of ", count, " numbers"), place(begin));
    if (static_cast<uint64_t>(count) > kMostIntegers)
      throw Error(Code::TooDeep, msg("a list of ", count, " numbers"), place(begin));
    for (int32_t i = 0; i < count; ++i) out.push_back(static_cast<int32_t>(raw(4)));
    return out;
  }
  const Mark begin = here_;
  if (!open_bracket()) return out;
  for (skip_blanks(); next_byte() != ']'; skip_blanks()) {
    if (out.size() == kMostIntegers)
      throw Error(Code::TooDeep, msg("a list of ", out.size(), " numbers"), place(begin));
    out.push_back(integer());
  }
  take();
  return out;
}

Ints Stream::pairs() {
  Ints out;
  const Mark begin = here_;
  if (is_binary_) {
    if (const uint64_t size = raw(1); size != 4) corrupt(begin, msg("whole numbers of ", size, " bytes, want 4"));
    const auto count = static_cast<int32_t>(raw(4));
    if (count < 0) corrupt(begin, msg("a list of ", count, " pairs"));
    if (static_cast<uint64_t>(count) > left() / 8)
      throw Error(Code::TruncatedFile, msg("a list of ", count, " pairs"), place(begin));
    if (static_cast<uint64_t>(count) > kMostIntegers / 2)
      throw Error(Code::TooDeep, msg("a list of ", count, " pairs"), place(begin));
    for (int64_t i = 0; i < 2 * int64_t{count}; ++i) out.push_back(static_cast<int32_t>(raw(4)));
    return out;
  }
  if (!open_bracket()) return out;
  for (skip_blanks(); next_byte() != ']'; skip_blanks()) {
    if (out.size() >= kMostIntegers) throw Error(Code::TooDeep, msg("a list of ", out.size(), " pairs"), place(begin));
    const Mark pair = here_;
    out.push_back(integer());
    if (next_byte() != ',') corrupt(pair, "a pair without a comma");
    take();
    out.push_back(integer());
  }
  take();
  return out;
}

bool Stream::open_bracket() {
  skip_blanks();
  const Mark begin = here_;
  const int byte = next_byte();
  if (byte < 0) throw Error(Code::TruncatedFile, {}, place(begin));
  if (byte != '[') corrupt(begin, msg(printable(peek().substr(0, 40)), " is where ", "[", " should be"));
  take();
  if (next_byte() != ']') return true;
  take();
  return false;
}

Stream::Piece Stream::piece(double& value) {
  while (is_space(next_byte()) && next_byte() != '\n') take();
  const Mark begin = here_;
  const int byte = next_byte();
  if (byte < 0) throw Error(Code::TruncatedFile, {}, place(begin));
  if (byte == '\n' || byte == ';' || byte == ']') {
    take();
    return byte == ']' ? Piece::Close : Piece::EndOfRow;
  }
  const std::string text = number_text();
  const auto number = number_of(text);
  if (!number || !fits_f32(*number))
    corrupt(begin, msg(printable(text), " is where ", Detail("a number"), " should be"));
  value = *number;
  return Piece::Number;
}

uint64_t Stream::raw(size_t bytes) {
  uint64_t out = 0;
  const auto view = window_.view(here_.at, bytes);
  for (size_t i = 0; i < bytes; ++i) out |= static_cast<uint64_t>(view[i]) << (8 * i);
  here_.at += bytes;
  return out;
}

float Stream::raw_float() {
  const auto bits = static_cast<uint32_t>(raw(4));
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

void Stream::skip(uint64_t bytes) { here_.at += bytes; }

}  // namespace mo::kaldi
