// Before: Reshape(MatMul(Reshape(x, [-1, k]), w), [the dimensions of x but the last, n])
// After:  MatMul(x, w)
// Conditions: x has more than two dimensions, the last of them k; w has two. Between the product and the last Reshape
// there are only activations, and sums with constants of one dimension. The last Reshape provably restores the
// dimensions of x. Keras and PyTorch write dense layers of sequences in this way.

#include "core/base/text.h"
#include "core/ops/dimension_origins.h"
#include "core/rewrite/middle_replacement.h"

namespace mo {
namespace {

class MatMulOfRows final : public MiddleReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    std::vector<Rows> found;
    DimensionOrigins origins;
    for (Node* product : graph.nodes("MatMul"))
      if (auto rows = rows_from(*product, origins)) found.push_back(std::move(*rows));
    // Afterwards, because what is known of origins holds for the shapes as they were.
    for (const Rows& rows : found)
      for (Node* node : rows.nodes) node->out(0).tensor().names.clear();  // the model's tensors have two dimensions
    for (const Rows& rows : found) {
      Node& product = *rows.nodes.front();
      product.in(0).connect(product.source(0).node().source(0));
      rows.last->out(0).connection().set_source(*rows.nodes.back(), TensorNames::Merge);
      graph.remove(*rows.last);
    }
  }

 private:
  struct Rows {
    std::vector<Node*> nodes;  ///< the product, and what is behind it
    Node* last = nullptr;      ///< the Reshape that restores the dimensions
  };
  static constexpr int kMostSteps = 8;

  static std::optional<Rows> rows_from(Node& product, DimensionOrigins& origins) {
    const OutPort rows = product.source(0), weights = product.source(1);
    if (product.get_bool("transpose_a") || !rows || rows.node().op() != "Reshape" || !rows.node().has_in(0) ||
        !weights || weights.tensor().shape.rank() != 2)
      return std::nullopt;
    const OutPort x = rows.node().source(0);
    const PartialShape &shape = x.tensor().shape, &flat = rows.tensor().shape;
    if (shape.rank() < 3 || flat.rank() != 2) return std::nullopt;
    const Dimension k = shape[static_cast<size_t>(shape.rank() - 1)];
    if (!k.is_exact() || k.min < 1 || !(flat[1] == k)) return std::nullopt;
    Rows found{{&product}};
    for (int step = 0; step < kMostSteps && found.nodes.back()->out(0).reader_count() == 1; ++step) {
      const InPort use = found.nodes.back()->out(0).destination();
      found.last = &use.node();
      if (found.last->op() == "Reshape" && use.index() == 0)
        return restores(*found.last, x, origins) ? std::optional(found) : std::nullopt;
      if (!is_by_row(*found.last, use.index())) break;
      found.nodes.push_back(found.last);
    }
    return std::nullopt;
  }

  /// Whether the node computes each row in the same way, whatever the dimensions before the last.
  static bool is_by_row(const Node& node, int input) {
    static constexpr std::string_view kActivations[] = {"ReLU", "Gelu", "Tanh", "Sigmoid", "Swish", "Elu", "SoftPlus"};
    if (is_one_of(node.op(), kActivations)) return node.in_count() == 1;
    if (node.op() != "Add" || node.in_count() != 2 || !node.has_in(1 - input)) return false;
    const auto& operand = node.source(1 - input).tensor().value;
    return operand && operand->shape.size() <= 1;
  }

  static bool restores(Node& last, OutPort x, DimensionOrigins& origins) {
    const PartialShape &shape = x.tensor().shape, &rows = last.source(0).tensor().shape,
                       &wanted = last.out(0).tensor().shape;
    if (wanted.rank() != shape.rank() || rows.rank() != 2) return false;
    const auto end = static_cast<size_t>(shape.rank() - 1);
    if (!rows[1].is_exact() || rows[1].min < 1 || !(wanted[end] == rows[1])) return false;
    size_t open = 0;
    bool is_never_empty = true;
    for (size_t i = 0; i < end; ++i) {
      if (shape[i].is_exact() && shape[i] == wanted[i])
        is_never_empty &= shape[i].min > 0;
      else if (!is_equal(last, x, i, origins))
        ++open;
      else
        is_never_empty &= shape[i].min > 0;
    }
    // There are as many elements as before, so one dimension is what the others leave.
    return open == 0 || (open == 1 && is_never_empty);
  }

  static bool is_equal(const Node& last, OutPort x, size_t axis, DimensionOrigins& origins) {
    const ShapeElement element = last.has_in(1) ? shape_element(last.source(1), axis) : ShapeElement();
    return element.kind == ShapeElement::Kind::Dimension && origins.of(element.dimension) == origins.of({x, axis});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MatMulOfRows)
}  // namespace mo
