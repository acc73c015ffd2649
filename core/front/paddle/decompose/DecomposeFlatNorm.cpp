// Before: y = FlatNorm(x, scale, bias) {begin, epsilon, centered}
// After:  y = MVN(x, axes from begin on) [* scale] [+ bias], which get the dimensions of x from begin on
//         without centered: y = x / sqrt(mean of x^2 + epsilon) [* scale] [+ bias]
// Conditions: the rank of x is known.

#include "core/decompose/math/constants.h"
#include "core/decompose/normalization/normalization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFlatNorm final : public Decomposition {
 public:
  Names ops() const override { return {"FlatNorm"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const PartialShape& shape = x.tensor().shape;
    if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "an input of unknown rank");
    const auto begin = static_cast<int64_t>(normalize_axis(node.get_int("begin"), shape.rank()));
    const double epsilon = node.get_float("epsilon");
    const OutPort wide = stashed(b, node, x), axes = axes_from(b, x, begin);
    OutPort y = node.get_bool("centered", true) ? normalized(b, wide, axes, epsilon)
                                                : root_mean_square_normalized(b, wide, axes, epsilon);
    y = back_to_type(b, y, x);
    if (node.has_in(1)) y = b.op("Mul", {y, spread(b, convert_like(b, node.source(1), x), x, begin)});
    if (node.has_in(2)) y = b.op("Add", {y, spread(b, convert_like(b, node.source(2), x), x, begin)});
    return {y};
  }

 private:
  /// A vector of the elements that are normalised together.
  static OutPort spread(Builder& b, OutPort vector, OutPort x, int64_t begin) {
    const PartialShape& shape = x.tensor().shape;
    if (begin + 1 == shape.rank() && vector.tensor().shape.rank() == 1) return vector;
    Shape own;
    for (int64_t i = begin; i < shape.rank(); ++i) {
      const Dimension& size = shape[static_cast<size_t>(i)];
      if (!size.is_exact()) {
        const OutPort sizes =
            b.op("Slice", {b.shape_of(x), b.i64({begin}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
        return b.op("Reshape", {vector, sizes}, {{"special_zero", false}});
      }
      own.push_back(size.min);
    }
    return reshaped(b, vector, own);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFlatNorm)
}  // namespace mo
