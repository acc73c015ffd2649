// Before: y = Patches(x [N, C, H, W]) {kernel_shape, strides, dilations, pads}
// After:  y [N, C * h * w, places] = x, padded, gathered along both axes by the rows and columns of each window
// Before: y = TemporalShift(x) {length, ratio, channels_last}
// After:  y = x as [N, time, …]: some channels from one step before, some from one behind, zeros at the ends
// Conditions: Patches: x has four dimensions. TemporalShift: the number of channels is known.

#include "core/decompose/shaping/shaping.h"
#include "core/decompose/spatial/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr int64_t kMostTaps = 1 << 16;

class DecomposePatches final : public Decomposition {
 public:
  Names ops() const override { return {"Patches", "TemporalShift"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    if (const PartialShape& shape = x.tensor().shape; shape.has_rank() && shape.rank() != 4)
      throw Error(Code::RankMismatch, msg("[", to_string(shape), "], not four dimensions"));
    return {node.op() == "Patches" ? patches(b, node, x) : shifted(b, node, x)};
  }

 private:
  static OutPort patches(Builder& b, const Node& node, OutPort x) {
    const SpatialWindow window(node, 2);
    if (window.kernel.size() != 2) throw Error(Code::MissingAttribute, "kernel_shape");
    for (const int64_t size : window.kernel)
      if (size < 1 || size > kMostTaps)
        throw Error(Code::BadAttribute, msg(std::string("kernel_shape"), " holds ", size));
    OutPort data = x;
    if (window.pads_begin != Ints{0, 0} || window.pads_end != Ints{0, 0})
      data = b.op("Pad",
                  {x, b.i64({0, 0, window.pads_begin[0], window.pads_begin[1]}),
                   b.i64({0, 0, window.pads_end[0], window.pads_end[1]}), b.scalar_like(x, 0)},
                  {{"mode", "constant"}});
    const OutPort rows = indices(b, window.axis(0), data, 2), columns = indices(b, window.axis(1), data, 3);
    const OutPort all = b.gather(b.gather(data, rows, 2), columns, 4);  // [N, C, h, rows, w, columns]
    const OutPort turned = b.transpose(all, {0, 1, 2, 4, 3, 5});
    const Dimension channels = x.tensor().shape.has_rank() ? x.tensor().shape[1] : kAnyDimension;
    if (channels.is_exact()) {
      const int64_t size = channels.min * window.kernel[0] * window.kernel[1];
      return b.reshape(turned, {0, size, -1});
    }
    const OutPort places = b.op("Mul", {count(b, window.axis(0), data, 2), count(b, window.axis(1), data, 3)});
    return b.op("Reshape", {turned, b.concat({b.i64({0, -1}), places}, 0)}, {{"special_zero", true}});
  }

  /// The number of windows, as a list of one.
  static OutPort count(Builder& b, const WindowAxis& window, OutPort x, int64_t axis) {
    const OutPort room = b.op("Sub", {b.dims_of(x, {axis}), b.i64({window.extent().min - window.stride})});
    return b.op("Div", {room, b.i64({window.stride})});
  }

  /// [kernel, windows]
  static OutPort indices(Builder& b, const WindowAxis& window, OutPort x, int64_t axis) {
    Ints taps;
    for (int64_t i = 0; i < window.kernel.min; ++i) taps.push_back(i * window.dilation);
    const OutPort starts = b.op("Mul", {counted(b, b.squeeze(count(b, window, x, axis), {0})), b.i64({window.stride})});
    return b.op("Add", {b.unsqueeze(b.i64(taps), {1}), starts});
  }

  static OutPort shifted(Builder& b, const Node& node, OutPort x) {
    const PartialShape& shape = x.tensor().shape;
    const bool last = node.get_bool("channels_last");
    const Dimension channels = shape.has_rank() ? shape[last ? 3 : 1] : kAnyDimension;
    if (!channels.is_exact()) throw Error(Code::UnsupportedForm, "an unknown number of channels");
    const auto ratio = static_cast<float>(node.get_float("ratio"));
    const auto wide = static_cast<float>(channels.min);
    const auto before = static_cast<int64_t>(wide * ratio), behind = static_cast<int64_t>(wide * 2 * ratio);
    const int64_t axis = last ? 4 : 2;
    const OutPort steps =
        b.op("Reshape", {x, b.concat({b.i64({-1, node.get_int("length")}), b.dims_of(x, {1, 2, 3})}, 0)},
             {{"special_zero", false}});
    const auto part = [&](int64_t from, int64_t to, int64_t first, int64_t stop, int64_t pad_begin, int64_t pad_end) {
      const OutPort piece =
          b.op("Slice", {steps, b.i64({from, first}), b.i64({to, stop}), b.i64({1, 1}), b.i64({axis, 1})});
      if (pad_begin + pad_end == 0) return piece;
      return b.op("Pad", {piece, b.i64({0, pad_begin, 0, 0, 0}), b.i64({0, pad_end, 0, 0, 0}), b.scalar_like(x, 0)},
                  {{"mode", "constant"}});
    };
    std::vector<OutPort> parts;
    if (before > 0) parts.push_back(part(0, before, 0, -1, 1, 0));
    if (behind > before) parts.push_back(part(before, behind, 1, INT64_MAX, 0, 1));
    if (channels.min > behind) parts.push_back(part(behind, INT64_MAX, 0, INT64_MAX, 0, 0));
    return b.op("Reshape", {parts.size() == 1 ? parts[0] : b.concat(parts, axis), b.shape_of(x)},
                {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposePatches)
}  // namespace mo
