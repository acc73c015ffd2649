// Before: z = y - x, and another reader of y, where y = ScaledDotProductAttention(queries, keys, values)
// After:  copy = Maximum(y, y), z = copy - x, and the other reader reads the copy, too
// Conditions: an element-wise operation of y and another tensor reads it, or a Broadcast to computed sizes; y has
// several readers, or that one adds an axis or is a PReLU. Or a Mish reads y. Attention may be spelled out. A runtime
// joins the operation with the attention, and then crashes or does not compile.

#include <algorithm>

#include "core/back/constant_operands.h"
#include "core/ops/op_def.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ReadersOfAttention final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"ScaledDotProductAttention", "MatMul"})) {
      const OutPort y = node->out(0);
      if (node->op() == "MatMul" && !weighs_by_softmax(*node)) continue;
      if (!y.tensor().shape.has_rank() || !is_joined(y)) continue;
      Connection readers = y.connection();
      readers.set_source(Builder(*node).op("Maximum", {y, y}), TensorNames::Merge);
    }
  }

 private:
  static bool weighs_by_softmax(const Node& product) {
    const OutPort weights = product.source(0);
    return weights && weights.node().op() == "SoftMax";
  }

  static bool is_joined(OutPort y) {
    const std::vector<InPort> readers = y.destinations();
    return std::any_of(readers.begin(), readers.end(), [&](const InPort& reader) {
      const std::string& op = reader.node().op();
      return op == "Mish" || adds_axis(reader, y.tensor().shape.rank()) ||
             (joins_tensors(reader) && (readers.size() > 1 || op == "PReLU"));
    });
  }

  static bool is_elementwise(const Node& node) {
    const OpDef* definition = node.definition();
    return definition && definition->layout.broadcasts;
  }

  static bool is_computed_broadcast(const InPort& reader) {
    return reader.index() == 0 && reader.node().op() == "Broadcast" && !is_constant(reader.node().source(1));
  }

  static bool joins_tensors(const InPort& reader) {
    const Node& node = reader.node();
    return is_computed_broadcast(reader) || (is_elementwise(node) && !joins_constants(node, reader.index()));
  }

  static bool adds_axis(const InPort& reader, int64_t rank) {
    Node& node = reader.node();
    if (!is_elementwise(node) && !is_computed_broadcast(reader)) return false;
    const PartialShape& shape = node.out(0).tensor().shape;
    return !shape.has_rank() || shape.rank() > rank;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReadersOfAttention)
}  // namespace mo
