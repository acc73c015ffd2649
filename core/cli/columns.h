// How wide a text is.
#pragma once

#include <algorithm>
#include <string_view>

namespace mo {

/// The characters of a text in UTF-8. Terminals show some of them in two columns, or in none.
inline size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace mo
