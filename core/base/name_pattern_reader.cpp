#include "core/base/name_pattern_reader.h"

#include <algorithm>

#include "core/base/error.h"

namespace mo {
namespace {

constexpr int kDeepestGroup = 100, kMostRepeats = 1000;
constexpr size_t kLongestProgram = 5000;
constexpr char32_t kLastCharacter = 0x7FFFFFFF;  // above Unicode, as are the values for invalid bytes
using CodePoints = std::vector<std::pair<char32_t, char32_t>>;

const CodePoints kDigits = {{'0', '9'}};
const CodePoints kSpaces = {{'\t', '\r'}, {0x1C, ' '}, {0x85, 0x85}, {0xA0, 0xA0}};
const CodePoints kWord = {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}, {0x80, kLastCharacter}};

CodePoints all_but(CodePoints ranges) {
  std::sort(ranges.begin(), ranges.end());
  CodePoints out;
  char32_t from = 0;
  for (const auto& [first, last] : ranges) {
    if (first > from) out.emplace_back(from, first - 1);
    if (last >= from) from = last + 1;
  }
  if (from <= kLastCharacter) out.emplace_back(from, kLastCharacter);
  return out;
}

}  // namespace

std::pair<char32_t, size_t> decode_utf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  char32_t value = lead & (0x7Fu >> length);
  bool valid = lead >= 0xC2 && lead <= 0xF4 && at + length <= text.size();
  for (size_t i = 1; valid && i < length; ++i) {
    valid = (byte(at + i) & 0xC0) == 0x80;
    value = value << 6 | (byte(at + i) & 0x3F);
  }
  if (valid) return {value, length};
  return {0x110000 + lead, 1};
}

const NamePattern::Ranges& NamePatternReader::word() { return kWord; }

void NamePatternReader::refuse(const Detail& what) const {
  throw Error(Code::BadNamePattern, msg("\"", text_, "\": ", what, " at character ", at_ + 1));
}

bool NamePatternReader::skip(char c) {
  if (!next_is(c)) return false;
  ++at_;
  return true;
}

char32_t NamePatternReader::take() {
  if (at_end()) refuse("the pattern ends too early");
  const std::pair<char32_t, size_t> character = decode_utf8(text_, at_);
  at_ += character.second;
  return character.first;
}

void NamePatternReader::append(Piece& to, const Piece& piece) const {
  if (to.size() + piece.size() > kLongestProgram) refuse("the pattern repeats too much");
  to.insert(to.end(), piece.begin(), piece.end());
}

NamePatternReader::Piece NamePatternReader::one_of(Ranges ranges) {
  pattern_.sets_.push_back(std::move(ranges));
  return {{Do::Take, static_cast<int>(pattern_.sets_.size() - 1)}};
}

void NamePatternReader::read() {
  pattern_.program_ = read_alternatives(0);
  if (!at_end()) refuse("a ) without its (");
  pattern_.program_.push_back({Do::Match});
}

NamePatternReader::Piece NamePatternReader::read_alternatives(int depth) {
  if (depth > kDeepestGroup) refuse("groups nest too deeply");
  std::vector<Piece> alternatives = {read_sequence(depth)};
  while (skip('|')) alternatives.push_back(read_sequence(depth));
  Piece all = std::move(alternatives.back());
  for (size_t i = alternatives.size() - 1; i-- > 0;) {
    Piece either = {{Do::Split, 1, static_cast<int>(alternatives[i].size()) + 2}};
    append(either, alternatives[i]);
    either.push_back({Do::Jump, static_cast<int>(all.size()) + 1});
    append(either, all);
    all = std::move(either);
  }
  return all;
}

NamePatternReader::Piece NamePatternReader::read_sequence(int depth) {
  Piece sequence;
  while (!at_end() && !next_is('|') && !next_is(')')) {
    bool repeatable = true;
    Piece atom = read_atom(depth, repeatable);
    Count count;
    if (read_count(count)) {
      if (!repeatable) refuse("nothing to repeat");
      atom = repeat(atom, count);
      skip('?');  // a lazy quantifier matches the same names
      Count again;
      if (next_is('+') || read_count(again)) refuse("multiple repeat");
    }
    append(sequence, atom);
  }
  return sequence;
}

NamePatternReader::Piece NamePatternReader::read_atom(int depth, bool& repeatable) {
  const char32_t c = take();
  switch (c) {
    case '(': return read_group(depth);
    case '[': return one_of(read_set());
    case '\\': return read_escape(repeatable);
    case '.': return one_of(all_but({{'\n', '\n'}}));
    case '^': repeatable = false; return {{Do::AtStart}};
    case '$': repeatable = false; return {{Do::AtEnd}};
    case '*':
    case '+':
    case '?': refuse("nothing to repeat");
    default: return one_of({{c, c}});
  }
}

