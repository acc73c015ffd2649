// Before: tensors marked Permuted, all records in the framework's layout
// After:  their records are turned, and the attributes and inputs of the nodes in NCHW by the rules of their
//         operations; what depends on a record that changed is inferred again. The model is NCHW from here on.
// Conditions: a model of NCHW stays what it is; the order of transformations has the end of the change here.

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
    // First what is to be done, as doing it takes away what it is known by.
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

  /// A Transpose that leaves the order of the elements as it is is not needed next to a Reshape, unless that copies
  /// dimensions.
  static void spare(Node& turning) {
    const OutPort made = turning.out(), source = turning.source(0);
    if (!keeps_order(made.tensor().shape)) return;  // the record is the framework's
    if (made.tensor().layout == LayoutMark::Permuted) {
      Node& node = source.node();
      const auto pattern = pattern_of(node);
      if (!pattern || source.destinations().size() != 1) return;
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

  /// Of a Reshape that copies no dimension but the first.
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
