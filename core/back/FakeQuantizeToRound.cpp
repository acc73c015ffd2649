// Before: FakeQuantize(x, low, high, least, most)
// After:  Round((Minimum(Maximum(x, low), high) - low) * steps / (high - low)) * (most - least) / steps + least
// Conditions, one of:
// - x is a product with a constant of positive and negative numbers, and has one reader; a size is open. A runtime
//   joins the factors with the ranges, and takes all for negative if the first is
// - there are several ranges, and x is a reduction, or computed from one element by element. A runtime joins both by
//   the axes that were there before
// - x is the largest or least number along axes, or computed from it element by element, also in another shape. A
//   runtime that keeps the result in bytes rounds x to whole numbers first
// - there are several ranges, and x is ScaledDotProductAttention: a runtime does not compile it
// - there are several ranges, and x is a product of two inputs, or computed from one element by element: a runtime
//   gives wrong numbers, or does not compile it
// - the ranges are along axis 2, or what is along them was that axis before a Transpose, which a runtime moves behind;
//   and a size is open: a runtime does not compile it. With known sizes it does not compile it behind a convolution or
//   an average pool, and gives wrong numbers behind MVN, NormalizeL2 and Interpolate

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/back/constant_operands.h"
#include "core/base/text.h"
#include "core/ops/spatial.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

constexpr uint64_t kMaxFactors = 1 << 16;
constexpr std::string_view kExtremes[] = {"ReduceMax", "ReduceMin"};
/// In a row: a conversion leaves one.
constexpr int kMostTransposes = 8;

/// What the runtime joins a FakeQuantize with by the axis of the channels, besides convolutions.
constexpr std::string_view kByChannel[] = {"AvgPool", "MVN", "NormalizeL2", "Interpolate", "MatMul"};
/// Element-wise operations in a row.
constexpr int kMostSteps = 16;

/// The operation from whose result x is computed element by element, or that gives it.
const Node& computed_from(OutPort x) {
  for (int step = 0; step < kMostSteps; ++step) {
    const Node& node = x.node();
    const int data = data_input(node);
    if (!joins_constants(node, data) || !node.has_in(data)) break;
    x = node.source(data);
  }
  return x.node();
}

/// Whether one operation reads the numbers: a runtime computes shapes before it joins operations.
bool is_read_once(OutPort port) {
  const auto readers = port.destinations();
  return std::count_if(readers.begin(), readers.end(), [](const InPort& at) { return at.node().op() != "ShapeOf"; }) ==
         1;
}

/// Finds the reduction above a tensor, with only operations between that a runtime joins with it. Answers are kept,
/// because what is quantised many times in a row has long ways up.
class Reductions {
 public:
  /// Null if there is none.
  const Node* above(OutPort x) {
    std::vector<const Node*> passed;
    const Node* found = nullptr;
    while (is_read_once(x)) {
      const Node& node = x.node();
      if (const auto known = known_.find(&node); known != known_.end()) {
        found = known->second;
        break;
      }
      passed.push_back(&node);
      if (node.op().starts_with("Reduce")) found = &node;
      const int data = data_input(node);
      if (found || !(moves_numbers(node) || joins_constants(node, data)) || !node.has_in(data)) break;
      x = node.source(data);
    }
    for (const Node* node : passed) known_[node] = found;
    return found;
  }

 private:
  std::unordered_map<const Node*, const Node*> known_;
};

class FakeQuantizeToRound final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    std::vector<Node*> joined;
    Reductions reductions;
    for (Node* node : graph.nodes("FakeQuantize")) {
      const OutPort x = node->source(0);
      if (is_along_axis_2(*node, x) || (only_reader(x) && is_joined(*node, x, reductions))) joined.push_back(node);
    }
    for (Node* node : joined) round(graph, *node);
  }

 private:
  static void round(Graph& graph, Node& node) {
    Builder b(node);
    const OutPort x = node.source(0);
    const OutPort low = node.source(1), high = node.source(2), least = node.source(3), most = node.source(4);
    const OutPort steps = b.scalar_like(x, static_cast<double>(node.get_int("levels") - 1));
    const OutPort inside = b.op("Sub", {b.op("Minimum", {b.op("Maximum", {x, low}), high}), low});
    const OutPort scale = b.op("Div", {steps, b.op("Sub", {high, low})});
    const OutPort whole = b.op("Round", {b.op("Mul", {inside, scale})}, {{"mode", "half_to_even"}});
    const OutPort step = b.op("Div", {b.op("Sub", {most, least}), steps});
    graph.replace(node, b.op("Add", {b.op("Mul", {whole, step}), least}).node());
  }

  static bool is_joined(const Node& node, OutPort x, Reductions& reductions) {
    const PartialShape& shape = x.tensor().shape;
    bool several = false;
    for (int axis = 0; axis < shape.rank(); ++axis) several |= varies_along(node, 0, axis, shape.rank());
    if (several && x.node().op() == "ScaledDotProductAttention") return true;
    if (several && is_product_of_inputs(computed_from(x))) return true;
    const Node* reduction = reductions.above(x);
    if (reduction && (several || is_one_of(reduction->op(), kExtremes))) return true;
    if (shape.is_static()) return false;
    return has_mixed_factors(x.node());
  }

  static bool is_product_of_inputs(const Node& node) {
    return node.op() == "MatMul" && node.has_in(0) && node.has_in(1) && !is_made_of_constants(node.source(0)) &&
           !is_made_of_constants(node.source(1));
  }

  static bool is_along_axis_2(const Node& node, OutPort x) {
    const PartialShape& shape = x.tensor().shape;
    const int rank = shape.rank();
    if (rank < 3) return false;
    Ints before(static_cast<size_t>(rank));
    for (int axis = 0; axis < rank; ++axis) before[static_cast<size_t>(axis)] = axis;
    for (int passed = 0; passed < kMostTransposes && x.node().op() == "Transpose"; ++passed, x = x.node().source(0)) {
      const auto order = x.node().source(1).exact_ints();
      if (!order || order->size() != before.size()) break;
      for (int64_t& axis : before) axis = (*order)[normalize_axis(axis, rank)];
    }
    const std::string& op = computed_from(x).op();
    if (shape.is_static() && !is_one_of(op, kByChannel) && !is_one_of(op, kConvolutions)) return false;
    const auto found = std::find(before.begin(), before.end(), 2);
    return found != before.end() && varies_along(node, 0, static_cast<int>(found - before.begin()), rank);
  }

  static bool has_mixed_factors(const Node& node) {
    if (node.op() != "Mul" && node.op() != "Div") return false;
    for (int i = 0; i < 2; ++i) {
      if (!is_constant(node.source(i))) continue;
      const auto numbers = read_doubles(*node.source(i).tensor().value, node.graph().files(), kMaxFactors);
      if (!numbers || numbers->empty()) return false;
      const auto [least, most] = std::minmax_element(numbers->begin(), numbers->end());
      return *least < 0 && *most > 0;
    }
    return false;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(FakeQuantizeToRound)
}  // namespace mo
