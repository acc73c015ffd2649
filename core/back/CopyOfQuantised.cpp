// Before: y = f(x), where FakeQuantize gives x, directly or before operations that dequantise or only move numbers
// After:  y = f(Maximum(x, x))
// Conditions: either f is a Gather by a scalar or by several dimensions of indices, a range has several numbers, and x
// is no constant; or f is a reduction or an Einsum, and x has rank 3 and was bytes. A runtime computes f in bytes: it
// dequantises behind the Gather with the dimensions from before, and rounds what it reduces.

#include "core/back/constant_operands.h"
#include "core/back/copied.h"
#include "core/back/reductions.h"
#include "core/base/text.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class CopyOfQuantised final : public BackReplacementPattern {
 public:
  Names run_after() const override { return {"GatherNormalizer", "ReshapeAfterReduce", "ReshapeOfReduced"}; }
  Names run_before() const override { return {"ReduceOfThreeDimensions"}; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("Gather"))
      if (node->has_in(0) && node->has_in(1) && node->source(1).tensor().shape.rank() != 1 &&
          has_several_ranges(node->source(0)))
        copy(*node, 0);
    for (const char* op : kReductions) copy_bytes(graph, op);
    copy_bytes(graph, "Einsum");
  }

 private:
  static void copy_bytes(Graph& graph, const char* op) {
    for (Node* node : graph.nodes(op))
      for (int i = 0; i < node->in_count(); ++i)
        if (was_bytes(node->source(i))) copy(*node, i);
  }

  static void copy(Node& node, int input) { node.in(input).connect(copied(Builder(node), node.source(input))); }

  static bool has_several_ranges(OutPort x) {
    const Node* quantised = is_made_of_constants(x) ? nullptr : quantisation_of(x);
    for (int i = 1; quantised && i < quantised->in_count(); ++i)
      if (const OutPort limit = quantised->source(i); limit && limit.tensor().shape.elements() != Interval(1))
        return true;
    return false;
  }

  /// Whether the tensor has rank 3, and is dequantised from bytes that FakeQuantize gives.
  static bool was_bytes(OutPort x) {
    if (!x || x.tensor().shape.rank() != 3 || !quantisation_of(x)) return false;
    while (is_one_of(x.node().op(), {"Mul", "Sub"}) || moves_numbers(x.node()))
      x = x.node().source(data_input(x.node()));
    return x.node().op() == "Cast";
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(CopyOfQuantised)
}  // namespace mo
