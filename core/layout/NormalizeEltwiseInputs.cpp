// Before: operand of lower rank -> operation in NCHW that broadcasts by NumPy's rules
// After:  Unsqueeze to the rank of the result in between; a constant is reshaped directly
// Conditions: the operand has more than one element. PReLU is aligned in either layout, because IR reads a slope of one
// dimension as axis 1.

#include <algorithm>
#include <map>
#include <tuple>

#include "core/layout/layout_pass.h"

namespace mo {
namespace {

class NormalizeEltwiseInputs final : public LayoutPass {
 public:
  Names run_after() const override { return {"MarkSubGraphsWithCorrectLayout"}; }
  Names run_before() const override { return {"LayoutChangeForEinsum"}; }

  void find_and_replace_pattern(Graph& graph) override {
    made_.clear();
    Layouts layouts(graph);
    for (Node* node : graph.nodes()) {
      const OpDef* def = node->definition();
      if (!def || !def->layout.broadcasts) continue;
      const bool nchw = layouts.works_in_nchw(*node);
      if (!nchw && node->op() != "PReLU") continue;
      int rank = 0;
      for (int i = 0; i < node->in_count(); ++i)
        if (const OutPort source = node->source(i)) rank = std::max(rank, source.tensor().shape.rank());
      for (int i = 0; i < node->in_count(); ++i)
        if (const OutPort source = node->source(i); source && is_lower(source.tensor().shape, rank))
          node->in(i).connect(aligned(source, static_cast<size_t>(rank), nchw));
    }
  }

 private:
  static bool is_lower(const PartialShape& shape, int rank) {
    if (shape.rank() < 1 || shape.rank() >= rank) return false;
    return std::any_of(shape.dimensions().begin(), shape.dimensions().end(),
                       [](const Dimension& d) { return !(d == Dimension(1)); });
  }

  /// The tensor with leading dimensions of 1. All consumers that need it share one.
  OutPort aligned(OutPort source, size_t rank, bool nchw) {
    OutPort& made = made_[{source.node().id(), source.index(), rank, nchw}];
    if (made) return made;
    Node& producer = source.node();
    const size_t missing = rank - source.tensor().shape.dimensions().size();
    const std::string name = cat(producer.name(), "/EltwiseUnsqueeze");
    if (const Constant* value = producer.get_constant("value"); value && producer.op() == "Const") {
      Shape shape(missing, 1);
      shape.insert(shape.end(), value->shape.begin(), value->shape.end());
      made = producer.graph().constant(reshape(*value, std::move(shape)), name);
      if (!nchw) made.tensor().layout = LayoutMark::Correct;
      return made;
    }
    Ints axes(missing);
    for (size_t i = 0; i < missing; ++i) axes[i] = static_cast<int64_t>(i);
    made = Builder(producer).unsqueeze(source, axes);
    made.node().set_name(producer.graph().unique_name(name));
    made.tensor().layout = LayoutMark::Correct;
    return made;
  }

  std::map<std::tuple<int, int, size_t, bool>, OutPort> made_;
};

}  // namespace
MO_DEFINE_TRANSFORM(NormalizeEltwiseInputs)
}  // namespace mo
