// In the body of a loop, where a carried value depends on a slice: what an iteration reads of an input
// Before: Add(slice, y), so Mul, Maximum and Minimum
// After:  Add(y, slice)
// Before: next, made of the slice alone by operations on its elements, is the next value of the carried h
// After:  Select(Less(h, h), h, next), which is next
// Conditions: known sizes; y is no slice. The CPU plugin writes a result over its first operand. If that is a slice, the
// next one is read before the carried value is passed on, and takes its place (docs/runtime.md).

#include <algorithm>
#include <set>

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
    const std::set<int> before = before_carried(graph);
    for (Node* node : graph.nodes_of({"Add", "Mul", "Maximum", "Minimum"})) {
      const OutPort first = node->source(0), second = node->source(1);
      if (!before.count(node->id()) || !is_slice(first) || is_slice(second) || !is_known(*node)) continue;
      node->in(0).connect(second);
      node->in(1).connect(first);
    }
    for (Node* parameter : std::vector<Node*>(graph.parameters))
      if (Node* result = back_edge_of(*parameter)) move_away(*parameter, *result);
  }

 private:
  /// The nodes on which carried values depend.
  static std::set<int> before_carried(const Graph& body) {
    std::set<int> found;
    std::vector<const Node*> next;
    for (const Node* result : body.results)
      if (result->has("internal_layer_id")) next.push_back(result);
    while (!next.empty()) {
      const Node& node = *next.back();
      next.pop_back();
      for (int i = 0; i < node.in_count(); ++i)
        if (const OutPort source = node.source(i); source && found.insert(source.node().id()).second)
          next.push_back(&source.node());
    }
    return found;
  }

  static bool is_known(Node& node) { return node.out(0).tensor().shape.is_static(); }

  /// The next value of `parameter` gets a place of its own.
  static void move_away(Node& parameter, Node& result) {
    const OutPort next = result.source(0), before = parameter.out(0);
    if (!next || !is_written_over_slice(next)) return;
    const Tensor &made = next.tensor(), &carried = before.tensor();
    if (!made.shape.is_static() || !(made.shape == carried.shape) || made.type != carried.type) return;
    if (made.type == ElementType::Bool) return;
    Builder b(next.node());
    result.in(0).connect(b.op("Select", {b.op("Less", {before, before}), before, next}));
  }

  /// Whether the chain of first operands ends at a slice.
  static bool is_written_over_slice(OutPort port) {
    static constexpr std::string_view kElsewhere[] = {"MatMul",    "Select", "Concat",     "Split",           "Gather",
                                                      "Transpose", "Const",  "Convolution", "GroupConvolution"};
    while (port && port.node().op() != "Parameter") {
      const std::string& op = port.node().op();
      if (std::find(std::begin(kElsewhere), std::end(kElsewhere), op) != std::end(kElsewhere)) return false;
      port = port.node().source(0);
    }
    return port && port.node().has("axis");
  }

  /// A slice that has its place in memory, whatever its shape.
  static bool is_slice(OutPort port) {
    while (port && (port.node().op() == "Squeeze" || port.node().op() == "Unsqueeze" || port.node().op() == "Reshape"))
      port = port.node().source(0);
    return port && port.node().op() == "Parameter" && port.node().has("axis");
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(SliceBehindState)
}  // namespace mo
