#include "core/front/paddle/pir/operations.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"

namespace mo::paddle::pir {
namespace {

// One text for all rows: a structure of views for each would be larger than its words.
constexpr std::string_view kTable =
#define PADDLE_PIR(name, type, operands, results, attributes) \
#name "|" #type "|" operands "|" results "|" attributes "\n"
#include "core/front/paddle/pir/operations.def"
    ;

/// The text up to `mark`, which is taken off `rest`.
std::string_view cut(std::string_view& rest, char mark) {
  const size_t at = std::min(rest.find(mark), rest.size());
  const std::string_view out = rest.substr(0, at);
  rest.remove_prefix(std::min(at + 1, rest.size()));
  return out;
}

OperandRow operand_row(std::string_view word) {
  const bool is_written = word.ends_with('!');
  if (is_written) word.remove_suffix(1);
  if (word == "-") return {.is_written = is_written};
  if (word.find(':') == word.npos) return {.slot = word, .is_written = is_written};
  OperandRow out{.attribute = cut(word, ':')};
  out.slot = cut(word, ',');
  out.list_slot = word;
  if (out.slot.empty()) out.slot = out.attribute;
  return out;
}

std::map<std::string_view, OperationRow> read_table() {
  std::map<std::string_view, OperationRow> out;
  for (std::string_view rest = kTable; !rest.empty();) {
    std::string_view line = cut(rest, '\n');
    OperationRow row;
    row.name = cut(line, '|');
    row.type = cut(line, '|');
    for (std::string_view words = cut(line, '|'); !words.empty();) row.operands.push_back(operand_row(cut(words, ' ')));
    for (std::string_view words = cut(line, '|'); !words.empty();) row.results.push_back(cut(words, ' '));
    row.attributes = line;
    out.emplace(row.name, std::move(row));
  }
  return out;
}

/// The row of exactly that name.
const OperationRow* row_of(std::string_view name) {
  static const std::map<std::string_view, OperationRow> rows = read_table();
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : &found->second;
}

Attribute value_said(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  if (const auto integer = parse_int(text)) return *integer;
  if (const auto number = parse_double(text)) return *number;
  return std::string(text);
}

}  // namespace

void OperationRow::adapt(Attributes& out) const {
  for (std::string_view words = attributes; !words.empty();) {
    std::string_view word = cut(words, ' ');
    if (word.find('>') == word.npos) {
      const std::string_view name = cut(word, '=');
      out.set(name, value_said(word));
      continue;
    }
    const std::string_view name = cut(word, '>');
    const Attribute* found = out.find(name);
    if (!found) continue;
    Attribute value = *found;
    out.erase(name);
    if (!word.empty()) out.set(word, std::move(value));
  }
}

const OperationRow* find_row(std::string_view name) {
  if (const OperationRow* row = row_of(name)) return row;
  return name.ends_with('_') ? row_of(name.substr(0, name.size() - 1)) : nullptr;
}

int written_operand(std::string_view name) {
  if (const OperationRow* row = row_of(name)) {
    const auto is_written = [](const OperandRow& operand) { return operand.is_written; };
    const auto found = std::find_if(row->operands.begin(), row->operands.end(), is_written);
    return found == row->operands.end() ? -1 : static_cast<int>(found - row->operands.begin());
  }
  return name.ends_with('_') && find_row(name) ? 0 : -1;
}

}  // namespace mo::paddle::pir
