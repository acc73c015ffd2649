// The toy format's text: one statement per line, words separated by blanks.
#pragma once

#include <string>
#include <vector>

#include "core/base/files.h"

namespace mo::toy {

struct Word {
  std::string text;
  int column = 0;  ///< from 1, in bytes
};

struct Statement {
  std::vector<Word> words;  ///< one at least
  int line = 0;             ///< from 1
  uint64_t offset = 0, size = 0;
};

/// The statements of a text; lines that are empty or begin with '#' are none.
std::vector<Statement> read_statements(const std::string& text);

}  // namespace mo::toy
