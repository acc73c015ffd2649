// A regular expression for node names, with the meaning it has in Python's re.match.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo {

/// Read once, then run over all alternatives at the same time: the time is bounded by pattern times name, whatever the
/// pattern, and every host gives the same answer. Works on the code points of UTF-8; those beyond ASCII count as
/// letters. Lookaround, back references and flags are refused.
class NamePattern {
 public:
  static constexpr size_t kLongest = 1000;  ///< bytes of a pattern that a user writes

  /// Throws BadNamePattern with the place in the pattern.
  explicit NamePattern(std::string_view pattern);
  /// Throws BadNamePattern also for a pattern longer than kLongest.
  static NamePattern from_user(std::string_view pattern);

  /// Whether `name` matches from its start on; what follows may be anything.
  bool matches(std::string_view name) const { return !run(name, true).empty(); }
  /// All lengths, in bytes and ascending, of beginnings of `name` that match.
  std::vector<size_t> match_lengths(std::string_view name) const { return run(name, false); }

  /// `name` as a pattern that matches just this text.
  static std::string escape(std::string_view name);

 private:
  friend class NamePatternReader;
  using Ranges = std::vector<std::pair<char32_t, char32_t>>;  // first and last code point
  enum class Do { Take, Split, Jump, AtStart, AtEnd, AtVeryEnd, AtBoundary, NotAtBoundary, Match };
  struct Instruction {
    Do what;
    int first = 0, second = 0;  // Split and Jump: distances; Take: an index of sets_
  };
  std::vector<size_t> run(std::string_view name, bool first_only) const;
  bool holds(Do condition, std::string_view name, size_t at, char32_t before, char32_t here) const;

  std::vector<Instruction> program_;
  std::vector<Ranges> sets_;
};

}  // namespace mo
