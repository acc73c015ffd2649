// Before: y = MaxUnpool(x, indices, output_shape) {kernel_shape, strides, pads}
// After:  y = Reshape(ScatterElementsUpdate(zeros, indices, x)) to the pool's input shape, padded to output_shape; if
//         places_in_output, to output_shape
// Conditions: the rank of x is known. A MaxPool that gives the indices has no larger input than y, if that is known.

#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeMaxUnpool final : public Decomposition {
 public:
  Names ops() const override { return {"MaxUnpool"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const size_t axes = spatial_axes_of(node);
    SpatialWindow window(node, axes);
    window.kernel.resize(axes, 1);
    Ints spatial, more;
    for (size_t i = 0; i < axes; ++i) {
      spatial.push_back(static_cast<int64_t>(i) + 2);
      more.push_back(window.kernel[i] - window.strides[i] - window.pads_begin[i] - window.pads_end[i]);
    }
    const OutPort size = b.op("Add", {b.op("Mul", {b.dims_of(x, spatial), b.i64(window.strides)}), b.i64(more)});
    const OutPort smallest = b.concat({b.dims_of(x, {0, 1}), size}, 0);
    const bool given = node.has_in(2), whole = given && node.get_bool("places_in_output");
    const OutPort shape = whole ? b.convert(node.source(2), ElementType::I64) : smallest;
    require_places(node.source(1), shape);
    const OutPort zeros =
        b.op("Broadcast", {b.scalar_like(x, 0), b.reduce("ReduceProd", shape, {0}, true)}, {{"mode", "numpy"}});
    const OutPort flat =
        b.op("ScatterElementsUpdate", {zeros, b.reshape(node.source(1), {-1}), b.reshape(x, {-1}), b.i64_scalar(0)});
    const OutPort y = b.op("Reshape", {flat, shape}, {{"special_zero", false}});
    if (!given || whole) return {y};
    const OutPort missing = b.op("Sub", {b.convert(node.source(2), ElementType::I64), shape});
    return {b.op("Pad", {y, b.i64(Ints(axes + 2, 0)), missing, b.scalar_like(x, 0)}, {{"mode", "constant"}})};
  }

 private:
  /// Runtimes do not check the places.
  static void require_places(OutPort places, OutPort shape) {
    const auto& sizes = shape.tensor().ints;
    if (places.node().op() != "MaxPool" || !sizes || !sizes->is_exact()) return;
    Interval room(1);
    for (const Interval& size : sizes->elements) room = room * size;
    const PartialShape& pooled = places.node().source(0).tensor().shape;
    if (pooled.has_rank() && pooled.elements().min > room.max)
      throw Error(Code::UnsupportedForm, msg("places in [", to_string(pooled), "] for ", room.max, " elements"), {},
                  "give MaxUnpool the shape of the pool's input as output_shape");
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeMaxUnpool)
}  // namespace mo
