// Before: y = FlatMatMul(a, b) {x_num_col_dims, y_num_col_dims}
// After:  y = MatMul(a [a's first dimensions…, -1], b as a matrix), reshaped if b has several columns' dimensions
// Before: y = VectorMatMul(a, b) {transpose_a, transpose_b}
// After:  y = MatMul(a, b); a vector that is transposed is a matrix of one column or one row
// Conditions: the number of b's dimensions is known, and that of transposed factors.

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFlatMatMul final : public Decomposition {
 public:
  Names ops() const override { return {"FlatMatMul", "VectorMatMul"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    const OutPort x = node.source(0), y = node.source(1);
    if (node.op() == "VectorMatMul") return {of_vectors(b, node, x, y)};
    return {flat(b, x, y, node.get_int("x_num_col_dims"), node.get_int("y_num_col_dims"))};
  }

 private:
  static OutPort flat(Builder& b, OutPort x, OutPort y, int64_t x_rows, int64_t y_rows) {
    const int x_rank = x.tensor().shape.rank(), y_rank = y.tensor().shape.rank();
    if (y_rank < 0) throw Error(Code::UnsupportedForm, "a product with a tensor of unknown rank");
    if (x_rows < 1 || (x_rank >= 0 && x_rows >= x_rank))
      throw Error(Code::BadAttribute, msg("x_num_col_dims is ", x_rows));
    if (y_rows < 1 || y_rows >= y_rank) throw Error(Code::BadAttribute, msg("y_num_col_dims is ", y_rows));
    OutPort rows = x;
    if (x_rank != x_rows + 1) {
      Ints shape(static_cast<size_t>(x_rows), 0);
      shape.push_back(-1);
      rows = b.reshape(x, shape);
    }
    const OutPort columns = y_rank == 2 ? y : flattened(b, y, y_rows);
    const OutPort product = b.matmul({rows, columns});
    if (y_rank - y_rows == 1) return product;
    return b.op("Reshape", {product, b.concat({dimensions(b, x, 0, x_rows), dimensions(b, y, y_rows, y_rank)}, 0)},
                {{"special_zero", false}});
  }

  static OutPort dimensions(Builder& b, OutPort x, int64_t from, int64_t to) {
    Ints axes;
    for (int64_t i = from; i < to; ++i) axes.push_back(i);
    return b.dims_of(x, axes);
  }

  static OutPort of_vectors(Builder& b, const Node& node, OutPort x, OutPort y) {
    bool transpose_x = node.get_bool("transpose_a"), transpose_y = node.get_bool("transpose_b");
    const int x_rank = x.tensor().shape.rank(), y_rank = y.tensor().shape.rank();
    if ((transpose_x && x_rank < 0) || (transpose_y && y_rank < 0))
      throw Error(Code::UnsupportedForm, "a transposed factor of unknown rank");
    if (transpose_x && x_rank == 1) x = b.unsqueeze(x, {1}), transpose_x = false;
    if (transpose_y && y_rank == 1) y = b.unsqueeze(y, {0}), transpose_y = false;
    return b.op("MatMul", {x, y}, {{"transpose_a", transpose_x}, {"transpose_b", transpose_y}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFlatMatMul)
}  // namespace mo
