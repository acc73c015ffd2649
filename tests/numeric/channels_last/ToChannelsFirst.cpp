// Before: x -> spatial operation or LRN with channels last -> y
// After:  x -> Transpose -> the operation with channels first -> Transpose -> y
// Conditions: none. What else there is stays as it is: the runtime computes it along any axis.

#include "core/layout/permute_attributes.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class ToChannelsFirst final : public Transform {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes()) {
      const OpDef* def = node->definition();
      const bool is_spatial = def && def->layout.kind == LayoutClass::Spatial && node->has("channel_dims");
      if (is_spatial || node->op() == "LRN") turn(*node, def->layout.rules);
    }
    graph.model().layout = DataLayout::Nchw;
  }

 private:
  static void turn(Node& node, const LayoutRules& rules) {
    const PartialShape shape = node.source(0).tensor().shape;
    Ints order{0, shape.rank() - 1};
    for (int64_t i = 1; i + 1 < shape.rank(); ++i) order.push_back(i);
    const Permutation first(order);
    Builder b(node);
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort source = node.source(i);
      if (source && is_data_input(rules, i) && source.tensor().shape.rank() == shape.rank())
        node.in(i).connect(b.transpose(source, first.perm));
    }
    permute_attributes(node, rules, first);
    permute_inputs(node, rules, first);
    node.require_shape_inference();
    for (int i = 0; i < node.out_count(); ++i) {
      const std::vector<InPort> consumers = node.out(i).destinations();
      if (consumers.empty()) continue;
      const OutPort back = b.transpose(node.out(i), first.inv);
      for (InPort consumer : consumers) consumer.connect(back);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ToChannelsFirst)
}  // namespace mo
