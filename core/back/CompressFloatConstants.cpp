// Before: Const f32|f64
// After:  Const f16 "<name>_compressed" -> Convert {decompression} "<name>"
// Conditions: --compress_to_fp16; the model is not quantised; the constant is not `precise` and does not feed a shape
// computation; fewer than 75 % of its elements lie outside f16's range (all three are OpenVINO's rules). Reads each
// large constant once, even if many nodes have it: whether it may be compressed depends on its values.

#include <algorithm>
#include <map>
#include <set>

#include "core/ir/compression.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// Inputs that give shapes, indices or counts, which must stay precise.
const std::map<std::string_view, std::set<int>> kShapeInputs = {
    {"Reshape", {1}},
    {"Broadcast", {1, 2}},
    {"Interpolate", {1, 2, 3}},
    {"Range", {0, 1, 2}},
    {"Tile", {1}},
    {"Slice", {1, 2, 3}},
    {"StridedSlice", {1, 2, 3}},
    {"TopK", {1}},
    {"OneHot", {1}},
    {"Pad", {1, 2}},
    {"Split", {1}},
    {"VariadicSplit", {1, 2}},
    {"Squeeze", {1}},
    {"Unsqueeze", {1}},
    {"Transpose", {1}},
    {"NonMaxSuppression", {2, 3, 4, 5}},
};

class CompressFloatConstants final : public Transform {
 public:
  bool graph_condition(Graph& graph) const override { return graph.model().compress_to_fp16; }

  void find_and_replace_pattern(Graph& graph) override {
    if (is_quantised(graph)) return;
    const std::set<int> kept = shape_path(graph);
    const std::vector<Node*> constants = graph.nodes("Const");
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
      const bool wide = value.type == ElementType::F32 || value.type == ElementType::F64;
      if (!wide || node->get_bool("precise") || kept.count(node->id()) || !may_be_compressed(value)) continue;
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

 private:
  /// The graph has FakeQuantize, or integer weights that are converted at run time.
  static bool is_quantised(Graph& graph) {
    const auto is_widened = [](const Node* cast) {
      return cast->source(0) && cast->source(0).node().op() == "Const" && cast->get_bool("stop_value_propagation") &&
             is_integer(cast->source(0).tensor().type);
    };
    const std::vector<Node*> casts = graph.nodes("Cast");
    return !graph.nodes("FakeQuantize").empty() || std::any_of(casts.begin(), casts.end(), is_widened);
  }

  /// Ids of all nodes on which a shape input depends.
  static std::set<int> shape_path(Graph& graph) {
    std::set<int> marked;
    std::vector<Node*> open;
    const auto mark = [&](OutPort source) {
      if (source && source.node().op() != "ShapeOf" && marked.insert(source.node().id()).second)
        open.push_back(&source.node());
    };
    for (const auto& [op, inputs] : kShapeInputs)
      for (Node* node : graph.nodes(op))
        for (const int i : inputs) mark(node->source(i));
    while (!open.empty()) {
      Node* node = open.back();
      open.pop_back();
      for (int i = 0; i < node->in_count(); ++i) mark(node->source(i));
    }
    return marked;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(CompressFloatConstants)
}  // namespace mo
