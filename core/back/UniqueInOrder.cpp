// Before: values, first, -, counts = Unique(x) {sorted: false}
// After:  -, firsts, -, sizes = Unique(x) {sorted: true}
//         first, order = TopK(firsts, all) {min, by value}
//         values = Gather(x as a list, first), counts = Gather(sizes, order)
// Conditions: no axis; nothing reads output 2, the place of each element among the values. A runtime writes the values
// in the order of their first occurrence only if it writes these places, too.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class UniqueInOrder final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Unique"))
      if (!node->get_bool("sorted", true) && !node->has_in(1) && !is_read(*node, kPlaces)) replace(graph, *node);
  }

 private:
  static constexpr int kFirst = 1, kPlaces = 2, kCounts = 3;

  static bool is_read(Node& node, int out) { return out < node.out_count() && !node.out(out).disconnected(); }

  static void replace(Graph& graph, Node& node) {
    Builder b(node);
    const ElementType index = node.get_type("index_element_type", ElementType::I64);
    const ElementType count = node.get_type("count_element_type", ElementType::I64);
    const OutPort x = b.reshape(node.source(0), {-1}, false);
    Node& sorted = b.node(
        "Unique", {x}, Attributes{{"sorted", true}, {"index_element_type", index}, {"count_element_type", count}}, 4);
    const OutPort firsts = sorted.out(kFirst);
    Node& order =
        b.node("TopK", {firsts, dimension_of(b, firsts, 0)},
               {{"axis", int64_t{0}}, {"mode", "min"}, {"sort", "value"}, {"index_element_type", ElementType::I64}}, 2);
    if (is_read(node, kFirst)) node.out(kFirst).connection().set_source(order.out(0));
    if (is_read(node, kCounts))
      node.out(kCounts).connection().set_source(b.gather(sorted.out(kCounts), order.out(1), 0));
    graph.replace(node, b.gather(x, order.out(0), 0).node());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(UniqueInOrder)
}  // namespace mo
