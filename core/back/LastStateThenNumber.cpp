// Before: y = Mul(Transpose(h), 0.5), where h is the last state of a recurrent sequence with lengths
// After:  y = Mul(Transpose(Maximum(h, h)), 0.5)
// Conditions: x has known sizes and one direction; the lengths are not the whole time axis, or the layer has a limit.
// The same for other operations with constants, and with other operations before them that only move numbers. A
// runtime computes such a layer step by step, where the state has fewer dimensions, and moves the multiplication there
// with the constant's dimensions.

#include <algorithm>

#include "core/back/constant_operands.h"
#include "core/back/copied.h"
#include "core/decompose/recurrent/layer.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class LastStateThenNumber final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of({"RNNSequence", "GRUSequence", "LSTMSequence"})) {
      if (!is_computed_by_steps(*node)) continue;
      for (int i = 1; i < node->out_count(); ++i)
        if (node->has_out_port(i) && meets_constant(node->out(i), kMostMoves)) copy_for_readers(node->out(i));
    }
  }

 private:
  static constexpr int kMostMoves = 4;

  static bool is_computed_by_steps(const Node& node) {
    const int lengths = node.op() == "LSTMSequence" ? 3 : 2;
    const OutPort x = node.source(0);
    return x.tensor().shape.is_static() && node.get_string("direction") != "bidirectional" &&
           (node.get_float("clip") != 0 || !covers_time(node.source(lengths), x, 1));
  }

  static bool meets_constant(OutPort port, int moves) {
    const std::vector<InPort> readers = port.destinations();
    return std::any_of(readers.begin(), readers.end(), [&](const InPort& reader) {
      Node& node = reader.node();
      if (reader.index() == 0 && moves > 0 && moves_numbers(node)) return meets_constant(node.out(0), moves - 1);
      return node.op() == "Negative" || (node.in_count() > 1 && joins_constants(node, reader.index()));
    });
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(LastStateThenNumber)
}  // namespace mo
