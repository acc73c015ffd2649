// Before: nodes that can compute in either layout
// After:  the outputs of those that keep the framework's layout are marked Correct
// Conditions: nodes connected by tensors of four dimensions and more get the same layout. They keep the framework's
// layout if nothing around them is spatial. Otherwise they change to NCHW unless that needs more Transposes. Inputs and
// outputs of the model alone do not count against NCHW, since they need a Transpose in any case; nor do tensors with
// a single channel or a single spatial element.

#include <numeric>
#include <optional>
#include <set>

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class MarkSubGraphsWithCorrectLayout final : public LayoutPass {
 public:
  Names run_after() const override { return {"PostMiddleStart"}; }
  Names run_before() const override { return {"NormalizeEltwiseInputs"}; }
  std::optional<Phase> begins() const override { return Phase::Layout; }
  std::string_view id() const override { return "MarkSubgraphsWithCorrectLayout"; }  // as the documentation spells it

  void find_and_replace_pattern(Graph& graph) override {
    layouts_.emplace(graph);
    group(graph);
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->out_count(); ++i)
        if (is_turnable(node->out(i))) weigh(node->out(i));
    std::vector<Node*> constants;
    for (Node* node : graph.nodes()) {
      const Standing stands = layouts_->standing(*node);
      if (node->op() == "Const") {
        constants.push_back(node);
      } else if (stands == Standing::Framework || (stands == Standing::Free && !around_[root(*node)].turns())) {
        mark(*node);
      }
    }
    for (Node* node : constants)
      if (is_turnable(*node) && !is_read_in_nchw_only(*node)) mark(*node);
  }

 private:
  /// What surrounds a group of nodes, and the number of Transposes for either choice.
  struct Surroundings {
    bool spatial = false, others = false;
    int turned = 0, kept = 0;
    bool turns() const { return spatial && (!others || turned <= kept); }
  };

  /// Whether the node can compute in either layout. A constant does not count: it costs nothing in either.
  bool is_free(Node& node) { return layouts_->standing(node) == Standing::Free && node.op() != "Const"; }

  size_t root(const Node& node) {
    auto at = static_cast<size_t>(node.id());
    while (group_[at] != at) at = group_[at] = group_[group_[at]];
    return at;
  }

  void group(Graph& graph) {
    around_.assign(graph.ids(), {});
    group_.resize(graph.ids());
    std::iota(group_.begin(), group_.end(), size_t{0});
    for (Node* node : graph.nodes()) {
      if (!is_free(*node)) continue;
      for (int i = 0; i < node->in_count(); ++i)
        if (const OutPort source = node->source(i); source && is_turnable(source) && is_free(source.node()))
          group_[root(source.node())] = root(*node);
    }
  }

  /// Counts the Transposes needed after `source` if the free nodes connected to it are in NCHW, and if they are not.
  void weigh(OutPort source) {
    std::set<size_t> readers;
    bool framework = false, nchw = false, others = false;
    const int cost = keeps_order(source.tensor().shape) ? 0 : 1;
    for (const InPort& port : source.destinations()) {
      if (is_free(port.node())) {
        readers.insert(root(port.node()));
        continue;
      }
      const End end = layouts_->layout_at(port);
      nchw |= end == End::Nchw;
      framework |= end == End::Framework;
      others |= end == End::Framework && !is_boundary(port.node());
    }
    if (is_free(source.node())) {
      Surroundings& producer = around_[root(source.node())];
      producer.spatial |= nchw;
      producer.others |= others;
      producer.turned += framework ? cost : 0;
      producer.kept += nchw ? cost : 0;
    } else if (source.node().op() != "Const") {
      const bool from_nchw = layouts_->layout_of(source) == End::Nchw;
      for (const size_t reader : readers) {
        Surroundings& around = around_[reader];
        around.spatial |= from_nchw;
        around.others |= !from_nchw && !is_boundary(source.node());
        around.turned += !from_nchw && !nchw ? cost : 0;
        around.kept += from_nchw && !framework ? cost : 0;
      }
    }
  }

  bool is_read_in_nchw_only(Node& constant) {
    bool nchw = false;
    for (const InPort& port : constant.out().destinations()) {
      const End end = layouts_->layout_at(port);
      if (end == End::Framework) return false;
      nchw |= end == End::Nchw;
    }
    return nchw;
  }

  static void mark(Node& node) {
    for (int i = 0; i < node.out_count(); ++i) node.out(i).tensor().layout = LayoutMark::Correct;
  }

  std::optional<Layouts> layouts_;
  std::vector<size_t> group_;
  std::vector<Surroundings> around_;
};

}  // namespace
MO_DEFINE_TRANSFORM(MarkSubGraphsWithCorrectLayout)
}  // namespace mo
