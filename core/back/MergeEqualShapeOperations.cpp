// Before: several equal operations on shapes: ShapeOf of one tensor, and what is computed from it
// After:  one of them, with the consumers and tensor names of all
// Conditions: same operation, attributes and sources; small constants are compared by their bytes. A later one that
// gives an output of the model is kept, because the output has its name.

#include <algorithm>
#include <map>

#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class MergeEqualShapeOperations final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart", "SimplifyReshapePatterns"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    const std::vector<Node*> nodes = graph.nodes();
    if (std::none_of(nodes.begin(), nodes.end(), [](const Node* node) { return is_about_shapes(*node); })) return;
    std::map<std::string, std::vector<Node*>> kept;  // by operation and sources
    for (Node* node : graph.topological_order()) {
      if (!is_about_shapes(*node)) continue;
      std::vector<Node*>& alike = kept[key_of(*node)];
      Node* other = nullptr;
      for (Node* candidate : alike)
        if (!other && same_attributes(*candidate, *node)) other = candidate;
      if (!other) {
        alike.push_back(node);
      } else if (!gives_output(*node)) {
        node->out(0).connection().set_source(*other, TensorNames::Merge);
        graph.remove(*node);
      }
    }
  }

 private:
  static constexpr uint64_t kMaxConstantBytes = 256;

  static bool is_about_shapes(const Node& node) {
    if (node.out_count() != 1 || node.in_count() == 0 || node.has_control_flow()) return false;
    return node.op() == "ShapeOf" || OutPort(const_cast<Node*>(&node), 0).tensor().from_shape;
  }

  static bool gives_output(Node& node) {
    for (const InPort& use : node.out(0).destinations())
      if (use.node().op() == "Result") return true;
    return false;
  }

  static std::string key_of(const Node& node) {
    std::string key = node.op();
    for (int i = 0; i < node.in_count(); ++i) {
      const OutPort source = node.source(i);
      key += "|";
      if (!source) continue;
      const Constant* value = source.node().op() == "Const" ? source.node().get_constant("value") : nullptr;
      const auto bytes = value && value->type != ElementType::String
                             ? read_all(*value, node.graph().files(), kMaxConstantBytes)
                             : std::nullopt;
      if (!bytes) {
        key += cat(source.node().id(), ":", source.index());
        continue;
      }
      key += cat(ir_name(value->type), "[", to_string(PartialShape(value->shape)), "]");
      key.append(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    }
    return key;
  }

  static bool same_attributes(const Node& a, const Node& b) {
    if (std::distance(a.attributes.begin(), a.attributes.end()) !=
        std::distance(b.attributes.begin(), b.attributes.end()))
      return false;
    for (const auto& [key, value] : a.attributes) {
      const Attribute* other = b.attributes.find(key);
      if (!other || !same_value(value, *other)) return false;
    }
    return true;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MergeEqualShapeOperations)
}  // namespace mo
