// Before: y = ONNXResize11(x, roi, scales, sizes) {mode, coordinate_transformation_mode, nearest_mode, axes…}
//         y = ONNXResize10(x, scales) {mode}, y = Upsample(x) {mode, scales}
// After:  y = Interpolate(x, sizes, scales, axes) over the resized axes
// Forms that Interpolate cannot express (antialias, exclude_outside, half_pixel_symmetric, tf_crop_and_resize, a kept
// aspect ratio) become Gather or MatMul with computed weights.
// Conditions: the number of axes is known.

#include <algorithm>
#include <cmath>

#include "core/decompose/spatial/resample.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// The scales or sizes of the resize, as an input with one element per axis.
struct ResizeTarget {
  bool by_sizes = false;
  OutPort port;
  Ints axes;
};

class DecomposeResize final : public Decomposition {
 public:
  Names ops() const override { return {"ONNXResize11", "ONNXResize10", "Upsample"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    ResizeTarget target = read_target(b, node);
    Resampling how = read_mode(node);
    const std::string policy = node.get_string("keep_aspect_ratio_policy", "stretch");
    if (policy != "stretch" && policy != "not_larger" && policy != "not_smaller")
      throw Error(Code::BadAttribute, msg("keep_aspect_ratio_policy is '", policy, "'"));
    const OutPort roi = how.coordinates == "tf_crop_and_resize" ? roi_of(node) : OutPort();
    if (how.coordinates == "half_pixel_symmetric" && target.by_sizes && policy == "stretch")
      how.coordinates = "half_pixel";  // the two are equal in this case
    if (how.antialias && never_shrinks(b, x, target)) how.antialias = false;
    const bool exact = (how.mode == "cubic" && how.exclude_outside) || (how.antialias && how.mode != "nearest") ||
                       how.coordinates == "half_pixel_symmetric" || roi || (target.by_sizes && policy != "stretch");
    if (exact) return {spelled_out(b, x, how, target, policy, roi)};
    keep_resized_axes(b, x, target);
    if (target.axes.empty()) return {b.op("Identity", {x})};
    return {interpolate(b, x, how, target)};
  }

 private:
  static bool is_absent(const Node& node, int input) {
    return !node.has_in(input) || node.source(input).tensor().shape == PartialShape{Dimension(0)};
  }

  static ResizeTarget read_target(Builder& b, const Node& node) {
    const PartialShape& data = node.source(0).tensor().shape;
    ResizeTarget target;
    if (node.op() == "Upsample" && node.has("scales")) {
      const Doubles scales = node.get_floats("scales");
      target.port = b.constant(make_f32({static_cast<int64_t>(scales.size())}, {scales.begin(), scales.end()}));
    } else if (node.op() != "ONNXResize11") {
      require_input(node, 1);
      target.port = node.source(1);
    } else if (!is_absent(node, 3)) {
      target.by_sizes = true;
      target.port = b.convert(node.source(3), ElementType::I64);
    } else if (!is_absent(node, 2)) {
      target.port = node.source(2);
    } else {
      throw Error(Code::MissingInput, "neither scales nor sizes");
    }
    const PartialShape& given = target.port.tensor().shape;
    if (given.has_rank() && given.rank() != 1)
      throw Error(Code::RankMismatch, msg("scales or sizes [", to_string(given), "]"));
    const int64_t count = given.rank() == 1 && given[0].is_exact() ? given[0].min : -1;
    target.axes = node.get_ints("axes");
    if (target.axes.empty()) {
      const int64_t rank = data.has_rank() ? data.rank() : count;
      if (rank < 0 || rank > 64) throw Error(Code::UnsupportedForm, "a number of axes that is not known");
      for (int64_t i = 0; i < rank; ++i) target.axes.push_back(i);
    } else if (data.has_rank()) {
      for (int64_t& axis : target.axes) axis = static_cast<int64_t>(normalize_axis(axis, data.rank()));
    }
    if (count >= 0 && count != static_cast<int64_t>(target.axes.size()))
      throw Error(Code::ShapeMismatch, target.by_sizes ? msg(count, " sizes for ", target.axes.size(), " axes")
                                                       : msg(count, " scales for ", target.axes.size(), " axes"));
    return target;
  }

  static Resampling read_mode(const Node& node) {
    Resampling how;
    how.mode = node.get_string("mode");
    if (how.mode == "bilinear" || how.mode == "trilinear") how.mode = "linear";  // names of Upsample's first versions
    if (how.mode != "nearest" && how.mode != "linear" && how.mode != "cubic")
      throw Error(Code::BadAttribute, msg("mode is '", how.mode, "'"));
    const bool old = node.op() != "ONNXResize11";
    how.coordinates = old ? "asymmetric" : node.get_string("coordinate_transformation_mode");
    how.nearest_mode = old ? "simple" : node.get_string("nearest_mode");
    how.cubic_coefficient = node.get_float("cubic_coeff_a", -0.75);
    how.extrapolation_value = node.get_float("extrapolation_value");
    how.exclude_outside = node.get_bool("exclude_outside");
    how.antialias = node.get_bool("antialias");
    return how;
  }

  static OutPort roi_of(const Node& node) {
    if (is_absent(node, 1)) throw Error(Code::MissingInput, "roi of tf_crop_and_resize");
    return node.source(1);
  }

  /// The scale of each axis; 0 if unknown.
  static Doubles known_scales(Builder& b, OutPort x, const ResizeTarget& target) {
    const Tensor& tensor = target.port.tensor();
    Doubles out(target.axes.size(), 0);
    if (!target.by_sizes) {
      if (tensor.value)
        if (const auto scales = read_doubles(*tensor.value, b.graph().files(), 64)) return *scales;
      return out;
    }
    const PartialShape& data = x.tensor().shape;
    for (size_t i = 0; i < out.size() && tensor.ints && data.has_rank(); ++i) {
      const Interval size = tensor.ints->elements[i], from = data[static_cast<size_t>(target.axes[i])];
      if (size.is_exact() && from.is_exact() && from.min > 0)
        out[i] = static_cast<double>(size.min) / static_cast<double>(from.min);
    }
    return out;
  }

  static bool never_shrinks(Builder& b, OutPort x, const ResizeTarget& target) {
    const Doubles scales = known_scales(b, x, target);
    return std::all_of(scales.begin(), scales.end(), [](double s) { return s >= 1; });
  }

  /// Removes axes that keep their size: IR's plugins support one to three axes.
  static void keep_resized_axes(Builder& b, OutPort x, ResizeTarget& target) {
    const Doubles scales = known_scales(b, x, target);
    Ints axes, places;
    for (size_t i = 0; i < scales.size(); ++i) {
      if (scales[i] == 1 || (target.by_sizes && is_own_dimension(x, target, i))) continue;
      axes.push_back(target.axes[i]);
      places.push_back(static_cast<int64_t>(i));
    }
    if (axes.size() == target.axes.size()) return;
    if (!axes.empty()) target.port = selected(b, target, places);
    target.axes = axes;
  }

  static OutPort selected(Builder& b, const ResizeTarget& target, const Ints& places) {
    const Tensor& tensor = target.port.tensor();
    if (const OutPort part = whole_part(target.port, places)) return part;
    if (!tensor.value || tensor.from_shape) return b.gather(target.port, b.i64(places), 0);
    if (target.by_sizes) {
      Ints sizes;
      for (const int64_t place : places) sizes.push_back(tensor.ints->elements[static_cast<size_t>(place)].min);
      return b.i64(sizes);
    }
    const auto scales = read_doubles(*tensor.value, b.graph().files(), 64);
    std::vector<float> kept;
    for (const int64_t place : places) kept.push_back(static_cast<float>((*scales)[static_cast<size_t>(place)]));
    return b.constant(make_f32({static_cast<int64_t>(kept.size())}, kept));
  }

  /// The part of a Concat that has just these elements.
  static OutPort whole_part(OutPort port, const Ints& places) {
    const Node& concat = port.node();
    int64_t first = 0;
    for (int i = 0; i < concat.in_count() && concat.op() == "Concat" && first <= places[0]; ++i) {
      const OutPort part = concat.source(i);
      const Interval count = part ? part.tensor().shape.elements() : Interval();
      if (!count.is_exact()) break;
      if (first == places[0] && count.min == static_cast<int64_t>(places.size()) &&
          places.back() == first + count.min - 1 && part.tensor().type == port.tensor().type)
        return part;
      first += count.min;
    }
    return {};
  }

  /// True if element `i` of the sizes is x's own dimension: Concat(Slice(ShapeOf(x)), …), as exported for models with a
  /// dynamic batch.
  static bool is_own_dimension(OutPort x, const ResizeTarget& target, size_t i) {
    OutPort from = target.port;
    auto place = static_cast<int64_t>(i);
    for (int steps = 0; steps < 16; ++steps) {
      Node& node = from.node();
      const std::string& op = node.op();
      if (op == "ShapeOf") return node.source(0) == x && place == target.axes[i];
      if (op == "Concat") {
        OutPort next;
        for (int k = 0; k < node.in_count() && !next; ++k) {
          const PartialShape& part = node.source(k).tensor().shape;
          if (part.rank() != 1 || !part[0].is_exact()) return false;
          if (place < part[0].min)
            next = node.source(k);
          else
            place -= part[0].min;
        }
        if (!next) return false;
        from = next;
        continue;
      }
      if (op == "Slice" || op == "StridedSlice") {
        // Start 0 and step 1: elements keep their positions.
        const OutPort start = node.source(1), step = node.source(3);
        const auto is_all = [](OutPort port, int64_t v) {
          return !port || (port.tensor().ints && port.tensor().ints->elements == std::vector<Interval>{v});
        };
        if (!is_all(start, 0) || !is_all(step, 1) || from.tensor().shape.rank() != 1) return false;
        if (op == "StridedSlice")
          for (const char* mask : {"begin_mask", "end_mask"})
            if (const Ints bits = node.get_ints(mask); bits.size() > 1) return false;
      } else if (op != "Cast" && op != "Identity") {
        return false;
      }
      from = node.source(0);
      if (!from) return false;
    }
    return false;
  }

  static OutPort interpolate(Builder& b, OutPort x, const Resampling& how, const ResizeTarget& target) {
    const Ints ones(target.axes.size(), 1);
    const int rank = x.tensor().shape.rank();
    const Ints pads(static_cast<size_t>(std::max(rank, 1)), 0);
    const OutPort unused_scales =
        b.constant(make_f32({static_cast<int64_t>(ones.size())}, std::vector<float>(ones.size(), 1)));
    const std::vector<OutPort> inputs{x, target.by_sizes ? target.port : b.i64(ones),
                                      target.by_sizes ? unused_scales : b.convert(target.port, ElementType::F32),
                                      b.i64(target.axes)};
    return b.op("Interpolate", inputs,
                {{"mode", how.mode == "linear" ? std::string("linear_onnx") : how.mode},
                 {"shape_calculation_mode", target.by_sizes ? "sizes" : "scales"},
                 {"coordinate_transformation_mode", how.coordinates},
                 {"nearest_mode", how.nearest_mode},
                 {"antialias", false},
                 {"pads_begin", pads},
                 {"pads_end", pads},
                 {"cube_coeff", how.cubic_coefficient}});
  }

  static OutPort spelled_out(Builder& b, OutPort x, const Resampling& how, const ResizeTarget& target,
                             const std::string& policy, OutPort roi) {
    if (!x.tensor().shape.has_rank())
      throw Error(Code::UnsupportedForm, "this form of resizing of a tensor of unknown rank");
    const OutPort from = b.convert(b.dims_of(x, target.axes), ElementType::F32);
    OutPort scales = target.by_sizes ? b.op("Div", {b.convert(target.port, ElementType::F32), from})
                                     : b.convert(target.port, ElementType::F32);
    OutPort sizes = target.port;
    if (!target.by_sizes) {
      sizes = b.convert(b.op("Floor", {b.op("Mul", {from, scales})}), ElementType::I64);
    } else if (policy != "stretch") {
      scales = b.op("Broadcast",
                    {b.reduce(policy == "not_larger" ? "ReduceMin" : "ReduceMax", scales, {0}, true),
                     b.i64({static_cast<int64_t>(target.axes.size())})},
                    {{"mode", "numpy"}});
      sizes =
          b.convert(b.op("Floor", {b.op("Add", {b.op("Mul", {from, scales}), b.f32_scalar(0.5F)})}), ElementType::I64);
    }
    const Doubles known = known_scales(b, x, target);
    const auto count = static_cast<int64_t>(target.axes.size());
    const OutPort corners = roi ? b.convert(roi, ElementType::F32) : OutPort();
    std::vector<ResamplingAxis> axes;
    for (int64_t i = 0; i < count; ++i) {
      if (known[static_cast<size_t>(i)] == 1 && policy == "stretch" && !roi) continue;
      const auto element = [&](OutPort list, int64_t place) { return b.gather(list, b.i64_scalar(place), 0); };
      ResamplingAxis axis{target.axes[static_cast<size_t>(i)], element(sizes, i), element(scales, i), {}, {}};
      if (corners) axis.start = element(corners, i), axis.end = element(corners, i + count);
      axes.push_back(axis);
    }
    return axes.empty() ? b.op("Identity", {x}) : resample(b, x, how, axes);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeResize)
}  // namespace mo
