#include "core/front/common/relu6.h"

#include "core/front/common/operands.h"

namespace mo {
namespace {

/// The x of x + 3.
OutPort before_shift(OutPort sum) {
  if (!sum || sum.node().op() != "Add" || sum.node().in_count() != 2) return {};
  for (int i = 0; i < 2; ++i) {
    const OutPort x = sum.node().source(i);
    if (x && number_beside(sum.node().source(1 - i), x) == 3.0) return x;
  }
  return {};
}

/// The other operand if the node is the minimum or maximum (`operation`: min, max) of a tensor and the number `bound`.
OutPort beside_bound(const Node& node, std::string_view operation, double bound) {
  const bool is_it = node.op() == "EltwiseN" ? node.get_string("operation") == operation
                                             : node.op() == (operation == "min" ? "Minimum" : "Maximum");
  if (!is_it || node.in_count() != 2) return {};
  for (int i = 0; i < 2; ++i) {
    const OutPort x = node.source(i);
    if (x && number_beside(node.source(1 - i), x) == bound) return x;
  }
  return {};
}

OutPort relu6_by_clamp(Node& last) {
  if (last.op() == "AttributedClamp") {
    const bool bounded = last.get_float("min", -1) == 0 && last.get_float("max", -1) == 6;
    return bounded ? before_shift(last.source(0)) : OutPort();
  }
  if (last.op() != "Clamp") return {};
  const OutPort x = before_shift(last.source(0));
  if (!x || !last.has_in(1) || !last.has_in(2)) return {};
  return number_beside(last.source(1), x) == 0.0 && number_beside(last.source(2), x) == 6.0 ? x : OutPort();
}

OutPort relu6_by_min_max(Node& last) {
  const OutPort cut = beside_bound(last, "min", 6);
  return cut ? before_shift(beside_bound(cut.node(), "max", 0)) : OutPort();
}

OutPort relu6_by_relu(Node& last) {
  const OutPort cut = beside_bound(last, "min", 6);
  return cut && cut.node().op() == "ReLU" ? before_shift(cut.node().source(0)) : OutPort();
}

}  // namespace

const Relu6Form kRelu6ByClamp = {{"AttributedClamp", "Clamp"}, relu6_by_clamp},
                kRelu6ByMinMax = {{"EltwiseN", "Minimum"}, relu6_by_min_max},
                kRelu6ByRelu = {{"EltwiseN", "Minimum"}, relu6_by_relu};

void fuse_hswish(Graph& graph, const Relu6Form& form) {
  for (Node* last : graph.nodes_of({form.ops[0], form.ops[1]})) {
    const OutPort x = form.data(*last);
    if (!x) continue;
    for (const Product& product : products_of(*last, 1.0 / 6))
      if (product.x == x) take_place_of(*product.node, add_fused(graph, "HSwish", {x}));
  }
}

void fuse_hsigmoid(Graph& graph, const Relu6Form& form, std::string_view op) {
  for (Node* last : graph.nodes_of({form.ops[0], form.ops[1]})) {
    const OutPort x = form.data(*last);
    if (!x) continue;
    for (const InPort& use : OutPort(*last).destinations()) {
      Node& node = use.node();
      if ((!op.empty() && node.op() != op) || OutPort(node).disconnected()) continue;
      const auto scale = scale_of(use);
      if (scale && is_close(*scale, 1.0 / 6)) take_place_of(node, add_fused(graph, "HSigmoid", {x}));
    }
  }
}

}  // namespace mo
