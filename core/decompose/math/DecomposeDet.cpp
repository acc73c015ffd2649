// Before: y = Det(x [batch…, n, n])
// After:  sums of products of x's elements, by cofactor expansion along the first row
// Conditions: n is known and at most 4.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDet final : public Decomposition {
 public:
  Names ops() const override { return {"Det"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    if (shape.has_rank() && shape.rank() < 2)
      throw Error(Code::RankMismatch, msg("the input is [", to_string(shape), "]"));
    const Dimension size = shape.has_rank() ? shape.dimensions().back() : kAnyDimension;
    if (!size.is_exact() || size.min < 1 || size.min > 4)
      throw Error(Code::UnsupportedForm,
                  msg("the determinant of [", to_string(shape), "], want matrices of 1 to 4 rows"));
    const int64_t row_axis = shape.rank() - 2;
    std::vector<std::vector<OutPort>> elements;
    for (int64_t i = 0; i < size.min; ++i) {
      const OutPort row = b.gather(x, b.i64_scalar(i), row_axis);
      elements.emplace_back();
      for (int64_t j = 0; j < size.min; ++j) elements.back().push_back(b.gather(row, b.i64_scalar(j), row_axis));
    }
    std::vector<size_t> columns;
    for (size_t j = 0; j < elements.size(); ++j) columns.push_back(j);
    return {determinant(b, elements, 0, columns)};
  }

 private:
  using Matrix = std::vector<std::vector<OutPort>>;

  /// The determinant of the rows from `row` on and the given columns.
  static OutPort determinant(Builder& b, const Matrix& m, size_t row, const std::vector<size_t>& columns) {
    if (columns.size() == 1) return m[row][columns[0]];
    OutPort sum;
    for (size_t i = 0; i < columns.size(); ++i) {
      std::vector<size_t> others = columns;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const OutPort part = b.op("Mul", {m[row][columns[i]], determinant(b, m, row + 1, others)});
      sum = i == 0 ? part : b.op(i % 2 ? "Sub" : "Add", {sum, part});
    }
    return sum;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDet)
}  // namespace mo
