// Before: y = Col2Im(x [N, C * b1 * b2…, L], image_shape, block_shape) {strides, dilations, pads}
// After:  y = the image, cut out of ScatterElementsUpdate(zeros [N, C, padded image], places of x's elements, x) with
//         reduction sum
// Conditions: the number of spatial dimensions is known.

#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCol2Im final : public Decomposition {
 public:
  Names ops() const override { return {"Col2Im"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), image = b.convert(node.source(1), ElementType::I64),
                  block = b.convert(node.source(2), ElementType::I64);
    const int64_t axes = number_of_axes(image, block);
    const SpatialWindow window(node, static_cast<size_t>(axes));
    const Ints& begin = window.pads_begin;
    const OutPort padded = b.op("Add", {b.op("Add", {image, b.i64(begin)}), b.i64(window.pads_end)});
    const OutPort places = b.reshape(element_places(b, window, axes, padded, block), {1, 1, -1}, false);

    const OutPort channels = b.i64({channels_of(x, block)});
    const OutPort split = b.concat(
        {b.dims_of(x, {0}), channels, b.op("Mul", {b.reduce("ReduceProd", block, {0}, true), b.dims_of(x, {2})})}, 0);
    const OutPort updates = b.op("Reshape", {x, split}, {{"special_zero", false}});
    const OutPort indices = broadcast(b, places, b.shape_of(updates)), outer = b.dims_of(updates, {0, 1});
    const OutPort zero = b.scalar_like(x, 0);
    const OutPort zeros = broadcast(b, zero, b.concat({outer, b.reduce("ReduceProd", padded, {0}, true)}, 0));
    const OutPort summed = b.op("ScatterElementsUpdate", {zeros, indices, updates, b.i64_scalar(2)},
                                {{"reduction", "sum"}, {"use_init_val", true}});
    const OutPort whole = b.op("Reshape", {summed, b.concat({outer, padded}, 0)}, {{"special_zero", false}});
    Ints spatial;
    for (int64_t i = 0; i < axes; ++i) spatial.push_back(i + 2);
    return {b.op("Slice", {whole, b.i64(begin), b.op("Add", {image, b.i64(begin)}), b.i64(Ints(spatial.size(), 1)),
                           b.i64(spatial)})};
  }

 private:
  static int64_t number_of_axes(OutPort image, OutPort block) {
    for (const OutPort port : {image, block}) {
      const PartialShape& shape = port.tensor().shape;
      if (shape.rank() != 1 || !shape[0].is_exact()) continue;
      if (shape[0].min < 1 || shape[0].min > 8)
        throw Error(Code::UnsupportedForm, msg(shape[0].min, " spatial dimensions"));
      return shape[0].min;
    }
    throw Error(Code::UnsupportedForm, "the number of spatial dimensions is not known");
  }

  /// -1, the rest, unless other sizes are not known: then it would not be known either.
  static int64_t channels_of(OutPort x, OutPort block) {
    const PartialShape& shape = x.tensor().shape;
    const auto sizes = block.tensor().exact_ints();
    if (shape.rank() != 3 || (shape[0].is_exact() && shape[2].is_exact()) || !shape[1].is_exact() || !sizes) return -1;
    Interval taps(1);
    for (const int64_t size : *sizes) taps = taps * Interval(size);
    return taps.is_exact() && taps.min > 0 && shape[1].min % taps.min == 0 ? shape[1].min / taps.min : -1;
  }

  static OutPort broadcast(Builder& b, OutPort x, OutPort shape) {
    return b.op("Broadcast", {x, shape}, {{"mode", "numpy"}});
  }

  /// 0…count-1 along `axis` of `rank`.
  static OutPort counted(Builder& b, OutPort count, int64_t axis, int64_t rank) {
    Ints shape(static_cast<size_t>(rank), 1);
    shape[static_cast<size_t>(axis)] = -1;
    return b.reshape(b.op("Range", {b.i64_scalar(0), count, b.i64_scalar(1)}, {{"output_type", ElementType::I64}}),
                     shape, false);
  }

  /// The positions in the flat padded image of the elements of [b1, b2…, l1, l2…].
  static OutPort element_places(Builder& b, const SpatialWindow& window, int64_t axes, OutPort padded, OutPort block) {
    OutPort sum;
    for (int64_t i = 0; i < axes; ++i) {
      const auto at = static_cast<size_t>(i);
      const OutPort stride = b.i64_scalar(window.strides[at]), dilation = b.i64_scalar(window.dilations[at]);
      const OutPort one = b.i64_scalar(1), size = b.gather(padded, b.i64_scalar(i), 0),
                    taps = b.gather(block, b.i64_scalar(i), 0);
      const OutPort room = b.op("Sub", {b.op("Sub", {size, b.op("Mul", {b.op("Sub", {taps, one}), dilation})}), one});
      const OutPort steps = b.op("Add", {b.op("Div", {room, stride}), one});
      const OutPort offset = b.op("Mul", {counted(b, taps, i, 2 * axes), dilation}),
                    start = b.op("Mul", {counted(b, steps, i + axes, 2 * axes), stride});
      const OutPort place = b.op("Add", {offset, start});
      sum = sum ? b.op("Add", {b.op("Mul", {sum, size}), place}) : place;
    }
    return sum;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCol2Im)
}  // namespace mo
