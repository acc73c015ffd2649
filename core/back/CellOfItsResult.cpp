// Before: y = LSTMCell(x, h), in which h is the hidden state that another cell gives, and x depends on a cell before it
// After:  y = LSTMCell(x, Maximum(h, h))
// Conditions: the same for GRUCell and RNNCell. The runtime joins cells that pass their hidden states on to a sequence,
// also where the input of one is computed from the result of another, and then finds a loop. A Maximum keeps them
// apart.

#include <unordered_map>
#include <unordered_set>

#include "core/back/copied.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class CellOfItsResult final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"MergeEqualOperations"}; }
  bool graph_condition(Graph& graph) const override {
    for (const char* op : kCells)
      if (!graph.nodes(op).empty()) return true;
    return false;
  }

  void find_and_replace_pattern(Graph& graph) override {
    Chains chains(graph);
    for (Node* node : chains.order) {
      if (!is_one_of(node->op(), {kCells[0], kCells[1], kCells[2]})) continue;
      const OutPort hidden = node->source(1);
      const auto before = hidden ? chains.begin_of.find(&hidden.node()) : chains.begin_of.end();
      const bool is_next = before != chains.begin_of.end() && hidden.node().op() == node->op();
      const bool is_apart = is_next && chains.reach(node->source(0), before->second);
      if (is_apart) node->in(1).connect(copied(Builder(*node), hidden));
      chains.begin_of[node] = is_next && !is_apart ? before->second : chains.position[node];
    }
  }

 private:
  static constexpr const char* kCells[] = {"LSTMCell", "GRUCell", "RNNCell"};

  /// Cells that pass their hidden states on, by the position of the first one.
  struct Chains {
    explicit Chains(Graph& graph) : order(graph.topological_order()) {
      for (size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    }

    /// Whether x depends on a cell of the chain. Also true where that takes long to find.
    bool reach(OutPort x, size_t begin) const {
      constexpr size_t kMostNodes = 1000;
      std::vector<const Node*> left{x ? &x.node() : nullptr};
      std::unordered_set<const Node*> seen;
      while (!left.empty()) {
        const Node* node = left.back();
        left.pop_back();
        const auto found = position.find(node);
        if (found == position.end() || found->second < begin || !seen.insert(node).second) continue;
        if (const auto chain = begin_of.find(node); chain != begin_of.end() && chain->second == begin) return true;
        if (seen.size() > kMostNodes) return true;
        for (int i = 0; i < node->in_count(); ++i)
          if (const OutPort source = node->source(i)) left.push_back(&source.node());
      }
      return false;
    }

    std::vector<Node*> order;
    std::unordered_map<const Node*, size_t> position, begin_of;
  };
};

}  // namespace
MO_DEFINE_TRANSFORM(CellOfItsResult)
}  // namespace mo
