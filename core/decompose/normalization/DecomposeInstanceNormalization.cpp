// Before: y = InstanceNormalization(x, scale, bias) {epsilon}
// After:  y = MVN(x, spatial axes) * scale + bias
// Before: y = GroupNormalizationONNX(x, scale, bias) {num_groups, epsilon, by_group}
// After:  y = GroupNormalization(x, scale, bias); with by_group there is one scale and bias per group, which are
//         repeated for each channel. Runtimes do not compile it for data [N, C] of unknown size: it gets a third
//         dimension
// Conditions: the rank of x is known.

#include "core/decompose/normalization/normalization.h"
#include "core/decompose/spatial/convolution.h"
#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeInstanceNormalization final : public Decomposition {
 public:
  Names ops() const override { return {"InstanceNormalization", "GroupNormalizationONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (!node.has("epsilon")) throw Error(Code::MissingAttribute, "epsilon");
    const double epsilon = node.get_float("epsilon");
    if (node.op() == "GroupNormalizationONNX") return {group_normalization(b, node, epsilon)};
    if (!x.tensor().shape.has_rank()) throw Error(Code::UnsupportedForm, "an input of unknown rank");
    const OutPort unit = normalized(b, x, spatial_axes_input(b, node, x), epsilon);
    const SpatialDims dims = spatial_dims(node, x.tensor().shape.dimensions().size());
    const OutPort scaled = b.op("Mul", {unit, per_channel(b, node.source(1), dims)});
    return {b.op("Add", {scaled, per_channel(b, node.source(2), dims)})};
  }

 private:
  static OutPort group_normalization(Builder& b, const Node& node, double epsilon) {
    const int64_t groups = node.get_int("num_groups");
    if (groups < 1) throw Error(Code::BadAttribute, msg("num_groups is ", groups));
    OutPort scale = node.source(1), bias = node.source(2);
    if (node.get_bool("by_group")) {
      const OutPort repeats = b.op(
          "Div", {b.dims_of(node.source(0), {channel_axis(node, node.source(0).tensor().shape)}), b.i64({groups})});
      scale = repeated(b, scale, repeats), bias = repeated(b, bias, repeats);
    }
    Attributes attributes{{"num_groups", groups}, {"epsilon", epsilon}};
    const OutPort x = node.source(0);
    if (const PartialShape& shape = x.tensor().shape; shape.rank() == 2 && !shape.is_static()) {
      const OutPort y = b.op("GroupNormalization", {b.unsqueeze(x, {2}), scale, bias}, attributes);
      return b.squeeze(y, {2});
    }
    copy_spatial_dims(node, attributes);
    return b.op("GroupNormalization", {x, scale, bias}, attributes);
  }

  /// [g0, g1…] as [g0, g0…, g1, g1…]
  static OutPort repeated(Builder& b, OutPort x, OutPort times) {
    const OutPort tiled = b.op("Tile", {b.unsqueeze(x, {1}), b.concat({b.i64({1}), times}, 0)});
    return b.reshape(tiled, {-1}, false);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeInstanceNormalization)
}  // namespace mo
