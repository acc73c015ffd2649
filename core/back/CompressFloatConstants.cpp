// Before: Const f32|f64
// After:  Const f16 "<name>_compressed" -> Convert {decompression} "<name>"
// Conditions: --compress_to_fp16; the model is not quantised; the constant is not `precise` and does not feed a shape
// computation; fewer than 75 % of its elements lie outside f16's range (all three are OpenVINO's rules). Reads each
// large constant once, even if many nodes have it: whether it may be compressed depends on its values.

#include <map>

#include "core/back/half_constants.h"
#include "core/ir/compression.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class CompressFloatConstants final : public Transform {
 public:
  bool graph_condition(Graph& graph) const override { return graph.model().compress_to_fp16; }

  void find_and_replace_pattern(Graph& graph) override {
    const std::vector<Node*> constants = half_constants(graph);
    graph.reserve(2 * constants.size());  // a node and two names each
    std::map<std::string, bool> judged;
    const auto may_be_compressed = [&](const Constant& value) {
      const std::string identity = value.content->size() > kComputeAtOnce ? value.content->identity() : std::string();
      if (identity.empty()) return should_compress(value, graph.files());
      const auto [known, is_new] = judged.try_emplace(identity);
      if (is_new) known->second = should_compress(value, graph.files());
      return known->second;
    };
    for (Node* node : constants) {
      const Constant value = *node->get_constant("value");
      if (!may_be_compressed(value)) continue;
      const std::string name = node->name();
      node->set_name(name + "_compressed");
      node->set("value", compress_to_f16(value));
      Builder b(graph, name);
      Node& decompression =
          b.node("Cast", {}, {{"dst_type", value.type}, {"decompression", true}, {"stop_value_propagation", true}});
      decompression.set_name(name);
      decompression.add_in_ports(1);
      node->out(0).connection().set_source(decompression, TensorNames::Merge);
      decompression.in(0).connect(*node);
      infer_node(*node);
      infer_node(decompression);
    }
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(CompressFloatConstants)
}  // namespace mo
