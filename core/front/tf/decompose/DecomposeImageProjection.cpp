// Before: y = ImageProjectiveTransform(images [N, H, W, C], transforms [N or 1, 8], size, fill) {interpolation,
//         fill_mode}
// After:  y = GridSample(images - fill, grid) + fill, with channels in front. A pixel (x, y) of the result is at
//         ((a x + b y + c) / k, (d x + e y + f) / k) in the image, k = g x + h y + 1; fill_mode says where a place
//         outside lies within.
// Conditions: none. Without a size the result has that of the images, without a fill it is 0.

#include "core/base/text.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeImageProjection final : public Decomposition {
 public:
  Names ops() const override { return {"ImageProjectiveTransform"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    require_input(node, 1);
    const std::string interpolation = node.get_string("interpolation"), fill_mode = node.get_string("fill_mode");
    const bool is_nearest = interpolation == "NEAREST";
    if (!is_nearest && interpolation != "BILINEAR")
      throw Error(Code::BadAttribute, msg("interpolation is '", printable(interpolation), "'"));
    const OutPort images = node.source(0), x = b.convert(b.transpose(images, {0, 3, 1, 2}), ElementType::F32);
    const OutPort height = dimension_of(b, images, 1), width = dimension_of(b, images, 2);
    const auto size = [&](int64_t axis, OutPort of_image) {
      return node.has_in(2) ? b.convert(b.gather(node.source(2), b.i64_scalar(axis), 0), ElementType::I64) : of_image;
    };
    const OutPort rows = size(0, height), columns = size(1, width);
    const OutPort at_x = b.reshape(real(b, counted(b, columns)), {1, 1, -1}, false);
    const OutPort at_y = b.reshape(real(b, counted(b, rows)), {1, -1, 1}, false);
    Node& eight = b.node("Split", {b.convert(node.source(1), ElementType::F32), b.i64_scalar(1)},
                         {{"num_splits", int64_t{8}}}, 8);
    const auto number = [&](int i) { return b.reshape(eight.out(i), {-1, 1, 1}, false); };
    const auto line = [&](int first, OutPort last) {
      const OutPort along_x = b.op("Mul", {number(first), at_x}), along_y = b.op("Mul", {number(first + 1), at_y});
      return b.op("Add", {b.op("Add", {along_x, along_y}), last});
    };
    const OutPort k = line(6, b.f32_scalar(1)), nowhere = b.op("Equal", {k, b.f32_scalar(0)});
    const auto place = [&](int first, OutPort length) {
      OutPort at = b.op("Div", {line(first, number(first + 2)), k});
      at = inside(b, at, real(b, length), fill_mode);
      if (is_nearest) at = rounded(b, at);
      at = b.op("Select", {nowhere, b.f32_scalar(-9), at});
      // GridSample counts from -1 to 1, from edge to edge.
      const OutPort twice = b.op("Add", {b.op("Mul", {at, b.f32_scalar(2)}), b.f32_scalar(1)});
      return b.unsqueeze(b.op("Sub", {b.op("Div", {twice, real(b, length)}), b.f32_scalar(1)}), {3});
    };
    const OutPort first = place(0, width), second = place(3, height);
    const OutPort shape =
        b.concat({b.dims_of(images, {0}), b.unsqueeze(rows, {0}), b.unsqueeze(columns, {0}), b.i64({2})}, 0);
    const OutPort grid = b.op("Broadcast", {b.concat({first, second}, 3), shape}, {{"mode", "bidirectional"}});
    const OutPort fill = node.has_in(3) ? b.convert(node.source(3), ElementType::F32) : b.f32_scalar(0);
    const OutPort sampled =
        b.op("GridSample", {b.op("Sub", {x, fill}), grid},
             {{"align_corners", false}, {"mode", is_nearest ? "nearest" : "bilinear"}, {"padding_mode", "zeros"}});
    return {convert_like(b, b.transpose(b.op("Add", {sampled, fill}), {0, 2, 3, 1}), images)};
  }

 private:
  static OutPort real(Builder& b, OutPort x) { return b.convert(x, ElementType::F32); }

  /// Halves are rounded away from 0.
  static OutPort rounded(Builder& b, OutPort x) {
    const OutPort away = b.op("Floor", {b.op("Add", {b.op("Abs", {x}), b.f32_scalar(0.5)})});
    return b.op("Mul", {b.op("Sign", {x}), away});
  }

  static OutPort inside(Builder& b, OutPort at, OutPort length, const std::string& fill_mode) {
    if (fill_mode == "CONSTANT") return at;
    const OutPort zero = b.f32_scalar(0), one = b.f32_scalar(1), last = b.op("Sub", {length, one});
    OutPort low, high;  // for places before the first pixel and behind the last one
    if (fill_mode == "REFLECT") {
      const OutPort twice = b.op("Add", {length, length}), near = shifted(b, at, twice, twice);
      const OutPort mirrored = b.op("Sub", {b.op("Negative", {near}), one});
      low = b.op("Select", {b.op("Less", {near, b.op("Negative", {length})}), b.op("Add", {near, twice}), mirrored});
      high = b.op("Select", {b.op("Less", {near, length}), near, b.op("Add", {mirrored, twice})});
    } else if (fill_mode == "WRAP") {
      const OutPort step = b.op("Maximum", {last, one});
      high = shifted(b, at, step, length);
      low = b.op("Add", {high, length});
    } else if (fill_mode != "NEAREST") {
      throw Error(Code::BadAttribute, msg("fill_mode is '", printable(fill_mode), "'"));
    }
    if (low)
      at = b.op("Select", {b.op("Less", {at, zero}), low, b.op("Select", {b.op("Greater", {at, last}), high, at})});
    return b.op("Maximum", {b.op("Minimum", {at, last}), zero});
  }

  /// x, nearer to 0 by `by` as often as `step` is in it.
  static OutPort shifted(Builder& b, OutPort x, OutPort step, OutPort by) {
    const OutPort times = b.op("Floor", {b.op("Div", {b.op("Abs", {x}), step})});
    return b.op("Sub", {x, b.op("Mul", {b.op("Mul", {b.op("Sign", {x}), times}), by})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeImageProjection)
}  // namespace mo
