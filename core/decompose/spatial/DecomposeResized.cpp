// Before: y = Resized(x, sizes, scales) {mode, align_corners, half_pixel, by_scales, antialias, channels_last, sizes or
//         scales}
// After:  y = Interpolate(x, sizes or scales, spatial axes), with channels last between Transposes
//         cubic, to one element, which PaddlePaddle takes from before the first one: products with weights
//         antialias: products with the weights of Pillow, whose kernels are wider where the picture becomes smaller
//         nearest, where rounding would take other elements than the framework: Gather by its indices along each axis
// Conditions: the rank of x is known, and 3 to 5.

#include <algorithm>
#include <cmath>

#include "core/decompose/spatial/resample.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr int64_t kMostIndices = 1 << 16;

class DecomposeResized final : public Decomposition {
 public:
  Names ops() const override { return {"Resized"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const int rank = node.source(0).tensor().shape.rank();
    if (rank < 3 || rank > 5)
      throw Error(Code::RankMismatch, msg("resizing of [", to_string(node.source(0).tensor().shape), "]"));
    if (!node.get_bool("channels_last")) return {resized(b, node, node.source(0))};
    Ints there{0, rank - 1}, back{0};
    for (int i = 1; i + 1 < rank; ++i) there.push_back(i), back.push_back(i + 1);
    back.push_back(1);
    return {b.transpose(resized(b, node, b.transpose(node.source(0), there)), back)};
  }

 private:
  /// What is known of an axis. The sizes of the result: a constant, or computed.
  struct Target {
    Ints from, to;   ///< -1: not known
    Doubles scales;  ///< empty if they are computed or not given
    OutPort sizes, factors;
  };

  static OutPort resized(Builder& b, const Node& node, OutPort x) {
    const Target target = target_of(b, node, x);
    if (std::find(target.from.begin(), target.from.end(), -1) == target.from.end() && target.from == target.to)
      return x;
    const std::string mode = node.get_string("mode");
    if (node.get_bool("antialias")) return smoothed(b, x, node, target);
    if (mode == "nearest" || mode == "nearest_exact")
      if (const auto places = own_places(node, target)) return gathered(b, x, *places);
    if (mode == "cubic" && !node.get_bool("align_corners") &&
        std::find(target.to.begin(), target.to.end(), 1) != target.to.end())
      return of_weights(b, x, target);
    const Ints pads(static_cast<size_t>(x.tensor().shape.rank()), 0);
    Ints axes;
    for (size_t i = 0; i < target.to.size(); ++i) axes.push_back(static_cast<int64_t>(i) + 2);
    const OutPort unused =
        target.sizes ? b.constant(make_f32({static_cast<int64_t>(axes.size())}, std::vector<float>(axes.size(), 1)))
                     : b.i64(Ints(axes.size(), 1));
    return b.op(
        "Interpolate", {x, target.sizes ? target.sizes : unused, target.sizes ? unused : target.factors, b.i64(axes)},
        {{"mode", mode == "linear"          ? "linear_onnx"
                  : mode == "nearest_exact" ? "nearest"
                                            : mode},
         {"shape_calculation_mode", target.sizes ? "sizes" : "scales"},
         {"coordinate_transformation_mode", coordinates(node, target)},
         {"nearest_mode", node.get_bool("align_corners") || mode == "nearest_exact" ? "round_prefer_ceil" : "floor"},
         {"antialias", false},
         {"pads_begin", pads},
         {"pads_end", pads},
         {"cube_coeff", -0.75}});
  }

  static Target target_of(Builder& b, const Node& node, OutPort x) {
    Target out;
    for (size_t i = 2; i < x.tensor().shape.dimensions().size(); ++i) {
      const Dimension& size = x.tensor().shape[i];
      out.from.push_back(size.is_exact() ? size.min : -1);
    }
    const size_t axes = out.from.size();
    out.to.assign(axes, -1);
    if (const OutPort given = node.source(1)) {
      out.sizes = b.convert(given, ElementType::I64);
      const auto& known = out.sizes.tensor().ints;
      if (known && known->elements.size() != axes)
        throw Error(Code::ShapeMismatch, msg(known->elements.size(), " sizes for ", axes, " axes"));
      for (size_t i = 0; i < axes && known; ++i)
        if (known->elements[i].is_exact()) out.to[i] = known->elements[i].min;
    } else if (node.has("sizes")) {
      const Ints all = node.get_ints("sizes");
      if (all.size() < axes) throw Error(Code::BadAttribute, msg(all.size(), " sizes for ", axes, " axes"));
      out.to.assign(all.end() - static_cast<std::ptrdiff_t>(axes), all.end());
      out.sizes = b.i64(out.to);
    } else {
      scale(b, node, x, out);
    }
    for (const int64_t size : out.to)
      if (size == 0 || size < -1 || (size == -1 && node.has("sizes")))
        throw Error(Code::BadAttribute, msg("a size of ", size));
    return out;
  }

  /// Computes the sizes where the scales alone do not say where elements are.
  static void scale(Builder& b, const Node& node, OutPort x, Target& out) {
    const size_t axes = out.from.size();
    OutPort given = node.source(2) ? b.reshape(b.convert(node.source(2), ElementType::F32), {-1}, false) : OutPort();
    out.scales = node.get_floats("scales");
    if (given && given.tensor().value)
      if (const auto known = read_doubles(*given.tensor().value, b.graph().files(), 8)) out.scales = *known;
    if (!given && out.scales.empty()) throw Error(Code::MissingInput, "neither scales nor sizes");
    if (out.scales.size() == 1) out.scales.resize(axes, out.scales[0]);
    if (!out.scales.empty()) {
      if (out.scales.size() != axes)
        throw Error(Code::ShapeMismatch, msg(out.scales.size(), " scales for ", axes, " axes"));
      std::vector<float> narrow(out.scales.begin(), out.scales.end());
      given = b.constant(make_f32({static_cast<int64_t>(axes)}, narrow));
    } else if (const PartialShape& shape = given.tensor().shape; !shape[0].is_exact() || shape[0].min == 1) {
      given = b.op("Broadcast", {given, b.i64({static_cast<int64_t>(axes)})}, {{"mode", "numpy"}});
    }
    out.factors = given;
    bool whole = !out.scales.empty(), known = whole;
    for (size_t i = 0; i < out.scales.size(); ++i) {
      const float product = std::floor(static_cast<float>(out.from[i]) * static_cast<float>(out.scales[i]));
      if (!(out.scales[i] > 0) || !(product < 0x1p31F)) throw Error(Code::BadValue, msg("a scale of ", out.scales[i]));
      whole &= out.scales[i] == std::floor(out.scales[i]);
      known &= out.from[i] >= 0;
      if (out.from[i] >= 0) out.to[i] = static_cast<int64_t>(product);
    }
    if (node.get_bool("by_scales") || whole) return;
    if (known) {
      out.sizes = b.i64(out.to);
      return;
    }
    Ints spatial;
    for (size_t i = 0; i < axes; ++i) spatial.push_back(static_cast<int64_t>(i) + 2);
    const OutPort product = b.op("Mul", {b.convert(b.dims_of(x, spatial), ElementType::F32), given});
    out.sizes = b.convert(b.op("Floor", {product}), ElementType::I64);
  }

  /// Of one element PaddlePaddle takes the first one, not the middle; is_usual: the middle.
  static std::string coordinates(const Node& node, const Target& target) {
    if (node.get_bool("align_corners")) return "align_corners";
    const std::string mode = node.get_string("mode");
    if (mode == "nearest_exact") return "half_pixel";
    if (mode == "nearest" || (mode == "linear" && !node.get_bool("half_pixel"))) return "asymmetric";
    bool single = false;
    for (const int64_t size : target.to) single |= size == 1 || size == -1;
    return single && mode == "linear" && !node.get_bool("is_usual") ? "pytorch_half_pixel" : "half_pixel";
  }

  /// The elements that the framework takes along each axis, if the runtime may take others; nullopt if it does not, or
  /// if sizes are not known.
  static std::optional<std::vector<Ints>> own_places(const Node& node, const Target& target) {
    std::vector<Ints> out;
    bool differs = false;
    for (size_t i = 0; i < target.to.size(); ++i) {
      const int64_t from = target.from[i], to = target.to[i];
      if (from < 1 || to < 1 || to > kMostIndices) return std::nullopt;
      const bool corners = node.get_bool("align_corners"), exact = node.get_string("mode") == "nearest_exact",
                 scaled = !target.scales.empty() && node.get_bool("by_scales");
      const auto in = static_cast<float>(from), wide = static_cast<float>(to);
      const float scale = target.sizes ? wide / in : static_cast<float>(target.scales[i]);
      float ratio = scaled ? static_cast<float>(1 / target.scales[i]) : in / wide;
      if (corners) ratio = (in - 1) / (wide - 1);
      if (to == 1 && !exact) ratio = 0;
      Ints& places = out.emplace_back();
      for (int64_t at = 0; at < to; ++at) {
        const auto x = static_cast<float>(at);
        if (exact) {
          const float own = std::floor((x + 0.5F) * ratio), theirs = std::round((x + 0.5F) / scale - 0.5F);
          const auto limited = [&](float place) {
            return std::clamp<int64_t>(static_cast<int64_t>(place), 0, from - 1);
          };
          places.push_back(limited(own));
          differs |= places.back() != limited(theirs);
          continue;
        }
        const float own = ratio * x;
        const float theirs = !corners ? x / scale : to == 1 ? 0 : x * (in - 1) / (wide - 1) + 0.5F;
        const auto limited = [&](double place) { return std::min(static_cast<int64_t>(place), from - 1); };
        places.push_back(limited(corners ? static_cast<double>(own) + 0.5 : static_cast<double>(own)));
        differs |= places.back() != limited(std::floor(static_cast<double>(theirs)));
      }
    }
    return differs ? std::optional(out) : std::nullopt;
  }

  /// The place of an axis among those that are resized, and its sizes; `scale` is empty if the sizes decide.
  struct Extent {
    OutPort from, to, scale;
  };
  static Extent extent(Builder& b, OutPort x, const Target& target, size_t i) {
    const auto axis = static_cast<int64_t>(i) + 2;
    const OutPort at = b.i64_scalar(static_cast<int64_t>(i)), size = b.squeeze(b.dims_of(x, {axis}), {0});
    Extent out{b.convert(size, ElementType::F32), {}, {}};
    if (!target.sizes) out.scale = b.gather(target.factors, at, 0);
    if (target.to[i] >= 0)
      out.to = b.i64_scalar(target.to[i]);
    else if (target.sizes)
      out.to = b.gather(target.sizes, at, 0);
    else
      out.to = b.convert(b.op("Floor", {b.op("Mul", {out.from, out.scale})}), ElementType::I64);
    return out;
  }

  /// With a large scale the position of the one element is -0.5.
  static OutPort of_weights(Builder& b, OutPort x, const Target& target) {
    Resampling how;
    how.mode = "cubic", how.coordinates = "half_pixel";
    std::vector<ResamplingAxis> axes;
    for (size_t i = 0; i < target.to.size(); ++i) {
      Extent of = extent(b, x, target, i);
      if (target.to[i] == 1) of.scale = b.f32_scalar(1e30F);
      if (!of.scale) of.scale = b.op("Div", {b.convert(of.to, ElementType::F32), of.from});
      axes.push_back({static_cast<int64_t>(i) + 2, of.to, of.scale, {}, {}});
    }
    return resample(b, x, how, axes);
  }

  /// Elements outside do not count.
  static OutPort smoothed(Builder& b, OutPort x, const Node& node, const Target& target) {
    if (node.get_bool("align_corners")) throw Error(Code::UnsupportedForm, "align_corners with antialias");
    Resampling how;
    how.mode = node.get_string("mode"), how.coordinates = "half_pixel";
    how.antialias = how.exclude_outside = true;
    how.cubic_coefficient = -0.5;
    std::vector<ResamplingAxis> axes;
    for (size_t i = 0; i < target.to.size(); ++i) {
      if (target.to[i] >= 0 && target.to[i] == target.from[i]) continue;
      Extent of = extent(b, x, target, i);
      if (!of.scale || !node.get_bool("by_scales"))
        of.scale = b.op("Div", {b.convert(of.to, ElementType::F32), of.from});
      axes.push_back({static_cast<int64_t>(i) + 2, of.to, of.scale, {}, {}});
    }
    return resample(b, x, how, axes);
  }

  static OutPort gathered(Builder& b, OutPort x, const std::vector<Ints>& places) {
    for (size_t i = 0; i < places.size(); ++i) x = b.gather(x, b.i64(places[i]), static_cast<int64_t>(i) + 2);
    return x;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeResized)
}  // namespace mo
