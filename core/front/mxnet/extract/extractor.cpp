#include "core/front/mxnet/extract/extractor.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/build/attribute_rows.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {

#define MO_OPERATORS "core/front/mxnet/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

void read_attributes(Node& node) {
  const Operator* row = operators().find(node.pb->op, node.pb->domain);
  if (!row || !row->internal) return;
  Attributes typed;
  for (const std::string& entry : split(row->attributes, ' ')) {
    const std::string key = entry.substr(0, entry.find_first_of(">="));
    if (key.empty() || !is_given(node, key)) continue;
    const size_t equals = entry.find('=');
    const Attribute otherwise = literal(equals == std::string::npos ? std::string() : entry.substr(equals + 1));
    const std::string text = text_of(node, key);
    if (std::holds_alternative<std::string>(otherwise))
      typed.set(key, text);
    else if (std::holds_alternative<double>(otherwise))
      typed.set(key, float_of(node, key));
    else if (is_one_of(lower(text), {"true", "false"}))
      typed.set(key, static_cast<int64_t>(bool_of(node, key)));
    else
      typed.set(key, int_of(node, key));
  }
  node.attributes = std::move(typed);
}

OutPort required(const Node& node, int index) {
  require_input(node, index);
  return node.source(index);
}

std::vector<OutPort> all_inputs(const Node& node, int least) {
  std::vector<OutPort> out;
  for (int i = 0; i < std::max(node.in_count(), least); ++i) out.push_back(required(node, i));
  return out;
}

}  // namespace mo::mxnet
