// Before: nodes that can compute in either layout
// After:  those that stay in the framework's layout have outputs marked Correct
// Conditions: nodes that hand tensors of four dimensions and more to each other go one way. They stay where nothing
//   around them is spatial. Else they are turned, unless that takes more Transposes; inputs and outputs of the model
//   alone, which need one in any case, make no sub-graph stay; nor does what has one element for space or channel.

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
  /// What is around the nodes that go one way, and the Transposes that either takes.
  struct Surroundings {
    bool spatial = false, others = false;
    int turned = 0, kept = 0;
    bool turns() const { return spatial && (!others || turned <= kept); }
  };

  /// A constant is of either layout at no cost.
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

  /// Counts the Transposes that stand behind `source` when the free nodes at it are turned, and when they are not.
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
