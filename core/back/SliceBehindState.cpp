// In the body of a loop, where a carried value depends on a slice: what an iteration reads of an input
// Before: Add(slice, y), so Mul, Maximum and Minimum
// After:  Add(y, slice)
// Before: next, made of the slice alone by operations on its elements, is the next value of the carried h
// After:  Select(Less(h, h), h, next), which is next
// Conditions: known sizes; y is no slice. The CPU plugin writes a result over its first operand. If that is a slice,
// the next one is read before the carried value is passed on, and takes its place (docs/runtime.md).

#include "core/base/text.h"
#include "core/graph/body.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class SliceBehindState final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ApplyRequestedTransforms"}; }
  Names run_before() const override { return {"CompressFloatConstants", "BackFinish"}; }
  bool graph_condition(Graph& graph) const override { return graph.model().has_bodies; }

  void find_and_replace_pattern(Graph& graph) override {
    if (!graph.owner()) return;
    const std::vector<Node*> nodes = graph.topological_order();
    const std::vector<bool> before = before_carried(graph, nodes);
    const std::vector<bool> slices = first_at_slice(graph, nodes, [](const Node& node) { return is_view(node); });
    for (Node* node : nodes) {
      const std::string& op = node->op();
      if (op != "Add" && op != "Mul" && op != "Maximum" && op != "Minimum") continue;
      const OutPort first = node->source(0), second = node->source(1);
      if (!first || !second || !node->out(0).tensor().shape.is_static()) continue;
      if (!before[at(*node)] || !slices[at(first.node())] || slices[at(second.node())]) continue;
      node->in(0).connect(second);
      node->in(1).connect(first);
    }
    const std::vector<bool> over = first_at_slice(graph, nodes, [](const Node& node) { return !is_elsewhere(node); });
    for (Node* parameter : std::vector<Node*>(graph.parameters))
      if (Node* result = back_edge_of(*parameter); result && result->has_in(0) && over[at(result->source(0).node())])
        move_away(*parameter, *result);
  }

 private:
  static size_t at(const Node& node) { return static_cast<size_t>(node.id()); }

  /// The nodes on which carried values depend.
  static std::vector<bool> before_carried(const Graph& body, const std::vector<Node*>& nodes) {
    std::vector<bool> found(body.ids());
    for (size_t i = nodes.size(); i-- > 0;) {
      const Node& node = *nodes[i];
      if (node.op() == "Result" ? !node.has("internal_layer_id") : !found[at(node)]) continue;
      for (int k = 0; k < node.in_count(); ++k)
        if (const OutPort source = node.source(k)) found[at(source.node())] = true;
    }
    return found;
  }

  /// Slices, and the nodes that `passes` and whose first operand is one of these.
  template <typename Passes>
  static std::vector<bool> first_at_slice(const Graph& body, const std::vector<Node*>& nodes, Passes passes) {
    std::vector<bool> found(body.ids());
    for (const Node* node : nodes) {
      const OutPort first = node->source(0);
      const bool passed = first && found[at(first.node())] && passes(*node);
      found[at(*node)] = node->op() == "Parameter" ? node->has("axis") : passed;
    }
    return found;
  }

  /// Gives the numbers that it gets the same place in memory.
  static bool is_view(const Node& node) {
    return node.op() == "Squeeze" || node.op() == "Unsqueeze" || node.op() == "Reshape";
  }

  /// Gives results a place of their own.
  static bool is_elsewhere(const Node& node) {
    static constexpr std::string_view kOps[] = {"MatMul", "Select",    "Concat",      "Split",
                                                "Gather", "Transpose", "Convolution", "GroupConvolution"};
    return is_one_of(node.op(), kOps);
  }

  /// The next value of `parameter` gets a place of its own.
  static void move_away(Node& parameter, Node& result) {
    const OutPort next = result.source(0), before = parameter.out(0);
    const Tensor &made = next.tensor(), &carried = before.tensor();
    if (!made.shape.is_static() || !(made.shape == carried.shape) || made.type != carried.type) return;
    if (made.type == ElementType::Bool) return;
    Builder b(next.node());
    result.in(0).connect(b.op("Select", {b.op("Less", {before, before}), before, next}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SliceBehindState)
}  // namespace mo
