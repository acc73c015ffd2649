#include "core/ops/contract.h"
#include "core/pipeline/transforms.h"

namespace mo {
namespace {

/// Whether the decomposition has replaced the node. A decomposition that is offered every node `may_leave` it as it is.
bool replace(Decomposition& decomposition, Node& node, bool may_leave) {
  if (!decomposition.applies(node)) return false;
  std::vector<OutPort> ports;
  const bool replaced = at_node(node, [&] {
    Builder builder(node);
    ports = decomposition.decompose(builder, node);
    if (ports.empty() && may_leave) return false;
    for (int i = 0; i < node.out_count(); ++i) {
      const OutPort old(&node, i);
      const OutPort made = static_cast<size_t>(i) < ports.size() ? ports[static_cast<size_t>(i)] : OutPort();
      if (made) {
        old.connection().set_source(made, TensorNames::Merge);
      } else if (!old.disconnected()) {
        throw Error(Code::UnsupportedForm, msg("output ", i, " is used"));
      }
    }
    return true;
  });
  if (!replaced) return false;
  // The node that gives the first output takes the name that the user knows.
  const OutPort first = ports.empty() ? OutPort() : ports[0];
  node.graph().remove(node);
  if (first && first.node().name().rfind(node.name() + "/", 0) == 0 && first.node().op() != "Const")
    first.node().set_name(node.name());
  return true;
}

}  // namespace

Decompositions::Decompositions(std::string_view framework, const TransformSwitches& switches) {
  for (const TransformRow& row : all_transforms()) {
    if (row.phase != Phase::Infer || !row.is_for(framework) || switches.disables(row)) continue;
    owned_.push_back(row.make());
    auto* decomposition = static_cast<Decomposition*>(owned_.back().get());
    const Names ops = decomposition->ops();
    if (ops.empty()) of_any_.push_back(decomposition);
    for (const std::string_view op : ops)
      if (!by_op_.emplace(op, Entry{&row, decomposition}).second)
        throw Error(Code::DuplicateTransform, msg(op, " in ", row.name, " and ", by_op_.at(op).row->name));
  }
}

std::string_view Decompositions::find(std::string_view op) const {
  const auto found = by_op_.find(op);
  return found == by_op_.end() ? std::string_view() : found->second.row->name;
}

bool Decompositions::apply(Node& node) const {
  for (Decomposition* decomposition : of_any_)
    if (replace(*decomposition, node, true)) return true;
  const auto found = by_op_.find(node.op());
  if (found == by_op_.end()) return false;
  complete_by_contract(node);
  return replace(*found->second.decomposition, node, false);
}

}  // namespace mo
