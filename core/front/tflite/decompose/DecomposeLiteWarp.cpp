// Before: y = LiteTransformTensor(image [1, H, W, C], matrix of 4 x 4) {size, centers}
//         y = LiteResampler(image [N, H, W, C], places [N, h, w, 2])
// After:  y = GridSample(image with channels in front, grid). A pixel of the result is where the first two rows of the
//         matrix take it: with `centers` the middle of a pixel is between whole numbers. Without it, and for given
//         places, whole numbers are pixels. What the matrix takes out of the image is 0; a given place up to one pixel
//         outside has a part of the nearest one.
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteWarp final : public Decomposition {
 public:
  Names ops() const override { return {"LiteTransformTensor", "LiteResampler"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort image = node.source(0), x = b.transpose(image, {0, 3, 1, 2});
    const OutPort height = b.convert(dimension_of(b, image, 1), ElementType::F32);
    const OutPort width = b.convert(dimension_of(b, image, 2), ElementType::F32);
    OutPort grid;
    if (node.op() == "LiteResampler") {
      Node& both = b.split(node.source(1), 3, {1, 1});
      const OutPort at_x = scaled(b, both.out(0), width), at_y = scaled(b, both.out(1), height);
      grid = b.concat({at_x, at_y}, 3);
    } else {
      grid = of_matrix(b, node, width, height);
    }
    const OutPort y =
        b.op("GridSample", {x, grid}, {{"align_corners", false}, {"mode", "bilinear"}, {"padding_mode", "zeros"}});
    return {b.transpose(y, {0, 2, 3, 1})};
  }

 private:
  /// GridSample counts from -1 to 1, from edge to edge.
  static OutPort scaled(Builder& b, OutPort pixel, OutPort length) {
    const OutPort twice = b.op("Add", {b.op("Mul", {pixel, b.scalar_like(pixel, 2)}), b.scalar_like(pixel, 1)});
    return b.op("Sub", {b.op("Div", {twice, length}), b.scalar_like(pixel, 1)});
  }

  static OutPort of_matrix(Builder& b, const Node& node, OutPort width, OutPort height) {
    const Ints size = node.get_ints("size");
    const bool centers = node.get_bool("centers");
    // [h * w, 3]: x, y and 1 of each pixel.
    const uint64_t count = element_count(size);
    if (count > kMostPixels) throw Error(Code::UnsupportedForm, msg("an image of ", count, " pixels"));
    std::vector<float> pixels;
    pixels.reserve(3 * static_cast<size_t>(count));
    for (int64_t row = 0; row < size[0]; ++row)
      for (int64_t column = 0; column < size[1]; ++column)
        for (const double number : {static_cast<double>(column), static_cast<double>(row), centers ? 0.5 : 1.0})
          pixels.push_back(static_cast<float>(centers ? number + 0.5 : number));
    const OutPort places = b.constant(make_f32({static_cast<int64_t>(count), 3}, pixels));
    const OutPort matrix = b.reshape(node.source(1), {4, 4}, false);
    const OutPort rows = b.gather(matrix, b.i64({0, 1}), 0);
    const OutPort used = b.gather(rows, b.i64({0, 1, 3}), 1);  // [2, 3]
    OutPort at = b.matmul({places, used}, true);               // [h * w, 2]
    if (centers) at = b.op("Sub", {at, b.scalar_like(at, 0.5)});
    Node& both = b.split(at, 1, {1, 1});
    const auto placed = [&](OutPort pixel, OutPort length) {
      const OutPort last = b.op("Sub", {length, b.scalar_like(length, 1)});
      const OutPort before = b.op("Less", {pixel, b.scalar_like(pixel, 0)}), behind = b.op("Greater", {pixel, last});
      return scaled(b, b.op("Select", {b.op("LogicalOr", {before, behind}), b.scalar_like(pixel, -9), pixel}), length);
    };
    const OutPort at_x = placed(both.out(0), width), at_y = placed(both.out(1), height);
    return b.reshape(b.concat({at_x, at_y}, 1), {1, size[0], size[1], 2}, false);
  }

  static constexpr uint64_t kMostPixels = 1 << 22;
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteWarp)
}  // namespace mo
