// Before: MatMul(x, [Transpose]([Reshape](Mul([Sub](Cast(W), zero), scale)))), W of integers
// After:  MatMul(x, [Transpose](weights of floating point)), or, if zero and scale are one number each,
//         MatMul(x, [Transpose](Mul([Sub](Cast(W of the shape of the Reshape), zero), scale)))
// Conditions: W, zero and scale are constants of shapes that a runtime computes wrongly or does not compile:
// core/ir/integer_matrix.h. The weights stay places: a recipe over them.

#include "core/back/constant_operands.h"
#include "core/build/builder.h"
#include "core/decompose/quantization/quantization.h"
#include "core/ir/integer_matrix.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

constexpr int64_t kMostNumbers = 1 << 20;

class IntegerMatrices final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override {
    for (Node* node : graph.nodes("MatMul"))
      if (node->has_in(1)) replace_weights(*node);
  }

 private:
  struct Dequantised {
    IntegerMatrix matrix;
    Constant integers;
    OutPort scale, zero;  ///< zero may be empty
    ElementType type;     ///< of the result
  };

  static void replace_weights(Node& product) {
    InPort at = product.in(1);
    bool is_transposed = product.get_bool("transpose_b");
    if (Node& above = at.source().node(); above.op() == "Transpose" && above.source(0).tensor().shape.rank() == 2) {
      if (above.source(1).exact_ints() == std::vector<int64_t>{1, 0}) is_transposed = !is_transposed;
      at = above.in(0);
    }
    OutPort whole = at.source();
    if (!whole.tensor().shape.is_static()) return;
    const Shape result = whole.tensor().shape.to_shape();
    if (whole.node().op() == "Reshape") whole = whole.node().source(0);
    auto weights = dequantised(whole);
    if (!weights) return;
    weights->matrix.result = result;
    weights->matrix.is_transposed = is_transposed;
    if (fault_of(weights->matrix) == MatrixFault::None) return;
    Builder b(whole.node());
    if (whole != at.source() && is_one(weights->matrix.scale) && is_one(weights->matrix.zero)) {
      at.connect(of_shape(b, *weights, result));
    } else if (const auto numbers = real_numbers(*weights, product.graph().files())) {
      at.connect(b.constant(reshape(*numbers, result)));
    }
  }

  static bool is_one(const Shape& numbers) { return element_count(numbers) == 1; }

  static std::optional<Dequantised> dequantised(OutPort port) {
    const Node& product = port.node();
    if (product.op() != "Mul" || !is_float(port.tensor().type)) return std::nullopt;
    Dequantised out;
    out.type = port.tensor().type;
    out.scale = behind_casts(product.source(1));
    OutPort whole = product.source(0);
    if (whole.node().op() == "Sub") {
      out.zero = behind_casts(whole.node().source(1));
      whole = whole.node().source(0);
    }
    const OutPort stored = behind_casts(whole);
    if (!is_constant(out.scale) || (out.zero && !is_constant(out.zero)) || !is_constant(stored)) return std::nullopt;
    out.integers = *stored.tensor().value;
    if (!is_integer(out.integers.type)) return std::nullopt;
    out.matrix = {.type = out.integers.type, .integers = out.integers.shape, .scale = out.scale.tensor().value->shape};
    if (out.zero) out.matrix.zero = out.zero.tensor().value->shape;
    return out;
  }

  static OutPort behind_casts(OutPort port) {
    while (port.node().op() == "Cast") port = port.node().source(0);
    return port;
  }

  /// The same numbers as integers of another shape.
  static OutPort of_shape(Builder& b, const Dequantised& weights, const Shape& shape) {
    const auto scalar = [&](OutPort number) { return b.constant(reshape(*number.tensor().value, {})); };
    const OutPort integers = b.constant(reshape(weights.integers, shape)), scale = scalar(weights.scale);
    const OutPort zero = weights.zero ? scalar(weights.zero) : OutPort();
    return dequantize(b, integers, scale, zero, {}, weights.type);
  }

  /// The numbers in the shape that the integers have, if scales and zero points vary along few axes.
  static std::optional<Constant> real_numbers(const Dequantised& weights, Files& files) {
    const Shape& shape = weights.integers.shape;
    // Unpacking of less than a byte takes two recipes; the result may be compressed, which takes another one.
    const int recipes = bits(weights.integers.type) < 8 ? 5 : 3;
    if (weights.integers.content->depth() + recipes > Content::kMaxDepth) return std::nullopt;
    // Axes [from, to) have one factor for each place; those around them are like one axis each.
    size_t from = shape.size(), to = 0;
    for (const Shape* numbers : {&weights.matrix.scale, &weights.matrix.zero})
      for (size_t i = 0; i < numbers->size(); ++i) {
        if ((*numbers)[i] == 1) continue;
        const size_t axis = shape.size() - numbers->size() + i;
        from = std::min(from, axis), to = std::max(to, axis + 1);
      }
    if (from >= to) from = 0, to = 1;
    const auto part = [&](size_t first, size_t last) {
      return Shape(shape.begin() + static_cast<int64_t>(first), shape.begin() + static_cast<int64_t>(last));
    };
    const auto count = [&](size_t first, size_t last) {
      return static_cast<int64_t>(element_count(part(first, last)));
    };
    const Shape varied = part(from, to);
    if (count(from, to) > kMostNumbers) return std::nullopt;
    const auto scale = numbers_along(*weights.scale.tensor().value, varied, shape.size() - to, files);
    const auto zero = weights.zero ? numbers_along(*weights.zero.tensor().value, varied, shape.size() - to, files)
                                   : std::vector<float>(element_count(varied));
    if (!scale || !zero) return std::nullopt;
    std::vector<float> shift(scale->size());
    for (size_t i = 0; i < shift.size(); ++i) shift[i] = -(*zero)[i] * (*scale)[i];
    Constant real = reshape(weights.integers, {count(0, from), count(from, to), count(to, shape.size())});
    real = convert(real, ElementType::F32);
    real = scale_shift(real, 1, *scale, std::move(shift));
    return weights.type == ElementType::F32 ? real : convert(real, weights.type);
  }

  /// The number of each place of `varied`, axes behind which the weights have `behind` more.
  static std::optional<std::vector<float>> numbers_along(const Constant& constant, const Shape& varied, size_t behind,
                                                         Files& files) {
    const auto read = read_doubles(constant, files, kMostNumbers);
    if (!read) return std::nullopt;
    const Shape& shape = constant.shape;
    std::vector<float> out(element_count(varied));
    for (size_t place = 0; place < out.size(); ++place) {
      size_t rest = place, at = 0, stride = 1;
      for (size_t i = 1; i <= varied.size() && i + behind <= shape.size(); ++i) {
        const auto size = static_cast<size_t>(varied[varied.size() - i]);
        if (const int64_t own = shape[shape.size() - behind - i]; own != 1) {
          at += rest % size * stride;
          stride *= static_cast<size_t>(own);
        }
        rest /= size;
      }
      out[place] = static_cast<float>((*read)[at]);
    }
    return out;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(IntegerMatrices)
}  // namespace mo
