#include "core/ir/verify/operation_table.h"

#include <unordered_map>

#include "core/base/text.h"

namespace mo {
namespace {

struct NamedWords {
  std::string_view name, words;
};
constexpr NamedWords kTypeClasses[] = {
#define MO_IR_TYPES(name, words) {name, words},
#define MO_IR_VALUES(name, words)
#define MO_IR_OP(type, sets, inputs, outputs, attributes)
#include "core/ir/verify/operations.def"
};
constexpr NamedWords kValues[] = {
#define MO_IR_TYPES(name, words)
#define MO_IR_VALUES(name, words) {name, words},
#define MO_IR_OP(type, sets, inputs, outputs, attributes)
#include "core/ir/verify/operations.def"
};
// One text for all rows: a table of pointers would take more room in the module than the text.
constexpr std::string_view kOperations =
#define MO_IR_TYPES(name, words)
#define MO_IR_VALUES(name, words)
#define MO_IR_OP(type, sets, inputs, outputs, attributes) type "\n" sets "\n" inputs "\n" outputs "\n" attributes "\n"
#include "core/ir/verify/operations.def"
    ;

/// Takes what is before the separator off the text.
std::string_view cut_off(std::string_view& text, char separator) {
  const size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text = end == text.npos ? std::string_view() : text.substr(end + 1);
  return part;
}

/// "2-3", "2-*", "2-" with `open` as its end, or one number.
std::pair<int, int> limits_of(std::string_view text, int open) {
  const std::string_view first = cut_off(text, '-');
  if (first == "*") return {0, open};
  const int least = static_cast<int>(*parse_int(first));
  if (text.empty()) return {least, text.data() ? open : least};
  return {least, text == "*" ? open : static_cast<int>(*parse_int(text))};
}

std::string_view words_named(std::string_view name, const NamedWords* begin, const NamedWords* end) {
  for (; begin != end; ++begin)
    if (begin->name == name) return begin->words;
  return {};
}

IrInputRule input_rule(std::string_view text) {
  IrInputRule rule;
  std::string_view same = cut_off(text, ':');
  const std::string_view types = cut_off(same, '=');
  if (!same.empty()) rule.same_as = static_cast<int>(*parse_int(same));
  if (!types.empty()) rule.types = words_named(types, std::begin(kTypeClasses), std::end(kTypeClasses));
  if (text.empty()) return rule;
  const std::string_view least = cut_off(text, '-');
  rule.least = static_cast<int>(*parse_int(least));
  if (!text.empty()) rule.most = static_cast<int>(*parse_int(text));
  return rule;
}

IrOperation operation(std::string_view sets, std::string_view inputs, std::string_view outputs,
                      std::string_view attributes) {
  IrOperation out;
  const auto span = limits_of(sets, 0);
  out.first = span.first;
  out.last = span.second;
  const auto counts = limits_of(cut_off(inputs, ' '), IrOperation::kAny);
  out.least_inputs = counts.first;
  out.most_inputs = counts.second;
  while (!inputs.empty()) {
    std::string_view port = cut_off(inputs, ' ');
    out.repeats_last = port.starts_with('*');
    if (out.repeats_last) port.remove_prefix(1);
    out.inputs.push_back(input_rule(port));
  }
  out.most_outputs = outputs == "*" ? IrOperation::kAny : limits_of(outputs, 0).second;
  while (!attributes.empty()) {
    std::string_view text = cut_off(attributes, ' ');
    IrAttributeRule rule;
    rule.name = cut_off(text, ':');
    rule.is_needed = text.ends_with('!');
    rule.kind = rule.is_needed ? text.substr(0, text.size() - 1) : text;
    out.attributes.push_back(rule);
  }
  return out;
}

using OperationTable = std::unordered_map<std::string, std::vector<IrOperation>>;

OperationTable all_operations() {
  OperationTable out;
  for (std::string_view text = kOperations; !text.empty();) {
    const std::string_view type = cut_off(text, '\n');
    const std::string_view sets = cut_off(text, '\n');
    const std::string_view inputs = cut_off(text, '\n');
    const std::string_view outputs = cut_off(text, '\n');
    const std::string_view attributes = cut_off(text, '\n');
    out[lower(type)].push_back(operation(sets, inputs, outputs, attributes));
  }
  return out;
}

}  // namespace

const std::vector<IrOperation>* find_ir_operation(std::string_view type) {
  static const OperationTable table = all_operations();
  const auto found = table.find(lower(type));
  return found == table.end() ? nullptr : &found->second;
}

std::optional<std::string_view> ir_values(std::string_view kind) {
  for (const NamedWords& values : kValues)
    if (values.name == kind) return values.words;
  return std::nullopt;
}

bool is_word_of(std::string_view word, std::string_view words) {
  if (word.empty()) return false;
  while (!words.empty())
    if (cut_off(words, ' ') == word) return true;
  return false;
}

}  // namespace mo
