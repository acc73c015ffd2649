// Before: y = GridSampleONNX(x, grid) {mode, padding_mode, align_corners}
// After:  y = GridSample(x, grid) for images; for volumes [N, C, D, H, W] a weighted sum of the elements at the
//         corners, gathered from x as [N, D*H*W, C]
// Conditions: the rank is 4 or 5, and an unknown rank is taken for 4; volumes only linear or nearest.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// One spatial axis of a volume: real-valued coordinates, and its size as i64 and as f32.
struct SampledAxis {
  OutPort place, length, size;
};

class DecomposeGridSample final : public Decomposition {
 public:
  Names ops() const override { return {"GridSampleONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), grid = node.source(1);
    const int rank = x.tensor().shape.has_rank() ? x.tensor().shape.rank() : grid.tensor().shape.rank();
    std::string mode = node.get_string("mode");
    if (mode == "linear" || mode == "cubic") mode = "bi" + mode;  // operator set 16 had longer names
    const std::string padding = node.get_string("padding_mode");
    if (mode != "bilinear" && mode != "bicubic" && mode != "nearest")
      throw Error(Code::BadAttribute, msg("mode is '", mode, "'"));
    if (padding != "zeros" && padding != "border" && padding != "reflection")
      throw Error(Code::BadAttribute, msg("padding_mode is '", padding, "'"));
    if (rank == 5) return {volume(b, x, grid, mode, padding, node.get_bool("align_corners"))};
    if (rank != 4 && rank != -1) throw Error(Code::UnsupportedForm, msg("sampling of a tensor of rank ", rank));
    return {b.op("GridSample", {x, grid},
                 {{"align_corners", node.get_bool("align_corners")}, {"mode", mode}, {"padding_mode", padding}})};
  }

 private:
  static OutPort volume(Builder& b, OutPort x, OutPort grid, const std::string& mode, const std::string& padding,
                        bool align) {
    if (mode == "bicubic") throw Error(Code::UnsupportedForm, "cubic sampling of a volume");
    const OutPort flat =
        b.op("Reshape", {x, b.concat({b.dims_of(x, {0, 1}), b.i64({-1})}, 0)}, {{"special_zero", false}});
    const OutPort rows = b.transpose(flat, {0, 2, 1});
    const OutPort points =
        b.op("Reshape", {b.convert(grid, ElementType::F32), b.i64({0, -1, 3})}, {{"special_zero", true}});
    SampledAxis axes[3];  // depth, height, width; the grid has the reverse order
    for (int i = 0; i < 3; ++i) {
      axes[i].length = b.squeeze(b.dims_of(x, {i + 2}), {0});
      axes[i].size = b.convert(axes[i].length, ElementType::F32);
      axes[i].place = pixel(b, b.gather(points, b.i64_scalar(2 - i), 2), axes[i].size, align);
      if (padding == "border") axes[i].place = clamped(b, axes[i].place, axes[i].size);
      if (padding == "reflection") axes[i].place = reflected(b, axes[i].place, axes[i].size, align);
    }
    OutPort sum;
    for (int corner = 0; corner < (mode == "nearest" ? 1 : 8); ++corner) {
      OutPort index, weight;
      for (int i = 0; i < 3; ++i) {
        const SampledAxis& axis = axes[i];
        const OutPort low =
            mode == "nearest" ? b.op("Round", {axis.place}, {{"mode", "half_to_even"}}) : b.op("Floor", {axis.place});
        const bool upper = corner >> i & 1;
        const OutPort at = upper ? b.op("Add", {low, b.f32_scalar(1)}) : low;
        const OutPort inside = clamped(b, at, axis.size);
        const OutPort place = b.convert(inside, ElementType::I64);  // f32 does not count beyond 2^24 elements
        index = index ? b.op("Add", {b.op("Mul", {index, axis.length}), place}) : place;
        if (mode != "nearest") {
          const OutPort above = b.op("Sub", {axis.place, low});
          weight = product(b, weight, upper ? above : b.op("Sub", {b.f32_scalar(1), above}));
        }
        if (padding == "zeros") weight = product(b, weight, b.convert(b.op("Equal", {at, inside}), ElementType::F32));
      }
      const OutPort elements = b.op("Gather", {rows, index, b.i64_scalar(1)}, {{"batch_dims", int64_t{1}}});
      const OutPort part = weight ? b.op("Mul", {elements, like(b, b.unsqueeze(weight, {2}), x)}) : elements;
      sum = sum ? b.op("Add", {sum, part}) : part;
    }
    const OutPort shape = b.concat({b.dims_of(x, {0, 1}), b.dims_of(grid, {1, 2, 3})}, 0);
    return b.op("Reshape", {b.transpose(sum, {0, 2, 1}), shape}, {{"special_zero", false}});
  }

  static OutPort like(Builder& b, OutPort value, OutPort x) {
    return x.tensor().type == ElementType::Unknown ? b.op("ConvertLike", {value, x})
                                                   : b.convert(value, x.tensor().type);
  }
  static OutPort product(Builder& b, OutPort a, OutPort c) { return a ? b.op("Mul", {a, c}) : c; }

  /// From -1…1 to element positions: -1 and 1 are the centres of the corner elements, or their outer edges.
  static OutPort pixel(Builder& b, OutPort place, OutPort size, bool align) {
    const OutPort from_zero = b.op("Add", {place, b.f32_scalar(1)}), half = b.f32_scalar(0.5F);
    if (align) return b.op("Mul", {b.op("Mul", {from_zero, half}), b.op("Sub", {size, b.f32_scalar(1)})});
    return b.op("Mul", {b.op("Sub", {b.op("Mul", {from_zero, size}), b.f32_scalar(1)}), half});
  }

  static OutPort clamped(Builder& b, OutPort place, OutPort size) {
    const OutPort last = b.op("Sub", {size, b.f32_scalar(1)});
    return b.op("Maximum", {b.op("Minimum", {place, last}), b.f32_scalar(0)});
  }

  /// Reflects coordinates at the ends: low + range - |(place - low) mod (2 * range) - range|.
  static OutPort reflected(Builder& b, OutPort place, OutPort size, bool align) {
    const OutPort low = b.f32_scalar(align ? 0 : -0.5F);
    const OutPort range =
        align ? b.op("Maximum", {b.op("Sub", {size, b.f32_scalar(1)}), b.f32_scalar(0x1p-20F)}) : size;
    const OutPort phase = b.op("FloorMod", {b.op("Sub", {place, low}), b.op("Mul", {range, b.f32_scalar(2)})});
    const OutPort folded = b.op("Sub", {range, b.op("Abs", {b.op("Sub", {phase, range})})});
    return clamped(b, b.op("Add", {folded, low}), size);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeGridSample)
}  // namespace mo
