// Before: f(MatMul(x, w), c); f: element-wise operations, one behind the other; c: a constant
// After:  f(MatMul(x, w), Broadcast(c, shape))
// Conditions, one of:
// - the rank of the product is at least 4, c has several numbers along axis 1 alone, and w is a constant while a size
//   is open, or f is PReLU or FakeQuantize; the shape is that of c with the last dimension of the product
// - w is computed, c has several numbers along the last dimension of the product, and that is open while x or w is
//   transposed, or the rank is at least 5. The shape is the last two dimensions if both are known, else the larger of
//   the lengths of c and of the product, which is that of c, but computed
// A runtime joins such constants with the product by its last axis, and does not compile it.

#include "core/back/constant_operands.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class MatMulByChannel final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("MatMul")) {
      const OutPort product = node->out(0);
      const PartialShape shape = product.tensor().shape;
      const int rank = shape.rank();
      if (rank < 2) continue;
      const bool weighs = node->has_in(1) && is_constant(node->source(1));
      const bool turned = is_turned(*node, 0, "transpose_a") || is_turned(*node, 1, "transpose_b");
      OutPort port = product;
      for (InPort reader = only_reader(port); reader; reader = only_reader(port)) {
        Node& next = reader.node();
        if (!joins_constants(next, reader.index()) || next.out(0).tensor().shape.rank() != rank) break;
        const bool always = next.op() == "PReLU" || next.op() == "FakeQuantize";
        if (rank >= 4 && (always || (weighs && !shape.is_static())))
          widen(next, reader.index(), shape);
        else if (!weighs && !always && (rank >= 5 || (turned && !shape[static_cast<size_t>(rank) - 1].is_exact())))
          repeat(next, reader.index(), product, rank);
        port = next.out(0);
      }
    }
  }

 private:
  static bool is_turned(const Node& node, int i, const char* attribute) {
    return node.get_bool(attribute) || (node.has_in(i) && node.source(i).node().op() == "Transpose");
  }

  static void widen(Node& node, int data, const PartialShape& product) {
    const auto rank = product.dimensions().size();
    const Dimension last = product[rank - 1];
    if (!last.is_exact() || last == Dimension(1)) return;
    for (int i = 0; i < node.in_count(); ++i) {
      if (i == data || !node.has_in(i)) continue;
      Shape shape = node.source(i).tensor().value->shape;
      // The one axis of a slope is that of the channels.
      if (node.op() == "PReLU" && shape.size() == 1) shape.resize(rank - 1, 1);
      if (shape.size() + 1 < rank || shape.size() > rank) continue;
      shape.insert(shape.begin(), rank - shape.size(), 1);
      if (shape[1] == 1 || static_cast<int64_t>(element_count(shape)) != shape[1]) continue;
      Builder b(node);
      const OutPort given = b.reshape(node.source(i), shape, false);
      shape[rank - 1] = last.min;
      node.in(i).connect(b.op("Broadcast", {given, b.i64(shape)}, {{"mode", "numpy"}}));
    }
  }

  static void repeat(Node& node, int data, OutPort product, int rank) {
    if (node.in_count() != 2) return;
    const OutPort given = node.source(1 - data);
    const Shape shape = given.tensor().value->shape;
    if (shape.empty() || shape.back() == 1 || static_cast<int64_t>(element_count(shape)) != shape.back()) return;
    Builder b(node);
    const auto last = static_cast<size_t>(rank) - 1;
    const Dimension rows = product.tensor().shape[last - 1], columns = product.tensor().shape[last];
    const OutPort flat = b.reshape(given, {shape.back()}, false);
    OutPort target;
    if (rows.is_exact() && columns.is_exact()) {
      target = b.i64({rows.min, columns.min});
    } else {
      const OutPort count = b.i64({shape.back()}), size = b.dims_of(product, {rank - 1});
      target = b.op("Maximum", {size, count});
    }
    node.in(1 - data).connect(b.op("Broadcast", {flat, target}, {{"mode", "numpy"}}));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(MatMulByChannel)
}  // namespace mo
