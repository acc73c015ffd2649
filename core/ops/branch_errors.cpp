#include "core/ops/branch_errors.h"

#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/graph/body.h"

namespace mo {
namespace {

bool is_number(const Tensor& tensor) { return tensor.shape.is_static() && element_count(tensor.shape.to_shape()) == 1; }

/// The inputs of the model that decide the condition, each of one element, in the order of the model; none where
/// something else decides it, too.
std::vector<const Node*> deciding_inputs(const Node& owner) {
  std::set<const Node*> seen;
  std::vector<const Node*> inputs;
  std::vector<OutPort> open = {owner.source(0)};
  while (!open.empty()) {
    const OutPort port = open.back();
    open.pop_back();
    if (!port) return {};
    const Node& node = port.node();
    if (port.tensor().value || !seen.insert(&node).second) continue;
    if (node.op() == "Parameter" && node.graph().owner()) {
      open.push_back(invariant_source(node));
    } else if (node.op() == "Parameter" && is_number(port.tensor())) {
      inputs.push_back(&node);
    } else if (node.in_count() == 0) {
      return {};
    }
    for (int i = 0; i < node.in_count(); ++i)
      if (const OutPort source = node.source(i)) open.push_back(source);
  }
  std::sort(inputs.begin(), inputs.end(), [](const Node* a, const Node* b) { return a->id() < b->id(); });
  return inputs;
}

/// The graph that no node has as a body.
Graph& outermost(const Node& node) {
  Graph* graph = &node.graph();
  while (const Node* owner = graph->owner()) graph = &owner->graph();
  return *graph;
}

/// The value of --input that freezes `deciding`. If --input_shape is given, it would need as many items as --input; so
/// all inputs are named with their shapes, and --input_shape is left out.
Detail frozen(const Node& owner, const std::vector<const Node*>& deciding) {
  const auto with_value = [](const Node* input) { return cat(printable(input->name()), "->VALUE"); };
  Graph& graph = outermost(owner);
  const auto& options = graph.model().options;
  if (std::none_of(options.begin(), options.end(), [](const OptionText& one) { return one.name == "input_shape"; }))
    return msg("\"", join(deciding, with_value, ","), "\"");
  const auto item = [&](Node* input) {
    const bool decides = std::find(deciding.begin(), deciding.end(), input) != deciding.end();
    return decides ? with_value(input)
                   : cat(printable(input->name()), "[", to_string(input->out(0).tensor().shape), "]");
  };
  return msg("\"", join(graph.nodes("Parameter"), item, ","), "\" instead of --input_shape");
}

}  // namespace

void tell_branch(const Node& owner, const char* branch, size_t first) {
  const std::vector<const Node*> inputs = deciding_inputs(owner);
  if (inputs.empty()) return;
  const bool is_then = std::string_view(branch) == "then_branch";
  owner.graph().model().diagnostics.amend_errors(
      first,
      is_then ? msg(", in the then branch of \"", owner.name(), "\"")
              : msg(", in the else branch of \"", owner.name(), "\""),
      msg("; if the model never takes this branch, freeze what decides: --input ", frozen(owner, inputs)));
}

}  // namespace mo
