// Before: z = Convolution(Transpose(x) {to channels first}, weights), and Reshape(x) is an output of the model
// After:  z is the same, and Reshape(Maximum(x, x)) is the output
// Conditions: the same for the other convolutions, and for Squeeze and Unsqueeze; the sizes of x are known. A runtime
// writes x into the memory of the output, and reads for the convolution what was in the memory of x.

#include <algorithm>
#include <numeric>

#include "core/back/transpose_order.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class OutputBesideConvolution final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"ReshapeOfReduced"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes_of(
             {"Convolution", "GroupConvolution", "ConvolutionBackpropData", "GroupConvolutionBackpropData"})) {
      const OutPort data = node->source(0);
      if (!data || data.node().op() != "Transpose" || !data.node().source(0)) continue;
      const OutPort x = data.node().source(0);
      if (!x.tensor().shape.is_static() || x.node().op() == "Parameter" || !brings_channels_first(data.node()))
        continue;
      for (const InPort& reader : x.destinations())
        if (is_output(reader, kMostReshapes)) reader.connect(Builder(reader.node()).op("Maximum", {x, x}));
    }
  }

 private:
  static constexpr int kMostReshapes = 4;

  static bool brings_channels_first(const Node& transpose) {
    const std::optional<Ints> order = transpose_order(transpose);
    if (!order || order->size() < 3) return false;
    Ints wanted(order->size());
    std::iota(wanted.begin(), wanted.end(), 0);
    std::rotate(wanted.begin() + 1, wanted.end() - 1, wanted.end());
    return *order == wanted;
  }

  /// Whether the numbers that are read here are an output in another shape.
  static bool is_output(const InPort& reader, int reshapes) {
    Node& node = reader.node();
    if (reader.index() != 0 || reshapes == 0 || !is_one_of(node.op(), {"Reshape", "Squeeze", "Unsqueeze"}))
      return false;
    for (const InPort& next : node.out(0).destinations())
      if (next.node().op() == "Result" || is_output(next, reshapes - 1)) return true;
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(OutputBesideConvolution)
}  // namespace mo
