// Before: w = Filled(x) {filler, value, shape}                     weights that no file has, for the data x
// After:  w = Const: `value` everywhere, or of filler `bilinear` (1 - |x / f - c|) * (1 - |y / f - c|) for each kernel,
// or
//         of `diagonal` the mean of kernel n for channel n is number n of the attribute, or 1; the other kernels are 0
// Conditions: what -1 in `shape` stands for is known: a dimension of x divided by `parts`, or with `all` the product of
// those from `axis` on. A bilinear filler is for four dimensions, the last two equal.

#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr int64_t kMostMade = 1 << 24;

class DecomposeFilled final : public Decomposition {
 public:
  Names ops() const override { return {"Filled"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    Ints shape = node.get_ints("shape");
    for (int64_t& size : shape)
      if (size == -1) size = open_size(node);
    if (node.get_string("filler") == "bilinear") return {b.constant(bilinear(shape))};
    if (node.get_string("filler") == "diagonal") return {b.constant(diagonal(shape, node.get_floats("diagonal")))};
    return {b.constant(make_splat(ElementType::F32, shape, node.get_float("value")))};
  }

 private:
  static int64_t open_size(const Node& node) {
    if (!node.source(0)) throw Error(Code::MissingInput, "a layer without bottoms");
    const PartialShape& shape = node.source(0).tensor().shape;
    if (shape.rank() < 0) throw Error(Code::UnsupportedForm, "weights for data of unknown rank");
    const size_t axis = normalize_axis(node.get_int("axis"), shape.rank());
    const int64_t parts = node.get_int("parts");
    Shape sizes;
    for (size_t i = axis; i < static_cast<size_t>(shape.rank()) && (i == axis || node.get_bool("all")); ++i) {
      if (!shape[i].is_exact())
        throw Error(Code::UnsupportedForm, msg("weights for data of [", to_string(shape), "]"), {},
                    "give the size of the input by --input_shape");
      sizes.push_back(shape[i].min);
    }
    const auto size = static_cast<int64_t>(element_count(sizes));
    if (parts < 1 || size % parts != 0) throw Error(Code::ShapeMismatch, msg(size, " channels in ", parts, " groups"));
    return size / parts;
  }

  static Constant diagonal(const Ints& shape, const Doubles& values) {
    if (shape.size() < 2 || element_count(shape) > kMostMade)
      throw Error(Code::UnsupportedForm, msg("a diagonal filler for [", join(shape), "]"));
    std::vector<float> all(element_count(shape));
    const auto rows = static_cast<size_t>(shape[0]), columns = static_cast<size_t>(shape[1]);
    const size_t area = rows * columns == 0 ? 0 : all.size() / (rows * columns);
    for (size_t n = 0; n < std::min(rows, columns); ++n)
      std::fill_n(all.begin() + static_cast<std::ptrdiff_t>((n * columns + n) * area), area,
                  static_cast<float>((n < values.size() ? values[n] : 1) / static_cast<double>(area)));
    return make_f32(shape, all);
  }

  static Constant bilinear(const Ints& shape) {
    if (shape.size() != 4 || shape[2] != shape[3])
      throw Error(Code::UnsupportedForm, msg("a bilinear filler for [", join(shape), "]"));
    const int64_t size = shape[2];
    if (size > 4096 || element_count(shape) > kMostMade)
      throw Error(Code::UnsupportedForm, msg("a bilinear filler for [", join(shape), "]"));
    const auto f = static_cast<double>((size + 1) / 2), c = (2 * f - 1 - std::fmod(f, 2)) / (2 * f);
    std::vector<float> kernel, all;
    for (int64_t y = 0; y < size; ++y)
      for (int64_t x = 0; x < size; ++x)
        kernel.push_back(static_cast<float>((1 - std::fabs(static_cast<double>(x) / f - c)) *
                                            (1 - std::fabs(static_cast<double>(y) / f - c))));
    for (int64_t i = 0; i < shape[0] * shape[1]; ++i) all.insert(all.end(), kernel.begin(), kernel.end());
    return make_f32(shape, all);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFilled)
}  // namespace mo
