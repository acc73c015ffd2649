#include "core/ops/former_names.h"

#include "core/base/text.h"
#include "core/ops/contract.h"

namespace mo {
namespace {

constexpr struct {
  std::string_view op, former;
} kFormerOps[] = {
#define MO_FORMER_OP(op, former) {op, former},
#define MO_FORMER_ATTRIBUTE(ops, attribute, former)
#include "core/ops/former_names.def"
};

constexpr struct {
  std::string_view ops, attribute, former;
} kFormerAttributes[] = {
#define MO_FORMER_OP(op, former)
#define MO_FORMER_ATTRIBUTE(ops, attribute, former) {ops, attribute, former},
#include "core/ops/former_names.def"
};

bool knows(std::string_view op, std::string_view attribute) {
  const Contract* contract = find_contract(op);
  return contract && has_attribute(*contract, attribute);
}

}  // namespace

std::vector<std::string_view> ops_called_before(std::string_view op) {
  std::vector<std::string_view> ops;
  for (const auto& row : kFormerOps)
    if (row.former == op) ops.push_back(row.op);
  return ops;
}

std::string_view current_op(std::string_view op) {
  if (!find_contract(op))
    for (const auto& row : kFormerOps)
      if (row.former == op) return row.op;
  return op;
}

std::string_view current_attribute(const Node& node, std::string_view name) {
  for (const auto& row : kFormerAttributes) {
    if (row.former != name) continue;
    for (const std::string& op : split(row.ops, ' '))
      if (op == node.op()) return row.attribute;
  }
  return name;
}

std::string_view settle_attribute(Node& node, std::string_view name) {
  const auto& own = node.graph().model().user_ops;
  if (own.find(node.op()) != own.end() || knows(node.op(), name)) return name;
  for (const auto& row : kFormerOps)
    if (row.former == node.op() && knows(row.op, name)) node.set_op(std::string(row.op));
  return current_attribute(node, name);
}

}  // namespace mo
