// Before: y = TensorDot(a, b) {transpose_a, transpose_b, numpy}
// After:  y = MatMul(a, b); factors of more than two dimensions are matrices, whose other dimensions y gets back
// The product is along the last axis of a and the first one of b; of a transposed factor along the other one.
// numpy: along the last axis but one of b; a factor without dimensions is a number.
// Conditions: the ranks are known.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeTensorDot final : public Decomposition {
 public:
  Names ops() const override { return {"TensorDot"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    const bool numpy = node.get_bool("numpy");
    const OutPort x = node.source(0);
    OutPort y = node.source(1);
    const int x_rank = x.tensor().shape.rank(), y_rank = y.tensor().shape.rank();
    if (numpy && (x_rank == 0 || y_rank == 0)) return {b.op("Mul", {x, y})};
    if (x_rank < 1 || y_rank < 1) throw Error(Code::UnsupportedForm, "a product with a tensor of unknown rank");
    if (numpy && y_rank > 2) {
      Ints order{y_rank - 2};
      for (int64_t i = 0; i < y_rank; ++i)
        if (i != y_rank - 2) order.push_back(i);
      y = b.transpose(y, order);
    }
    // A vector is the same transposed.
    const bool transpose_x = node.get_bool("transpose_a") && x_rank > 1,
               transpose_y = node.get_bool("transpose_b") && y_rank > 1;
    const bool rows_differ = x_rank > 2 && transpose_x, columns_differ = y_rank > 2;
    const OutPort rows = rows_differ ? flattened(b, x, 1) : x;
    const OutPort columns = columns_differ ? flattened(b, y, transpose_y ? y_rank - 1 : 1) : y;
    const OutPort product =
        b.op("MatMul", {rows, columns}, {{"transpose_a", transpose_x}, {"transpose_b", transpose_y}});
    if (x_rank == 1 && y_rank == 1 && !numpy) return {b.reshape(product, {1}, false)};
    if (!rows_differ && !columns_differ) return {product};
    std::vector<OutPort> sizes;
    if (x_rank > 1) sizes.push_back(dimensions(b, x, transpose_x ? 1 : 0, transpose_x ? x_rank : x_rank - 1));
    if (y_rank > 1) sizes.push_back(dimensions(b, y, transpose_y ? 0 : 1, transpose_y ? y_rank - 1 : y_rank));
    const OutPort shape = sizes.size() == 1 ? sizes[0] : b.concat(sizes, 0);
    return {b.op("Reshape", {product, shape}, {{"special_zero", false}})};
  }

 private:
  static OutPort dimensions(Builder& b, OutPort x, int64_t from, int64_t to) {
    Ints axes;
    for (int64_t i = from; i < to; ++i) axes.push_back(i);
    return b.dims_of(x, axes);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeTensorDot)
}  // namespace mo
