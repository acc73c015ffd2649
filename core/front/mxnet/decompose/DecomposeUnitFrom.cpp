// Before: y = UnitFrom(x) {begin, eps}
// After:  y = NormalizeL2(x, axes from begin on): x / sqrt(sum of squares + eps)
// Before: y = SoftMaxOfLengths(x, lengths) {axis}
// After:  y = SoftMax(Select(place < length, x, lowest)) * (place < length)
// Conditions: the rank of x is known.

#include "core/decompose/math/constants.h"
#include "core/decompose/normalization/normalization.h"
#include "core/decompose/shaping/shaping.h"
#include "core/ops/op_def.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeUnitFrom final : public Decomposition {
 public:
  Names ops() const override { return {"UnitFrom", "SoftMaxOfLengths"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0);
    if (!x.tensor().shape.has_rank()) throw Error(Code::UnsupportedForm, "an input of unknown rank");
    if (node.op() == "SoftMaxOfLengths") return {of_lengths(b, node, x)};
    const OutPort axes = axes_from(b, x, node.get_int("begin"));
    return {b.op("NormalizeL2", {x, axes}, {{"eps", node.get_float("eps")}, {"eps_mode", "add"}})};
  }

 private:
  static OutPort of_lengths(Builder& b, const Node& node, OutPort x) {
    require_input(node, 1);
    const int rank = x.tensor().shape.rank();
    const auto axis = static_cast<int64_t>(normalize_axis(node.get_int("axis", -1), rank));
    OutPort places = counted(b, dimension_of(b, x, axis));
    if (axis + 1 < rank) {
      Ints shape(static_cast<size_t>(rank - axis), 1);
      shape[0] = -1;
      places = b.reshape(places, shape, false);
    }
    const OutPort lengths = b.unsqueeze(b.convert(node.source(1), ElementType::I64), {axis});
    const OutPort inside = b.op("Less", {places, lengths});
    const OutPort shown = b.op("Select", {inside, x, splat_like(b, x, {}, lowest(x.tensor().type))});
    const OutPort y = b.op("SoftMax", {shown}, {{"axis", axis}});
    return b.op("Mul", {y, convert_like(b, inside, x)});
  }

  static double lowest(ElementType type) { return type == ElementType::F16 ? -65504 : -3.4028234e38; }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeUnitFrom)
}  // namespace mo
