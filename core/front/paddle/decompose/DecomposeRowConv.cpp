// Before: y = RowConv(x [time, D] or [N, time, D], W [rows, D]): the sum of a row and those behind it, weighted
// After:  y = GroupConvolution of x along time, with a group for each column, between Transposes
// Before: y = PositionEncoding(x) {alpha, beta}
// After:  y = alpha * x + beta * (sines in the first half of the columns, cosines in the second)
// Conditions: the rank of x is known; of PositionEncoding the even number of columns, too.

#include "core/base/libm.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/ops/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeRowConv final : public Decomposition {
 public:
  Names ops() const override { return {"RowConv", "PositionEncoding"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const PartialShape& shape = node.source(0).tensor().shape;
    if (shape.rank() != 2 && shape.rank() != 3)
      throw Error(Code::RankMismatch, msg("[", to_string(shape), "], not [time, D] or [N, time, D]"));
    return {node.op() == "RowConv" ? sums(b, node) : encoded(b, node)};
  }

 private:
  static OutPort sums(Builder& b, const Node& node) {
    const OutPort x = node.source(0), filter = node.source(1);
    const PartialShape& weights = filter.tensor().shape;
    const bool single = x.tensor().shape.rank() == 2;
    if (weights.rank() != 2 || !weights[0].is_exact() || weights[0].min < 1)
      throw Error(Code::UnsupportedForm, msg("a filter of [", to_string(weights), "]"));
    SpatialWindow window(1);
    window.pads_end[0] = weights[0].min - 1;
    const OutPort turned = b.unsqueeze(b.transpose(filter, {1, 0}), {1, 2});  // [D, 1, 1, rows]
    const OutPort lines = b.transpose(single ? b.unsqueeze(x, {0}) : x, {0, 2, 1});
    const OutPort y = b.transpose(b.op("GroupConvolution", {lines, turned}, window.attributes()), {0, 2, 1});
    return single ? b.squeeze(y, {0}) : y;
  }

  static OutPort encoded(Builder& b, const Node& node) {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    const int64_t rank = shape.rank();
    const Dimension columns = shape[static_cast<size_t>(rank) - 1];
    if (!columns.is_exact() || columns.min % 2 != 0 || columns.min > 1 << 20)
      throw Error(Code::UnsupportedForm, msg("encoding of positions in ", to_string(columns), " columns"));
    const int64_t half = columns.min / 2;
    std::vector<float> rates;
    for (int64_t i = 0; i < half; ++i)
      rates.push_back(static_cast<float>(
          half == 1 ? 1e-4 : libm::pow(10000.0, -static_cast<double>(i) / static_cast<double>(half - 1))));
    const OutPort time = b.convert(counted(b, dimension_of(b, x, rank - 2)), ElementType::F32);
    const OutPort angles = b.op("Mul", {b.unsqueeze(time, {1}), b.constant(make_f32({1, half}, rates))});
    const OutPort waves = b.concat({b.op("Sin", {angles}), b.op("Cos", {angles})}, 1);
    const double alpha = node.get_float("alpha"), beta = node.get_float("beta");
    const OutPort kept = alpha == 1 ? x : b.op("Mul", {x, b.scalar_like(x, alpha)});
    return b.op("Add", {kept, convert_like(b, b.op("Mul", {waves, b.f32_scalar(static_cast<float>(beta))}), x)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRowConv)
}  // namespace mo