NamePatternReader::Piece NamePatternReader::read_group(int depth) {
  if (skip('?')) {
    if (skip('P') && next_is('<')) {
      while (take() != '>') {
      }
    } else if (!skip(':')) {
      refuse("this kind of group is not supported");
    }
  }
  Piece group = read_alternatives(depth + 1);
  if (!skip(')')) refuse("a ( without its )");
  return group;
}

NamePatternReader::Piece NamePatternReader::read_escape(bool& repeatable) {
  Ranges ranges;
  if (read_class_escape(ranges)) return one_of(std::move(ranges));
  const char32_t letter = take();
  repeatable = false;
  switch (letter) {
    case 'A': return {{Do::AtStart}};
    case 'Z': return {{Do::AtVeryEnd}};
    case 'b': return {{Do::AtBoundary}};
    case 'B': return {{Do::NotAtBoundary}};
    default: break;
  }
  repeatable = true;
  const char32_t c = read_character_escape(letter);
  return one_of({{c, c}});
}

bool NamePatternReader::read_class_escape(Ranges& ranges) {
  if (at_end()) return false;
  switch (text_[at_]) {
    case 'd': ranges = kDigits; break;
    case 'D': ranges = all_but(kDigits); break;
    case 's': ranges = kSpaces; break;
    case 'S': ranges = all_but(kSpaces); break;
    case 'w': ranges = kWord; break;
    case 'W': ranges = all_but(kWord); break;
    default: return false;
  }
  ++at_;
  return true;
}

char32_t NamePatternReader::read_character_escape(char32_t letter) {
  switch (letter) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'a': return '\a';
    case '0': return 0;
    case 'x':
    case 'u': {
      char32_t value = 0;
      for (int i = letter == 'x' ? 2 : 4; i > 0; --i) {
        const char32_t digit = take();
        const size_t worth = std::string_view("0123456789abcdefABCDEF").find(static_cast<char>(digit));
        if (digit >= 0x80 || worth == std::string_view::npos) refuse("a character's number is incomplete");
        value = value * 16 + static_cast<char32_t>(worth < 16 ? worth : worth - 6);
      }
      return value;
    }
    default:
      if (letter >= '1' && letter <= '9') refuse("back references are not supported");
      if ((letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z')) refuse("an escape that is not known");
      return letter;
  }
}

NamePatternReader::Ranges NamePatternReader::read_set() {
  const bool negated = skip('^');
  Ranges ranges;
  for (bool first = true; first || !next_is(']'); first = false) {
    Ranges several;
    const bool escaped = skip('\\');
    if (escaped && read_class_escape(several)) {
      ranges.insert(ranges.end(), several.begin(), several.end());
      continue;
    }
    const auto character = [&](bool after_backslash) {
      const char32_t c = take();
      if (!after_backslash) return c;
      return c == 'b' ? char32_t{'\b'} : read_character_escape(c);
    };
    const char32_t from = character(escaped);
    char32_t to = from;
    if (next_is('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
      ++at_;
      to = character(skip('\\'));
      if (to < from) refuse("a range whose end lies before its start");
    }
    ranges.emplace_back(from, to);
  }
  ++at_;
  return negated ? all_but(std::move(ranges)) : ranges;
}

int NamePatternReader::read_number(bool& given) {
  int value = 0;
  for (given = false; !at_end() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
    given = true;
    value = value * 10 + (text_[at_] - '0');
    if (value > kMostRepeats) refuse("the pattern repeats too much");
  }
  return value;
}

bool NamePatternReader::read_count(Count& count) {
  if (skip('*')) return count = {0, -1}, true;
  if (skip('+')) return count = {1, -1}, true;
  if (skip('?')) return count = {0, 1}, true;
  const size_t start = at_;
  if (!skip('{')) return false;
  bool has_least = false, has_most = false;
  count.least = read_number(has_least);
  const bool range = skip(',');
  count.most = range ? read_number(has_most) : count.least;
  if (range && !has_most) count.most = -1;
  if (!skip('}') || (!has_least && !range)) {
    at_ = start;  // a brace that is not a repeat count is an ordinary character
    return false;
  }
  if (count.most >= 0 && count.most < count.least) refuse("a count whose end lies before its start");
  return true;
}

NamePatternReader::Piece NamePatternReader::repeat(const Piece& piece, Count count) const {
  const int size = static_cast<int>(piece.size());
  Piece out;
  for (int i = 0; i < count.least; ++i) append(out, piece);
  if (count.most < 0) {
    out.push_back({Do::Split, 1, size + 2});
    append(out, piece);
    out.push_back({Do::Jump, -(size + 1)});
  }
  for (int i = count.least; i < count.most; ++i) {
    out.push_back({Do::Split, 1, size + 1});
    append(out, piece);
  }
  return out;
}

}  // namespace mo
