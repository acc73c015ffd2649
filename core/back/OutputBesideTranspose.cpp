// Before: z = Convolution(Transpose(x) {to channels first}, weights), and Reshape(x) is an output of the model
// After:  z is the same, and Reshape(Maximum(x, x)) is the output
// Conditions: the same where FakeQuantize reads the Reshape, for the other convolutions, for recurrent sequences behind
// a Transpose of time and batch, and for Squeeze and Unsqueeze; the sizes of x are known. A runtime writes x into the
// memory of the output, and reads for the convolution what was in the memory of x.

#include <algorithm>
#include <numeric>

#include "core/back/copied.h"
#include "core/back/transpose_order.h"
#include "core/base/text.h"
#include "core/ops/spatial.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class OutputBesideTranspose final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of(kConvolutions)) copy_outputs_beside(node->source(0));
    for (Node* node : graph.nodes_of({"RNNSequence", "GRUSequence", "LSTMSequence"}))
      copy_outputs_beside(node->source(0));
  }

 private:
  static constexpr int kMostReshapes = 4;

  static void copy_outputs_beside(OutPort transposed) {
    if (!transposed || transposed.node().op() != "Transpose" || !transposed.node().source(0)) return;
    const OutPort x = transposed.node().source(0);
    if (!x.tensor().shape.is_static() || x.node().op() == "Parameter" || !is_left_out(transposed.node())) return;
    for (const InPort& reader : x.destinations())
      if (is_output(reader, kMostReshapes)) reader.connect(copied(Builder(reader.node()), x));
  }

  /// Whether the runtime reads x in the order that the Transpose gives: channels, or the batch, come first.
  static bool is_left_out(const Node& transpose) {
    const std::optional<Ints> order = transpose_order(transpose);
    if (!order || order->size() < 3) return false;
    Ints channels_first(order->size());
    std::iota(channels_first.begin(), channels_first.end(), 0);
    std::rotate(channels_first.begin() + 1, channels_first.end() - 1, channels_first.end());
    return *order == channels_first || *order == Ints{1, 0, 2};
  }

  /// Whether the numbers that are read here are an output in another shape, or quantised in it.
  static bool is_output(const InPort& reader, int reshapes) {
    Node& node = reader.node();
    if (reader.index() != 0 || reshapes == 0 || !is_one_of(node.op(), {"Reshape", "Squeeze", "Unsqueeze"}))
      return false;
    for (const InPort& next : node.out(0).destinations())
      if (is_one_of(next.node().op(), {"Result", "FakeQuantize"}) || is_output(next, reshapes - 1)) return true;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(OutputBesideTranspose)
}  // namespace mo
