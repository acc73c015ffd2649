// Before: tensors marked Permuted, all records in the framework's layout
// After:  their records are turned, and the attributes and inputs of the nodes in NCHW by the rules of their
//         operations; what depends on a record that changed is inferred again. The model is NCHW from here on.

#include <algorithm>

#include "core/graph/body.h"
#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class ApplyPermutation final : public LayoutPass {
 public:
  Names run_after() const override { return {"PreserveRuntimeInfo"}; }
  Names run_before() const override { return {"BackStart"}; }
  bool run_not_recursively() const override { return true; }
  bool force_shape_inference() const override { return true; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for_each_graph(graph, apply);
    graph.model().layout = DataLayout::Nchw;
  }

 private:
  static void apply(Graph& graph) {
    // First what is to be done, as doing it takes away what it is known by.
    std::vector<std::pair<Node*, Permutation>> in_nchw;
    std::vector<Node*> turning;
    for (Node* node : graph.nodes()) {
      if (standing(*node) == Standing::Turning) turning.push_back(node);
      const OutPort data = node->source(0) ? node->source(0) : node->out_count() > 0 ? OutPort(*node) : OutPort();
      if (!data || !data.tensor().shape.has_rank() || !works_in_nchw(*node)) continue;
      in_nchw.emplace_back(node, nhwc_to_nchw(data.tensor().shape.dimensions().size()));
    }
    for (Node* node : turning) spare(*node);
    for (const auto& [node, p] : in_nchw) permute(*node, p);
    for (Node* node : graph.nodes("ShapeOf")) node->require_shape_inference();
    for (Node* node : graph.nodes()) {
      for (int i = 0; i < node->out_count(); ++i) {
        Tensor& tensor = OutPort(node, i).tensor();
        if (tensor.layout == LayoutMark::Permuted && tensor.shape.has_rank()) {
          tensor.shape = permute_shape(tensor.shape, nhwc_to_nchw(tensor.shape.dimensions().size()));
          // What is known of the elements is in the old order.
          if (tensor.value || tensor.ints) node->require_shape_inference();
        }
        tensor.layout = LayoutMark::Free;
      }
    }
    for (Node* node : turning) {
      node->attributes.erase("nchw_layout");
      node->require_shape_inference();
    }
  }

  static void permute(Node& node, const Permutation& p) {
    if (const OpDef* def = node.definition()) {
      permute_attributes(node, def->layout.rules, p);
      permute_inputs(node, def->layout.rules, p);
    }
  }

  /// A Reshape needs no Transpose that leaves the order of the elements as it is, unless it copies dimensions.
  static void spare(Node& turning) {
    const PartialShape& shape = turning.out().tensor().shape;  // the framework's
    if (turning.out().tensor().layout != LayoutMark::Correct) return;
    int spatial = 0;
    for (size_t i = 1; i + 1 < shape.dimensions().size(); ++i) spatial += !(shape[i] == Dimension(1));
    if (spatial > 0 && !(shape.dimensions().back() == Dimension(1))) return;
    for (const InPort& port : turning.out().destinations()) {
      if (port.node().op() != "Reshape" || port.index() != 0) continue;
      const auto pattern = port.node().source(1).exact_ints();
      const bool copies = !pattern || (pattern->size() > 1 && std::count(pattern->begin() + 1, pattern->end(), 0) > 0);
      if (!copies || !port.node().get_bool("special_zero")) port.connect(turning.source(0));
    }
    if (turning.out().disconnected()) turning.source(0).tensor().names = turning.out().tensor().names;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ApplyPermutation)
}  // namespace mo
