// Before: y = MatrixDiag(diagonals [, k [, rows, columns [, padding]]]) {align}
// Before: y = MatrixSetDiag(x, diagonals [, k]) {align}
// After:  y = Select(the element is on one of the diagonals, Gather(diagonals, its index there, -1), padding or x)
// Before: y = MatrixDiagPart(x [, k [, padding]]) {align}
// After:  y = Gather(the matrices of x as vectors, the indices of the diagonals' elements, -1); where a diagonal is
//         shorter than the longest one: padding
// Before: y = MatrixBandPart(x, lower, upper)
// After:  y = Select(the element is in the band, x, 0)
// Before: y = Diag(x), DiagPart(x)
// After:  the same of one matrix, between Reshapes
// Conditions: it is known whether k is one number, or two that are equal.

#include "core/decompose/math/band.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMatrixDiag final : public Decomposition {
 public:
  Names ops() const override {
    return {"MatrixDiag", "MatrixSetDiag", "MatrixDiagPart", "MatrixBandPart", "Diag", "DiagPart"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (node.op() == "Diag") return {diag(b, x)};
    if (node.op() == "DiagPart") return {diag_part(b, x)};
    if (node.op() == "MatrixBandPart") return {band_part(b, node)};
    if (node.op() == "MatrixDiagPart") return {part(b, node)};
    if (node.op() == "MatrixDiag") return {matrix_diag(b, node)};
    Band band(b, node, 2);
    band.rows = dimension_of(b, x, -2);
    band.columns = dimension_of(b, x, -1);
    return {spread(b, band, node.source(1), x)};
  }

 private:
  /// Elements of the diagonals where they belong, elsewhere those of `other`.
  static OutPort spread(Builder& b, const Band& band, OutPort diagonals, OutPort other) {
    const OutPort row = b.unsqueeze(counted(b, band.rows), {1}), column = counted(b, band.columns);
    const OutPort d = b.op("Sub", {column, row});
    const OutPort inside = band.contains(b, d), length = dimension_of(b, diagonals, -1);
    OutPort index = b.op("Minimum", {row, column});
    if (band.wide) {
      index = b.op("Add", {index, band.offset(b, d, length)});
      index = b.op("Add", {index, b.op("Mul", {b.op("Sub", {band.upper, d}), length})});
      diagonals = joined(b, diagonals);
    }
    index = b.op("Select", {inside, index, b.i64_scalar(0)});
    return b.op("Select", {inside, b.gather(diagonals, index, -1), other});
  }

  static OutPort matrix_diag(Builder& b, const Node& node) {
    const OutPort diagonals = node.source(0);
    Band band(b, node, 1);
    const OutPort length = dimension_of(b, diagonals, -1), zero = b.i64_scalar(0);
    const OutPort rows = b.op("Sub", {length, b.op("Minimum", {band.upper, zero})});
    const OutPort columns = b.op("Add", {length, b.op("Maximum", {band.lower, zero})});
    const auto given = [&](int i) {
      if (!node.has_in(i)) return OutPort();
      const OutPort count = to_i64_scalar(b, node.source(i));
      return count.tensor().exact_int() == int64_t{-1} ? OutPort() : count;
    };
    band.rows = given(2);
    band.columns = given(3);
    if (!band.rows && !band.columns) {
      band.rows = band.columns = b.op("Maximum", {rows, columns});
    } else {
      if (!band.rows) band.rows = rows;
      if (!band.columns) band.columns = columns;
    }
    return spread(b, band, diagonals, node.has_in(4) ? node.source(4) : b.scalar_like(diagonals, 0));
  }

  static OutPort part(Builder& b, const Node& node) {
    const OutPort x = node.source(0), zero = b.i64_scalar(0);
    Band band(b, node, 1);
    band.rows = dimension_of(b, x, -2);
    band.columns = dimension_of(b, x, -1);
    const OutPort most = band.longest(b);
    OutPort d = band.upper, at = counted(b, most);
    if (band.wide) {
      const OutPort count = b.op("Add", {b.op("Sub", {band.upper, band.lower}), b.i64_scalar(1)});
      d = b.op("Sub", {band.upper, b.unsqueeze(counted(b, count), {1})});
      at = b.op("Sub", {at, band.offset(b, d, most)});
    }
    const OutPort row = b.op("Sub", {at, b.op("Minimum", {d, zero})});
    const OutPort column = b.op("Add", {at, b.op("Maximum", {d, zero})});
    const OutPort index = b.op("Add", {b.op("Mul", {row, band.columns}), column}), all = joined(b, x);
    if (!band.wide) return b.gather(all, index, -1);
    const OutPort begun = b.op("GreaterEqual", {at, zero}), ended = b.op("GreaterEqual", {at, band.length(b, d)});
    const OutPort inside = b.op("LogicalAnd", {begun, b.op("LogicalNot", {ended})});
    const OutPort elements = b.gather(all, b.op("Select", {inside, index, zero}), -1);
    return b.op("Select", {inside, elements, node.has_in(2) ? node.source(2) : b.scalar_like(x, 0)});
  }

  static OutPort band_part(Builder& b, const Node& node) {
    const OutPort x = node.source(0), all = b.i64_scalar(1 << 30), zero = b.i64_scalar(0);
    const auto limit = [&](int i) {
      const OutPort count = to_i64_scalar(b, node.source(i));
      return b.op("Select", {b.op("Less", {count, zero}), all, count});
    };
    Band band;
    band.lower = b.op("Sub", {zero, limit(1)});
    band.upper = limit(2);
    band.wide = true;
    const OutPort rows = counted(b, dimension_of(b, x, -2)), columns = counted(b, dimension_of(b, x, -1));
    const OutPort inside = band.contains(b, b.op("Sub", {columns, b.unsqueeze(rows, {1})}));
    return b.op("Select", {inside, x, b.scalar_like(x, 0)});
  }

  static OutPort diag(Builder& b, OutPort x) {
    const OutPort shape = b.shape_of(x), flat = b.reshape(x, {-1}, false);
    Band band;
    band.lower = band.upper = b.i64_scalar(0);
    band.rows = band.columns = dimension_of(b, flat, 0);
    const OutPort matrix = spread(b, band, flat, b.scalar_like(x, 0));
    return b.op("Reshape", {matrix, b.concat({shape, shape}, 0)}, {{"special_zero", false}});
  }

  static OutPort diag_part(Builder& b, OutPort x) {
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "DiagPart of a tensor of unknown rank");
    Ints axes;
    for (int i = 0; i < rank / 2; ++i) axes.push_back(i);
    const OutPort shape = b.dims_of(x, axes), count = b.reduce("ReduceProd", shape, {0}, false);
    const OutPort index = b.op("Mul", {counted(b, count), b.op("Add", {count, b.i64_scalar(1)})});
    const OutPort part = b.gather(b.reshape(x, {-1}, false), index, 0);
    return b.op("Reshape", {part, shape}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMatrixDiag)
}  // namespace mo
