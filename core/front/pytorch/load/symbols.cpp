#include "core/front/pytorch/load/symbols.h"

#include <vector>

#include "core/base/text.h"

namespace mo::pytorch {
namespace {

constexpr int kDeepest = 64;
constexpr Interval kUnbounded;

/// Reads Name(argument, …), numbers, texts in quotes and keyword=value.
class ExpressionReader {
 public:
  ExpressionReader(std::string_view text, const SymbolBounds& symbols) : text_(text), symbols_(symbols) {}

  Interval read() {
    const Interval out = term(0);
    return failed_ || at_ != text_.size() ? kUnbounded : out;
  }

 private:
  bool take(char c) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  std::string_view word() {
    skip_blanks();
    const size_t begin = at_;
    const auto is_of_word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    };
    while (at_ < text_.size() && is_of_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view quoted() {
    if (!take('\'')) return {};
    const size_t end = text_.find('\'', at_);
    if (end == text_.npos) return fail(), std::string_view();
    const std::string_view out = text_.substr(at_, end - at_);
    at_ = end + 1;
    return out;
  }
  void fail() { failed_ = true, at_ = text_.size(); }

  Interval term(int depth) {
    if (depth > kDeepest) return fail(), kUnbounded;
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '\'') return quoted(), kUnbounded;
    const std::string_view name = word();
    if (name.empty()) return fail(), kUnbounded;
    if (const auto number = parse_int(name)) return *number;
    if (take('=')) return term(depth + 1), kUnbounded;
    if (!take('(')) return kUnbounded;  // True, False, S
    if (name == "Symbol") return symbol(depth);
    std::vector<Interval> all;
    while (!failed_ && !take(')')) {
      all.push_back(term(depth + 1));
      if (!take(',') && (at_ >= text_.size() || text_[at_] != ')')) fail();
    }
    return failed_ ? kUnbounded : value(name, all);
  }

  Interval symbol(int depth) {
    const auto found = symbols_.find(quoted());
    while (!failed_ && !take(')')) {
      if (!take(',')) return fail(), kUnbounded;
      term(depth + 1);
    }
    return found == symbols_.end() ? kUnbounded : found->second;
  }

  static Interval value(std::string_view name, const std::vector<Interval>& all) {
    if (all.empty()) return kUnbounded;
    if (name == "Integer") return all[0];
    Interval out = all[0];
    for (size_t i = 1; i < all.size(); ++i) {
      if (name == "Add")
        out = out + all[i];
      else if (name == "Mul")
        out = out * all[i];
      else if (name == "Max")
        out = max(out, all[i]);
      else if (name == "Min")
        out = min(out, all[i]);
      else if (is_one_of(name, {"FloorDiv", "CleanDiv"}))
        out = floor_div(out, all[i]);
      else if (name == "CeilDiv")
        out = ceil_div(out, all[i]);
      else if (is_one_of(name, {"Pow", "PowByNatural"}) && all[i].is_exact() && all[i].min >= 0 && all[i].min <= 64)
        out = power(out, all[i].min);
      else if (is_one_of(name, {"Mod", "PythonMod"}) && all[i].is_exact() && all[i].min > 0)
        out = Interval(0, all[i].min - 1);
      else
        return kUnbounded;
    }
    return all.size() > 1 || is_one_of(name, {"Add", "Mul", "Max", "Min"}) ? out : kUnbounded;
  }

  static Interval power(Interval base, int64_t exponent) {
    Interval out = 1;
    for (; exponent > 0; --exponent) out = out * base;
    return out;
  }

  std::string_view text_;
  const SymbolBounds& symbols_;
  size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

Interval bounds_of(std::string_view expression, const SymbolBounds& symbols) {
  return ExpressionReader(expression, symbols).read();
}

}  // namespace mo::pytorch
