// Before: tensors marked Permuted, all shapes in the framework's layout
// After:  the shapes of marked tensors are permuted, and attributes and inputs of nodes in NCHW by the layout rules;
//         what depends on a changed tensor is inferred again. From here on the model is NCHW.
// Conditions: a model of NCHW is not changed. This is the end of the layout phase in the order of transformations.

#include <algorithm>

#include "core/graph/body.h"
#include "core/layout/layout_state.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class ApplyPermutation final : public Transform {
 public:
  Names run_after() const override { return {"PreserveRuntimeInfo"}; }
  Names run_before() const override { return {"BackStart"}; }
  std::string_view id() const override { return "ApplyPermutations"; }  // as the documentation spells it
  bool run_not_recursively() const override { return true; }
  bool force_shape_inference() const override { return changed_; }
  bool force_clean_up() const override { return changed_; }

  void find_and_replace_pattern(Graph& graph) override {
    changed_ = graph.model().layout == DataLayout::Nhwc;
    if (changed_) for_each_graph(graph, apply);
    graph.model().layout = DataLayout::Nchw;
  }

 private:
  static void apply(Graph& graph) {
    // Collect the work first: doing it removes the information that identifies it.
    std::vector<std::pair<Node*, Permutation>> in_nchw;
    std::vector<Node*> turning;
    Layouts layouts(graph);
    for (Node* node : graph.nodes()) {
      if (layouts.standing(*node) == Standing::Turning) turning.push_back(node);
      const OutPort data = node->source(0) ? node->source(0) : node->out_count() > 0 ? OutPort(*node) : OutPort();
      if (!data || !data.tensor().shape.has_rank() || !layouts.works_in_nchw(*node)) continue;
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
          // Known elements are in the old order.
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

  /// Removes a Transpose that does not change the order of elements if it is next to a Reshape. The Reshape must not
  /// copy dimensions other than the first.
  static void spare(Node& turning) {
    const OutPort made = turning.out(), source = turning.source(0);
    if (!keeps_order(made.tensor().shape)) return;  // the shape is in the framework's layout
    if (made.tensor().layout == LayoutMark::Permuted) {
      Node& node = source.node();
      const auto pattern = pattern_of(node);
      if (!pattern || source.reader_count() != 1) return;
      const Ints turned = permute_numbers(*pattern, nhwc_to_nchw(pattern->size()));
      node.in(1).connect(Builder(node).i64(turned));
      source.tensor().layout = LayoutMark::Permuted;
      made.connection().set_source(source);
      return;
    }
    for (const InPort& port : made.destinations())
      if (port.index() == 0 && pattern_of(port.node())) port.connect(source);
    if (made.disconnected()) source.tensor().names = made.tensor().names;
  }

  /// The pattern of a Reshape that copies no dimension but the first; nullopt for other nodes.
  static std::optional<Ints> pattern_of(const Node& node) {
    if (node.op() != "Reshape") return std::nullopt;
    const auto pattern = node.source(1).exact_ints();
    if (!pattern || pattern->empty()) return std::nullopt;
    const bool copies = std::count(pattern->begin() + 1, pattern->end(), 0) > 0;
    return copies && node.get_bool("special_zero") ? std::nullopt : pattern;
  }

  bool changed_ = false;
};

}  // namespace
MO_DEFINE_TRANSFORM(ApplyPermutation)
}  // namespace mo
