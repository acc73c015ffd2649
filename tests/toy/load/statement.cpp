#include "tests/toy/load/statement.h"

namespace mo::toy {

std::vector<Statement> read_statements(const std::string& text) {
  std::vector<Statement> statements;
  int line = 1;
  for (size_t begin = 0; begin < text.size(); ++line) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    Statement statement{{}, line, begin, end - begin};
    for (size_t at = begin; (at = text.find_first_not_of(' ', at)) < end;) {
      const size_t stop = std::min(text.find(' ', at), end);
      statement.words.push_back({text.substr(at, stop - at), static_cast<int>(at - begin) + 1});
      at = stop;
    }
    if (!statement.words.empty() && statement.words[0].text[0] != '#') statements.push_back(std::move(statement));
    begin = end + 1;
  }
  return statements;
}

}  // namespace mo::toy
