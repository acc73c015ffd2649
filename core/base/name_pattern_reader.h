// Compiles the text of a NamePattern into its program.
#pragma once

#include "core/base/detail.h"
#include "core/base/name_pattern.h"

namespace mo {

/// The code point at byte `at` and its length in bytes. An invalid byte becomes a value outside Unicode.
std::pair<char32_t, size_t> decode_utf8(std::string_view text, size_t at);

class NamePatternReader {
 public:
  NamePatternReader(std::string_view text, NamePattern& pattern) : text_(text), pattern_(pattern) {}
  /// Throws BadNamePattern.
  void read();
  /// The characters of \w.
  static const NamePattern::Ranges& word();

 private:
  using Do = NamePattern::Do;
  using Ranges = NamePattern::Ranges;
  using Piece =
      std::vector<NamePattern::Instruction>;  // distances are relative, so pieces can be concatenated and repeated
  struct Count {
    int least = 1, most = 1;  // most < 0: any number
  };

  [[noreturn]] void refuse(const Detail& what) const;
  bool at_end() const { return at_ == text_.size(); }
  bool next_is(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool skip(char c);
  char32_t take();
  Piece read_alternatives(int depth);
  Piece read_sequence(int depth);
  Piece read_atom(int depth, bool& repeatable);
  Piece read_group(int depth);
  Piece read_escape(bool& repeatable);
  char32_t read_character_escape(char32_t letter);
  bool read_class_escape(Ranges& ranges);
  Ranges read_set();
  bool read_count(Count& count);
  int read_number(bool& given);
  Piece repeat(const Piece& piece, Count count) const;
  void append(Piece& to, const Piece& piece) const;
  Piece one_of(Ranges ranges);

  std::string_view text_;
  NamePattern& pattern_;
  size_t at_ = 0;
};

}  // namespace mo
