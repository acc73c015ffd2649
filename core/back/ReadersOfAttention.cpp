// Before: z = y - x, and another reader of y, where y = ScaledDotProductAttention(queries, keys, values)
// After:  copy = Maximum(y, y), z = copy - x, and the other reader reads the copy, too
// Conditions: an element-wise operation of y and another tensor reads it, or a Broadcast to computed sizes; y has
// several readers, or that one is a PReLU, or the other tensor is computed, too, and the result has several readers.
// The same where one adds an axis, or a Mish reads y. Attention may be spelled out. A runtime joins the operation with
// the attention, and then crashes or does not compile.

#include <algorithm>

#include "core/back/constant_operands.h"
#include "core/back/copied.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class ReadersOfAttention final : public BackReplacementPattern {
 public:
  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"ScaledDotProductAttention", "MatMul"})) {
      const OutPort y = node->out(0);
      if (node->op() == "MatMul" && !weighs_by_softmax(*node)) continue;
      if (y.tensor().shape.has_rank() && is_joined(y)) copy_for_readers(y);
    }
  }

 private:
  static constexpr int kMostSteps = 4;

  static bool weighs_by_softmax(const Node& product) {
    const OutPort weights = product.source(0);
    return weights && weights.node().op() == "SoftMax";
  }

  static bool is_joined(OutPort y) {
    const std::vector<InPort> readers = y.destinations();
    return std::any_of(readers.begin(), readers.end(),
                       [&](const InPort& reader) {
                         const std::string& op = reader.node().op();
                         return op == "Mish" || adds_axis(reader, y.tensor().shape.rank()) ||
                                ((joins_tensors(reader) || is_computed_broadcast(reader)) &&
                                 (readers.size() > 1 || op == "PReLU"));
                       }) ||
           is_spread(y, kMostSteps);
  }

  /// Whether element-wise operations follow one by one, one of them with a tensor that is computed, too, and the last
  /// of them has several readers.
  static bool is_spread(OutPort y, int steps, bool joined = false) {
    const std::vector<InPort> readers = y.destinations();
    if (readers.size() != 1) return joined && readers.size() > 1;
    Node& node = readers[0].node();
    const int data = readers[0].index();
    if (steps == 0 || !(is_elementwise(node) || joins_constants(node, data))) return false;
    for (int i = 0; i < node.in_count(); ++i)
      joined |= i != data && node.has_in(i) && node.source(i).node().in_count() > 0;
    return is_spread(node.out(0), steps - 1, joined);
  }

  static bool is_broadcast(const InPort& reader) { return reader.index() == 0 && reader.node().op() == "Broadcast"; }

  static bool is_computed_broadcast(const InPort& reader) {
    return is_broadcast(reader) && !is_constant(reader.node().source(1));
  }

  static bool adds_axis(const InPort& reader, int64_t rank) {
    Node& node = reader.node();
    if (!is_elementwise(node) && !is_broadcast(reader)) return false;
    const PartialShape& shape = node.out(0).tensor().shape;
    return !shape.has_rank() || shape.rank() > rank;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReadersOfAttention)
}  // namespace mo
