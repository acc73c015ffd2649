#include "core/base/name_pattern.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/name_pattern_reader.h"

namespace mo {
namespace {

constexpr char32_t kNone = 0xFFFFFFFF;

bool in_ranges(const std::vector<std::pair<char32_t, char32_t>>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const auto& range) { return range.first <= c && c <= range.second; });
}

bool is_word(char32_t c) { return c != kNone && in_ranges(NamePatternReader::word(), c); }

}  // namespace

NamePattern::NamePattern(std::string_view pattern) { NamePatternReader(pattern, *this).read(); }

NamePattern NamePattern::from_user(std::string_view pattern) {
  if (pattern.size() > kLongest)
    throw Error(Code::BadNamePattern, msg("it has ", pattern.size(), " characters, more than ", kLongest));
  return NamePattern(pattern);
}

std::string NamePattern::escape(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::string_view("\\.^$*+?{}[]|()").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

bool NamePattern::holds(Do condition, std::string_view name, size_t at, char32_t before, char32_t here) const {
  switch (condition) {
    case Do::AtStart: return at == 0;
    case Do::AtVeryEnd: return at == name.size();
    // As in Python, $ also matches before a final line feed.
    case Do::AtEnd: return at == name.size() || (at + 1 == name.size() && here == U'\n');
    case Do::AtBoundary: return is_word(before) != is_word(here);
    default: return is_word(before) == is_word(here);
  }
}

std::vector<size_t> NamePattern::run(std::string_view name, bool first_only) const {
  constexpr size_t kNever = static_cast<size_t>(-1);
  std::vector<size_t> lengths, seen_at(program_.size(), kNever);
  std::vector<int> open = {0}, next;  // instructions to follow at this code point, and at the next
  char32_t before = kNone;
  for (size_t at = 0;;) {
    const auto [here, length] = at < name.size() ? decode_utf8(name, at) : std::pair<char32_t, size_t>(kNone, 0);
    next.clear();
    while (!open.empty()) {
      const int index = open.back();
      open.pop_back();
      if (seen_at[static_cast<size_t>(index)] == at) continue;
      seen_at[static_cast<size_t>(index)] = at;
      const Instruction& instruction = program_[static_cast<size_t>(index)];
      switch (instruction.what) {
        case Do::Take:
          if (length && in_ranges(sets_[static_cast<size_t>(instruction.first)], here)) next.push_back(index + 1);
          break;
        case Do::Split: open.push_back(index + instruction.second); [[fallthrough]];
        case Do::Jump: open.push_back(index + instruction.first); break;
        case Do::Match:
          if (lengths.empty() || lengths.back() != at) lengths.push_back(at);
          if (first_only) return lengths;
          break;
        default:
          if (holds(instruction.what, name, at, before, here)) open.push_back(index + 1);
      }
    }
    if (next.empty()) return lengths;
    open.swap(next);
    before = here;
    at += length;
  }
}

}  // namespace mo
