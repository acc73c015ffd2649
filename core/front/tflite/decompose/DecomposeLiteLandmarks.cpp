// Before: y = LiteTransformLandmarks(points [1, n, 2 or 3], matrix of 4 x 4) {scale}, or with points [1, 1, 1, numbers]
//         and {dimensions}
// After:  x and y of each point through the first two rows of the matrix, whose last column is times scale; z stays
// Before: y = LiteLandmarksToMatrix(points) {left_rotation_idx, right_rotation_idx, subset, rotation, output, scales}
//         y = LiteLandmarksToRelativeMatrix(points) {…, input, output, range, multiplier}
// After:  the matrix [1, 4, 4] that takes a place in the output to one in the input: the output is the box around the
//         points of the subset, turned so that the line from the left point to the right one has the angle `rotation`.
//         The relative one has pixels that count between the first and the last one of each image, points in [0, range]
// Conditions: none.

#include "core/decompose/math/constants.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteLandmarks final : public Decomposition {
 public:
  Names ops() const override {
    return {"LiteTransformLandmarks", "LiteLandmarksToMatrix", "LiteLandmarksToRelativeMatrix"};
  }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "LiteTransformLandmarks") return {moved(b, node)};
    return {node.op() == "LiteLandmarksToMatrix" ? matrix(b, node) : relative_matrix(b, node)};
  }

 private:
  /// x and y of points, or of a box.
  struct Pair {
    OutPort x, y;
  };

  static OutPort moved(Builder& b, const Node& node) {
    const OutPort given = node.source(0);
    const int64_t dimensions = node.get_int("dimensions");
    const PartialShape& shape = given.tensor().shape;
    if (!shape.has_rank() || shape.rank() == 0) throw Error(Code::UnsupportedForm, "points of unknown rank");
    const int64_t numbers = dimensions != 0                        ? dimensions
                            : shape.dimensions().back().is_exact() ? shape.dimensions().back().min
                                                                   : 0;
    if (numbers != 2 && numbers != 3) throw Error(Code::UnsupportedForm, msg("points of ", numbers, " numbers"));
    const OutPort points = b.reshape(given, {-1, numbers}, false);
    const OutPort rows = b.split(b.reshape(node.source(1), {4, 4}, false), 0, {2, 2}).out(0);  // [2, 4]
    Node& columns = b.split(rows, 1, {2, 1, 1});
    OutPort shift = b.reshape(columns.out(2), {1, 2}, false);
    if (const double scale = node.get_float("scale"); scale != 1)
      shift = b.op("Mul", {shift, b.scalar_like(shift, scale)});
    const OutPort flat = numbers == 2 ? points : b.split(points, 1, {2, 1}).out(0);
    const OutPort turned = b.op("Add", {b.matmul({flat, columns.out(0)}, true), shift});
    const OutPort all = numbers == 2 ? turned : b.concat({turned, flat.node().out(1)}, 1);
    return b.op("Reshape", {all, b.shape_of(given)}, {{"special_zero", false}});
  }

  /// Points by number: x and y, each [count].
  static Pair points(Builder& b, OutPort all, const Ints& numbers) {
    const OutPort triples = b.reshape(all, {-1, 3}, false);
    const OutPort chosen = b.gather(triples, b.i64(numbers), 0);
    return {b.gather(chosen, b.i64_scalar(0), 1), b.gather(chosen, b.i64_scalar(1), 1)};
  }

  static OutPort times(Builder& b, OutPort x, OutPort y) { return b.op("Mul", {x, y}); }
  static OutPort times(Builder& b, OutPort x, double y) { return b.op("Mul", {x, b.scalar_like(x, y)}); }
  static OutPort plus(Builder& b, OutPort x, OutPort y) { return b.op("Add", {x, y}); }
  static OutPort plus(Builder& b, OutPort x, double y) { return b.op("Add", {x, b.scalar_like(x, y)}); }
  static OutPort minus(Builder& b, OutPort x, OutPort y) { return b.op("Sub", {x, y}); }

  /// a * c + d * e and a * c - d * e.
  static OutPort sum_of_products(Builder& b, OutPort a, OutPort c, OutPort d, OutPort e) {
    return b.op("Add", {times(b, a, c), times(b, d, e)});
  }
  static OutPort difference_of_products(Builder& b, OutPort a, OutPort c, OutPort d, OutPort e) {
    return b.op("Sub", {times(b, a, c), times(b, d, e)});
  }

  /// Points turned by the angle of that cosine and sine.
  static Pair turned(Builder& b, const Pair& p, OutPort cosine, OutPort sine) {
    return {difference_of_products(b, p.x, cosine, p.y, sine), sum_of_products(b, p.x, sine, p.y, cosine)};
  }
  static Pair turned_back(Builder& b, const Pair& p, OutPort cosine, OutPort sine) {
    return {sum_of_products(b, p.x, cosine, p.y, sine), difference_of_products(b, p.y, cosine, p.x, sine)};
  }

  /// The size and the middle of the box around points.
  static void box(Builder& b, const Pair& p, Pair& size, Pair& middle) {
    const auto along = [&](OutPort numbers, OutPort& length, OutPort& centre) {
      const OutPort most = b.reduce("ReduceMax", numbers, {0}, true), least = b.reduce("ReduceMin", numbers, {0}, true);
      length = minus(b, most, least);
      centre = times(b, plus(b, most, least), 0.5);
    };
    along(p.x, size.x, middle.x);
    along(p.y, size.y, middle.y);
  }

  static Pair between(Builder& b, const Node& node) {
    const Pair ends =
        points(b, node.source(0), {node.get_int("left_rotation_idx"), node.get_int("right_rotation_idx")});
    const auto difference = [&](OutPort two) {
      Node& both = b.split(two, 0, {1, 1});
      return minus(b, both.out(1), both.out(0));
    };
    const OutPort x = difference(ends.x), y = difference(ends.y);
    return {x, y};
  }

  /// Rows of three numbers as the matrix [1, 4, 4] of space, in which z stays.
  static OutPort as_matrix(Builder& b, const OutPort (&top)[6]) {
    const OutPort zero = b.scalar_like(top[0], 0), none = b.reshape(zero, {1}, false);
    const OutPort rest = b.constant(convert(make_f32({8}, {0, 0, 1, 0, 0, 0, 0, 1}), ElementType::F32));
    const OutPort all = b.concat({top[0], top[1], none, top[2], top[3], top[4], none, top[5], rest}, 0);
    return b.reshape(all, {1, 4, 4}, false);
  }

  static OutPort matrix(Builder& b, const Node& node) {
    const Ints output = node.get_ints("output");
    const Doubles scales = node.get_floats("scales");
    const Pair line = between(b, node);
    // The cosine and sine of rotation - the angle of the line. A line of no length has the angle 0.
    const OutPort length = b.op("Sqrt", {sum_of_products(b, line.x, line.x, line.y, line.y)});
    const OutPort is_point = b.op("Equal", {length, b.scalar_like(length, 0)});
    const OutPort cosine_of_line = b.op("Select", {is_point, b.scalar_like(length, 1), b.op("Div", {line.x, length})});
    const OutPort sine_of_line = b.op("Select", {is_point, b.scalar_like(length, 0), b.op("Div", {line.y, length})});
    const OutPort wanted = b.scalar_like(length, node.get_float("rotation"));
    const OutPort wanted_cosine = b.op("Cos", {wanted}), wanted_sine = b.op("Sin", {wanted});
    const OutPort cosine = sum_of_products(b, cosine_of_line, wanted_cosine, sine_of_line, wanted_sine);
    const OutPort sine = difference_of_products(b, cosine_of_line, wanted_sine, sine_of_line, wanted_cosine);
    Pair size, middle;
    box(b, turned(b, points(b, node.source(0), node.get_ints("subset")), cosine, sine), size, middle);
    const Pair centre = turned_back(b, middle, cosine, sine);
    const auto height = static_cast<double>(output[0]), width = static_cast<double>(output[1]);
    const OutPort step_x = times(b, size.x, scales[0] / width), step_y = times(b, size.y, scales[1] / height);
    const OutPort xx = times(b, cosine, step_x), xy = times(b, sine, step_y);
    const OutPort yx = times(b, b.op("Negative", {sine}), step_x), yy = times(b, cosine, step_y);
    const auto shift = [&](OutPort of_x, OutPort of_y, OutPort middle_of) {
      const OutPort corner = b.op("Add", {times(b, of_x, -width / 2), times(b, of_y, -height / 2)});
      return plus(b, corner, middle_of);
    };
    const OutPort top[6] = {xx, xy, shift(xx, xy, centre.x), yx, yy, shift(yx, yy, centre.y)};
    return as_matrix(b, top);
  }

  static OutPort relative_matrix(Builder& b, const Node& node) {
    const Ints input = node.get_ints("input"), output = node.get_ints("output");
    const double range = node.get_float("range");
    const Pair line = between(b, node);
    const OutPort angle = b.op("Negative", {b.op("Atan", {b.op("Div", {line.y, line.x})})});
    const OutPort cosine = b.op("Cos", {angle}), sine = b.op("Sin", {angle});
    Pair size, middle;
    box(b, turned(b, points(b, node.source(0), node.get_ints("subset")), cosine, sine), size, middle);
    const Pair centre = turned_back(b, middle, cosine, sine);
    const double scale = node.get_float("multiplier") / range;
    const OutPort step_x = times(b, size.x, scale), step_y = times(b, size.y, scale);
    const auto row = [&](OutPort of_x, OutPort of_y, OutPort middle_of, int64_t pixels, OutPort* out) {
      const double half = static_cast<double>(pixels - 1) / 2;
      const OutPort place = plus(b, times(b, middle_of, 2 / range), -1);
      const OutPort from_first = plus(b, minus(b, minus(b, place, of_x), of_y), 1);
      out[0] = times(b, of_x, half * 2 / static_cast<double>(output[1] - 1));
      out[1] = times(b, of_y, half * 2 / static_cast<double>(output[0] - 1));
      out[2] = times(b, from_first, half);
    };
    OutPort top[6];
    const OutPort xx = times(b, cosine, step_x), xy = times(b, sine, step_y);
    row(xx, xy, centre.x, input[1], top);
    const OutPort yx = times(b, b.op("Negative", {sine}), step_x), yy = times(b, cosine, step_y);
    row(yx, yy, centre.y, input[0], top + 3);
    return as_matrix(b, top);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteLandmarks)
}  // namespace mo
