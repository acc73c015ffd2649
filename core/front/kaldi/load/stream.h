// The tokens and numbers of a Kaldi file, binary or as text. Kaldi's own reader of both is one: a file is read from its
// begin on, and nothing but the tokens before says what comes next.
#pragma once

#include <string>
#include <string_view>

#include "core/base/window.h"
#include "core/graph/attributes.h"

namespace mo::kaldi {

class Stream {
 public:
  /// Where something begins.
  struct Mark {
    uint64_t at = 0;
    int line = 1;
    uint64_t line_begin = 0;
  };
  static constexpr size_t kLongestToken = 4096, kLongestLine = 16 << 20;
  static constexpr uint64_t kMostIntegers = 1 << 24;

  /// At the begin of the file, behind the mark of a binary one.
  Stream(Files& files, FileId file);
  /// In the middle of a text.
  Stream(Files& files, FileId file, Mark mark) : window_(files, file), here_(mark) {}

  bool is_binary() const { return is_binary_; }
  Window& window() { return window_; }
  uint64_t left() const { return window_.size() - here_.at; }
  const Mark& mark() const { return here_; }
  void go_to(const Mark& mark) { here_ = mark; }
  Place place() const { return place(here_); }
  Place place(const Mark& mark) const;
  /// Whether only blanks are left, which it skips.
  bool at_end();

  /// The next word; throws TruncatedFile at the end, CorruptFile for what is no word.
  std::string token();
  /// The same without taking it; empty at the end, and for what is no word.
  std::string peek();
  /// Takes the token if it is the next.
  bool accept(std::string_view token);
  void expect(std::string_view token);
  /// Takes a word, whatever it is and however long.
  void skip_word();
  /// Whether a token in brackets comes next: values without a token never begin with "<".
  bool is_before_tag();
  /// The rest of the line.
  std::string line();

  int64_t integer();
  double number();
  bool boolean();
  Ints integers();
  /// Pairs one after the other.
  Ints pairs();

  /// Inside of "[ ]" of a text.
  enum class Piece { Number, EndOfRow, Close };
  Piece piece(double& value);
  /// Takes "[" of a text; false for "[]".
  bool open_bracket();

  // Of binary files, without their own size.
  uint64_t raw(size_t bytes);
  float raw_float();
  void skip(uint64_t bytes);
  /// The byte that comes next; -1 at the end.
  int next_byte();

  [[noreturn]] void corrupt(const Mark& at, const Detail& what) const;

 private:
  void take();
  void skip_blanks();
  std::string number_text();

  Window window_;
  Mark here_;
  bool is_binary_ = false;
};

}  // namespace mo::kaldi
