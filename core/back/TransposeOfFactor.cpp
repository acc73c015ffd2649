// Before: MatMul(Transpose(a), b) or MatMul(a, Transpose(b)), where the Transpose swaps the last two dimensions
// After:  MatMul(a, b) with the other transpose_a or transpose_b
// Conditions: nothing but such products reads the Transpose.

#include <algorithm>

#include "core/back/transpose_order.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class TransposeOfFactor final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"FuseTransposesSequence"}; }
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Transpose")) {
      const auto order = transpose_order(*node);
      if (!order || !swaps_rows_and_columns(*order)) continue;
      const std::vector<InPort> readers = node->out(0).destinations();
      if (readers.empty() || !std::all_of(readers.begin(), readers.end(), is_factor)) continue;
      for (const InPort& reader : readers) {
        const char* attribute = reader.index() == 0 ? "transpose_a" : "transpose_b";
        reader.node().set(attribute, !reader.node().get_bool(attribute));
        reader.connect(node->source(0));
      }
    }
  }

 private:
  static bool is_factor(const InPort& port) { return port.node().op() == "MatMul"; }
};

}  // namespace
MO_DEFINE_TRANSFORM(TransposeOfFactor)
}  // namespace mo
