#include "core/front/tf/load/outputs.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

struct OutputsRow {
  std::string_view op, names;  ///< no names: a list of outputs
  std::string_view list;       ///< the attribute that has its length
  int results;
};
constexpr OutputsRow kOutputs[] = {
#define TF_OUTPUTS(op, names, results) {#op, names, {}, results},
#define TF_OUTPUT_LIST(op, attribute) {#op, {}, #attribute, INT32_MAX},
#include "core/front/tf/load/outputs.def"
};

const OutputsRow* find_row(std::string_view op) {
  const auto found = std::find_if(std::begin(kOutputs), std::end(kOutputs), [&](auto& row) { return row.op == op; });
  return found == std::end(kOutputs) ? nullptr : found;
}

}  // namespace

int64_t output_count(const Node& node, int64_t most) {
  const OutputsRow* row = find_row(node.op());
  if (!row) return 1;
  if (!row->names.empty()) return 1 + std::count(row->names.begin(), row->names.end(), ' ');
  const Ints* types = node.attributes.get_if<Ints>(row->list);
  const int64_t count = types ? static_cast<int64_t>(types->size()) : node.get_int(row->list);
  if (count < 0 || count > most) throw Error(Code::BadAttribute, msg(row->list, " is ", count), node.place());
  return count;
}

std::optional<int64_t> known_output_count(const Node& node, int64_t most) {
  const OutputsRow* row = find_row(node.op());
  const bool known =
      row ? row->names.find('*') == std::string_view::npos && (!row->names.empty() || node.has(row->list))
          : node.op() == "Const" || node.op() == "Parameter" || is_extracted(node.op());
  return known ? std::optional(output_count(node, most)) : std::nullopt;
}

int64_t output_position(std::string_view op, std::string_view name) {
  const OutputsRow* row = find_row(op);
  if (!row || name.empty()) return 0;
  const std::vector<std::string> names = split(row->names, ' ');
  const auto found = std::find_if(names.begin(), names.end(),
                                  [&](const std::string& one) { return one == name || one == cat(name, "*"); });
  return found == names.end() ? 0 : found - names.begin();
}

int result_count(const Node& node) {
  const OutputsRow* row = find_row(node.op());
  return row ? row->results : 1;
}

}  // namespace mo::tf
