// Before: Concat(Concat(a, b, axis), c, axis)
// After:  Concat(a, b, c, axis)
// Conditions: nothing else reads the inner one; known ranks.

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ConcatOfConcat final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"MergeEqualOperations"}; }
  Names run_before() const override { return {"ApplyRequestedTransforms"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Concat")) {
      if (node->removed() || is_part(*node)) continue;
      std::vector<OutPort> parts;
      gather_parts(*node, parts);
      if (parts.size() == static_cast<size_t>(node->in_count())) continue;
      node->add_in_ports(static_cast<int>(parts.size()));
      for (size_t i = 0; i < parts.size(); ++i) node->in(static_cast<int>(i)).connect(parts[i]);
    }
  }

 private:
  static constexpr size_t kMostParts = 1024;

  static std::optional<size_t> axis_of(const Node& concat) {
    const int rank = OutPort(const_cast<Node*>(&concat), 0).tensor().shape.rank();
    return rank < 1 ? std::nullopt : std::optional(normalize_axis(concat.get_int("axis"), rank));
  }

  /// Whether it becomes a part of the only Concat that reads it.
  static bool is_part(Node& node) {
    if (node.out(0).reader_count() != 1) return false;
    const Node& reader = node.out(0).destination().node();
    return reader.op() == "Concat" && axis_of(node) && axis_of(node) == axis_of(reader);
  }

  /// What the Concat and those inside it read, in order.
  static void gather_parts(const Node& node, std::vector<OutPort>& parts) {
    std::vector<OutPort> open;
    const auto push = [&open](const Node& of) {
      for (int i = of.in_count(); i-- > 0;) open.push_back(of.source(i));
    };
    push(node);
    while (!open.empty()) {
      const OutPort part = open.back();
      open.pop_back();
      if (part && part.node().op() == "Concat" && is_part(part.node()) && parts.size() + open.size() < kMostParts)
        push(part.node());
      else
        parts.push_back(part);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ConcatOfConcat)
}  // namespace mo
