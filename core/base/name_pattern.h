// A regular expression for node names, with the semantics of Python's re.match.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mo {

/// The pattern is compiled once. All alternatives run in parallel, so that the time is bounded by pattern size times
/// name length for any pattern, and every host gives the same answer. Works on UTF-8 code points; those beyond ASCII
/// count as letters. Lookaround, back references and flags are refused.
class NamePattern {
 public:
  static constexpr size_t kLongest = 1000;  ///< maximum bytes of a pattern written by a user

  /// Throws BadNamePattern with the place in the pattern.
  explicit NamePattern(std::string_view pattern);
  /// Throws BadNamePattern also for a pattern longer than kLongest.
  static NamePattern from_user(std::string_view pattern);

  /// Whether a prefix of `name` matches.
  bool matches(std::string_view name) const { return !run(name, true).empty(); }
  /// The lengths in bytes of all prefixes of `name` that match, ascending.
  std::vector<size_t> match_lengths(std::string_view name) const { return run(name, false); }

  /// A pattern that matches exactly this text.
  static std::string escape(std::string_view name);

 private:
  friend class NamePatternReader;
  using Ranges = std::vector<std::pair<char32_t, char32_t>>;  // first and last code point
  enum class Do { Take, Split, Jump, AtStart, AtEnd, AtVeryEnd, AtBoundary, NotAtBoundary, Match };
  struct Instruction {
    Do what;
    int first = 0, second = 0;  // Split and Jump: distances; Take: index into sets_
  };
  std::vector<size_t> run(std::string_view name, bool first_only) const;
  bool holds(Do condition, std::string_view name, size_t at, char32_t before, char32_t here) const;

  std::vector<Instruction> program_;
  std::vector<Ranges> sets_;
};

}  // namespace mo
