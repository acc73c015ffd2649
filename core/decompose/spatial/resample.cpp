#include "core/decompose/spatial/resample.h"

#include <numeric>

namespace mo {
namespace {

/// Short names for f32 arithmetic. Terms are passed in braces, which fix the order of evaluation.
struct Floats {
  Builder& b;
  OutPort number(double v) const { return b.f32_scalar(static_cast<float>(v)); }
  /// x; if it is a constant, a compressed IR has it in f32, too.
  OutPort precise(OutPort x) const {
    const auto& known = x.tensor().value;
    if (!known || x.tensor().from_shape) return x;
    const OutPort made = b.constant(*known);
    made.node().set("precise", true);
    return made;
  }
  OutPort add(List<OutPort> terms) const { return b.op("Add", terms); }
  OutPort add(OutPort x, double y) const { return b.op("Add", {x, number(y)}); }
  OutPort sub(List<OutPort> terms) const { return b.op("Sub", terms); }
  OutPort mul(List<OutPort> terms) const { return b.op("Mul", terms); }
  OutPort mul(OutPort x, double y) const { return b.op("Mul", {x, number(y)}); }
  OutPort div(List<OutPort> terms) const { return b.op("Div", terms); }
  OutPort min(List<OutPort> terms) const { return b.op("Minimum", terms); }
  OutPort max(List<OutPort> terms) const { return b.op("Maximum", terms); }
  OutPort real(OutPort x) const { return b.convert(x, ElementType::F32); }
  OutPort range(OutPort from, OutPort to) const {
    return b.op("Range", {from, to, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
  }
};

/// A number as the sum of two: their sum is more exact than a number of 24 bits.
struct Sum {
  OutPort high, low;
};

/// x as two numbers of 12 bits.
Sum halves(const Floats& f, OutPort x) {
  const OutPort wide = f.mul({x, f.precise(f.number(4097))}), high = f.sub({wide, f.sub({wide, x})});
  return {f.precise(high), f.precise(f.sub({x, high}))};
}

/// a + b, and what rounding has taken away.
Sum exact_sum(const Floats& f, OutPort a, OutPort b) {
  const OutPort sum = f.add({a, b}), of_b = f.sub({sum, a});
  return {sum, f.add({f.sub({a, f.sub({sum, of_b})}), f.sub({b, of_b})})};
}

/// a / b. Plugins multiply by a rounded 1 / b.
Sum exact_quotient(const Floats& f, OutPort a, OutPort b) {
  const OutPort quotient = f.div({a, b}), product = f.mul({quotient, b});
  const Sum q = halves(f, quotient), d = halves(f, b);
  const OutPort cross =
      f.add({f.add({f.sub({f.mul({q.high, d.high}), product}), f.mul({q.high, d.low})}), f.mul({q.low, d.high})});
  const OutPort rest = f.sub({f.sub({a, product}), f.add({cross, f.mul({q.low, d.low})})});
  return {quotient, f.div({rest, b})};
}

/// The positions of half_pixel_symmetric, where the last bit may decide which element is nearest: rounded as in ONNX
/// Runtime, which computes the sum in f64. Plugins do not have f64.
OutPort exact_symmetric_positions(const Floats& f, OutPort i, OutPort scale, OutPort input, OutPort output) {
  scale = f.precise(scale);
  const Sum share = exact_quotient(f, output, f.mul({scale, input})), q = exact_quotient(f, f.add(i, 0.5), scale);
  const OutPort offset = f.mul({f.mul(input, 0.5), f.sub({f.number(1), f.add({share.high, share.low})})});
  const Sum moved = exact_sum(f, q.high, f.number(-0.5)), all = exact_sum(f, moved.high, offset);
  return f.add({all.high, f.add({f.add({q.low, moved.low}), all.low})});
}

/// The real-valued position in the input of each element of the output.
OutPort resampling_coordinates(const Floats& f, const Resampling& how, const ResamplingAxis& axis, OutPort input) {
  const OutPort i = f.real(f.range(f.b.i64_scalar(0), axis.size)), out = f.real(axis.size), last = f.add(input, -1.0);
  const OutPort half_pixel = f.add(f.div({f.add(i, 0.5), axis.scale}), -0.5);
  const std::string& mode = how.coordinates;
  if (mode == "half_pixel") return half_pixel;
  if (mode == "asymmetric") return f.div({i, axis.scale});
  if (mode == "tf_half_pixel_for_nn") return f.div({f.add(i, 0.5), axis.scale});
  if (mode == "half_pixel_symmetric") {
    if (how.mode == "nearest") return exact_symmetric_positions(f, i, axis.scale, input, out);
    const OutPort adjustment = f.div({out, f.mul({axis.scale, input})});
    return f.add({half_pixel, f.mul({f.mul(input, 0.5), f.sub({f.number(1), adjustment})})});
  }
  const OutPort several = f.b.op("Greater", {axis.size, f.b.i64_scalar(1)});
  const OutPort steps = f.max({f.add(out, -1.0), f.number(1)});
  if (mode == "pytorch_half_pixel") return f.b.op("Select", {several, half_pixel, f.number(0)});
  if (mode == "align_corners") return f.div({f.mul({i, last}), steps});
  if (mode != "tf_crop_and_resize")
    throw Error(Code::BadAttribute, msg("coordinate_transformation_mode is '", mode, "'"));
  const OutPort from = f.mul({axis.start, last}), stretch = f.mul({f.sub({axis.end, axis.start}), last});
  const OutPort many = f.add({from, f.div({f.mul({i, stretch}), steps})});
  return f.b.op("Select", {several, many, f.add({from, f.mul(stretch, 0.5)})});
}

OutPort nearest_element(const Floats& f, const Resampling& how, OutPort x, OutPort input) {
  OutPort index;
  const bool up = how.nearest_mode == "round_prefer_ceil";
  if (how.coordinates == "half_pixel_symmetric" && how.nearest_mode.starts_with("round")) {
    // As in ONNX Runtime, a position that misses the middle by less than 1e-6 is in the middle.
    const OutPort whole = f.b.op("Floor", {x}), part = f.sub({x, whole});
    const OutPort middle = f.precise(f.number(up ? 0.500001 : -0.500001));
    index = f.add({whole, f.b.op(up ? "Floor" : "Ceiling", {f.add({part, middle})})});
  } else if (how.nearest_mode == "round_prefer_floor") {
    index = f.b.op("Ceiling", {f.add(x, -0.5)});
  } else if (up) {
    index = f.b.op("Floor", {f.add(x, 0.5)});
  } else if (how.nearest_mode == "floor" || how.nearest_mode == "ceil") {
    index = f.b.op(how.nearest_mode == "floor" ? "Floor" : "Ceiling", {x});
  } else {
    throw Error(Code::BadAttribute, msg("nearest_mode is '", how.nearest_mode, "'"));
  }
  return f.b.convert(f.max({f.min({index, f.add(input, -1.0)}), f.number(0)}), ElementType::I64);
}

/// The kernel's value for each distance.
OutPort kernel_weights(const Floats& f, const Resampling& how, OutPort distance) {
  const OutPort d = f.b.op("Abs", {distance});
  if (how.mode == "linear") return f.max({f.sub({f.number(1), d}), f.number(0)});
  const double a = how.cubic_coefficient;
  const OutPort far = f.min({d, f.number(2)});
  const OutPort inner = f.add(f.mul({f.mul({d, d}), f.add(f.mul(d, a + 2), -(a + 3))}), 1.0);
  const OutPort outer =
      f.add(f.mul({f.add(f.mul({f.add(f.mul(far, a), -5 * a), far}), 8 * a), far}), -4 * a);  // 0 from distance 2 on
  return f.b.op("Select", {f.b.op("LessEqual", {d, f.number(1)}), inner, outer});
}

/// The sum over `axis` of x times the weights [output, input].
OutPort contract(Builder& b, OutPort x, OutPort weights, int64_t axis) {
  const int64_t rank = x.tensor().shape.rank();
  Ints order(static_cast<size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[static_cast<size_t>(axis)], order.back());
  const bool moved = axis != rank - 1;
  const OutPort y = b.matmul({moved ? b.transpose(x, order) : x, weights}, true);
  return moved ? b.transpose(y, order) : y;
}

OutPort resample_axis(const Floats& f, OutPort x, const Resampling& how, const ResamplingAxis& axis) {
  Builder& b = f.b;
  const OutPort size = b.squeeze(b.dims_of(x, {axis.axis}), {0}), input = f.real(size), last = f.add(input, -1.0);
  OutPort place = resampling_coordinates(f, how, axis, input);
  if (how.steps > 0) place = f.mul(b.op("Round", {f.mul(place, how.steps)}, {{"mode", "half_to_even"}}), 1 / how.steps);
  OutPort y;
  if (how.mode == "nearest") {
    y = b.gather(x, nearest_element(f, how, place, input), axis.axis);
  } else {
    // The first and last elements are repeated outside as far as the kernel reaches, unless exclude_outside is set.
    const bool extend = !how.exclude_outside && (how.antialias || how.mode == "cubic");
    const OutPort shrink = how.antialias ? f.min({axis.scale, f.number(1)}) : OutPort();
    OutPort elements = f.range(b.i64_scalar(0), size);
    if (extend) {
      const double reach = how.mode == "cubic" ? 2 : 1;
      const OutPort margin =
          shrink ? b.convert(f.add(b.op("Ceiling", {f.div({f.number(reach), shrink})}), 1.0), ElementType::I64)
                 : b.i64_scalar(3);
      const OutPort before = b.op("Sub", {b.i64_scalar(0), margin});
      elements = f.range(before, b.op("Add", {size, margin}));
      const OutPort inside =
          b.op("Maximum", {b.op("Minimum", {elements, b.op("Sub", {size, b.i64_scalar(1)})}), b.i64_scalar(0)});
      x = b.gather(x, inside, axis.axis);
    }
    const OutPort from = extend || how.exclude_outside ? place : f.max({f.min({place, last}), f.number(0)});
    OutPort distance = f.sub({b.unsqueeze(from, {1}), b.unsqueeze(f.real(elements), {0})});
    if (shrink) distance = f.mul({distance, shrink});
    OutPort weights = kernel_weights(f, how, distance);
    if (how.antialias || how.exclude_outside) weights = f.div({weights, b.reduce("ReduceSum", weights, {1}, true)});
    y = contract(b, x, weights, axis.axis);
  }
  if (how.coordinates != "tf_crop_and_resize") return y;
  const OutPort outside = b.op("LogicalOr", {b.op("Less", {place, f.number(0)}), b.op("Greater", {place, last})});
  Ints aligned(static_cast<size_t>(y.tensor().shape.rank() - axis.axis), 1);
  aligned[0] = -1;
  return b.op("Select", {b.reshape(outside, aligned, false), f.number(how.extrapolation_value), y});
}

}  // namespace

OutPort resample(Builder& b, OutPort x, const Resampling& how, const std::vector<ResamplingAxis>& axes) {
  const ElementType type = x.tensor().type;
  OutPort y = b.convert(x, ElementType::F32);
  for (const ResamplingAxis& axis : axes) y = resample_axis({b}, y, how, axis);
  return type == ElementType::Unknown ? b.op("ConvertLike", {y, x}) : b.convert(y, type);
}

}  // namespace mo
