#include "core/front/companions/file_name.h"

#include <algorithm>
#include <vector>

namespace mo {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

std::string_view folder_part(std::string_view path) { return path.substr(0, path.rfind('/') + 1); }

std::string_view bare_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string_view stem_of(std::string_view path) {
  const std::string_view name = bare_name(path);
  const size_t dot = name.rfind('.');
  return dot == 0 ? name : name.substr(0, dot);
}

bool fits_pattern(std::string_view name, std::string_view pattern, std::string_view stem) {
  // reached[i]: the pattern as far as it is read fits the first i characters.
  std::vector<bool> reached(name.size() + 1), next(name.size() + 1);
  reached[0] = true;
  while (!pattern.empty()) {
    std::fill(next.begin(), next.end(), false);
    const bool is_stem = pattern.starts_with(kStemMark);
    const std::string_view fixed = is_stem ? stem : pattern.substr(0, 1);
    const char mark = is_stem ? '\0' : pattern[0];
    for (size_t i = 0; i <= name.size(); ++i) {
      if (mark == '*') {
        next[i] = reached[i] || (i > 0 && next[i - 1]);
      } else if (mark == '#') {
        next[i] = i > 0 && is_digit(name[i - 1]) && (reached[i - 1] || next[i - 1]);
      } else if (reached[i] && name.substr(i).starts_with(fixed)) {
        next[i + fixed.size()] = true;
      }
    }
    std::swap(reached, next);
    pattern.remove_prefix(is_stem ? kStemMark.size() : 1);
  }
  return reached[name.size()];
}

}  // namespace mo
