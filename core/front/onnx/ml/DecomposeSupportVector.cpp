// Before: y = SVMRegressor(x) {kernel_type, kernel_params, support_vectors, coefficients, rho, one_class}   ai.onnx.ml
// After:  y = kernel(x, support vectors) * coefficients + rho, or its sign: 1 and -1
// Before: label, scores = SVMClassifier(x) {…, vectors_per_class, prob_a, prob_b, classlabels_…, post_transform}
// After:  d = kernel(x, support vectors) * coefficients of each pair of classes + rho;  votes = pairs won by each class
//         label = labels[the most votes];  scores = post(d), or post(probabilities coupled from those of the pairs)
//         without support vectors: d = x * coefficients^T + rho;  label = labels[the largest d]
// The kernels: linear dot;  poly (gamma * dot + coef0)^degree;  sigmoid Tanh(gamma * dot + coef0);
//         rbf Exp(-gamma * distance^2)
// Conditions: labels are numbers, or not used; at most 32 classes with probabilities.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/front/onnx/ml/scores.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

OutPort product(Builder& b, OutPort x, OutPort y, bool transpose) { return b.matmul({x, y}, transpose); }
OutPort real(Builder& b, const Shape& shape, const Doubles& values) {
  return precise_constant(b, ElementType::F32, shape, values);
}

/// kernel(x, each of `count` support vectors), [rows, count].
OutPort kernel_of(Builder& b, const Node& node, OutPort x, int64_t count) {
  Doubles vectors = node.get_floats("support_vectors");
  const auto size = static_cast<int64_t>(vectors.size());
  if (count < 1 || size < count || size % count != 0)
    throw Error(Code::BadAttribute, msg(size, " numbers of ", count, " support vectors"));
  const std::string type = node.get_string("kernel_type");
  Doubles params = node.get_floats("kernel_params");
  params.resize(3);
  const auto number = [&](double value) { return b.f32_scalar(static_cast<float>(value)); };
  const int64_t features = size / count;
  const auto dot = [&] { return product(b, x, real(b, {count, features}, vectors), true); };
  const auto sloped = [&] { return b.op("Add", {b.op("Mul", {dot(), number(params[0])}), number(params[1])}); };
  if (type == "LINEAR") return dot();
  if (type == "POLY") return b.op("Pow", {sloped(), number(params[2])});
  if (type == "SIGMOID") return b.op("Tanh", {sloped()});
  if (type != "RBF") throw Error(Code::BadAttribute, msg("kernel_type is '", type, "'"));
  // Distances do not change when the vectors' centre is subtracted, and the squares lose fewer digits.
  Doubles centre(static_cast<size_t>(features)), squares(static_cast<size_t>(count));
  for (size_t i = 0; i < vectors.size(); ++i) centre[i % centre.size()] += vectors[i] / static_cast<double>(count);
  for (size_t i = 0; i < vectors.size(); ++i) {
    vectors[i] -= centre[i % centre.size()];
    squares[i / centre.size()] += vectors[i] * vectors[i];
  }
  x = b.op("Sub", {x, real(b, {features}, centre)}, {{"can_be_fused", false}});
  const OutPort own = b.reduce("ReduceSum", b.op("Mul", {x, x}), {1}, true);
  const OutPort sum = b.op("Add", {own, real(b, {count}, squares)});
  const OutPort distance = b.op("Sub", {sum, b.op("Mul", {dot(), number(2)})});
  return b.op("Exp", {b.op("Mul", {b.op("ReLU", {distance}), number(-params[0])})});
}

/// The probabilities p of the classes, [rows, classes]. `pairs`, [rows, pairs], has the probability that the first
/// class of each pair wins. p is the least-squares solution, found by elimination: (Q + 1) p is the same number for all
/// classes, and Q + 1 is positive definite.
OutPort coupled(Builder& b, OutPort pairs, int64_t classes) {
  const auto n = static_cast<size_t>(classes);
  const int64_t count = classes * (classes - 1) / 2;
  Doubles factor(static_cast<size_t>(count) * n * n), shift(n * n), unit(n * n);
  size_t p = 0;
  for (size_t i = 0; i < n; ++i) {
    unit[i * n + i] = 1;
    for (size_t j = i + 1; j < n; ++j, ++p) {
      factor[p * n * n + i * n + j] = shift[j * n + i] = 1;
      factor[p * n * n + j * n + i] = -1;
    }
  }
  OutPort r = b.op("Add", {product(b, pairs, real(b, {count, classes * classes}, factor), false),
                           real(b, {classes * classes}, shift)});
  r = b.reshape(r, {-1, classes, classes}, false);
  const OutPort turned = b.transpose(r, {0, 2, 1});
  const OutPort diagonal =
      b.op("Mul", {b.reduce("ReduceSum", b.op("Mul", {turned, turned}), {2}, true), real(b, {classes, classes}, unit)});
  OutPort a = b.op("Sub", {b.op("Add", {diagonal, b.f32_scalar(1)}), b.op("Mul", {turned, r})});
  const OutPort ones = b.op("Add", {b.op("Mul", {b.gather(a, b.i64({0}), 2), b.f32_scalar(0)}), b.f32_scalar(1)});
  a = b.concat({a, ones}, 2);
  for (int64_t k = 0; k < classes; ++k) {
    const OutPort row = b.gather(a, b.i64({k}), 1), column = b.gather(a, b.i64({k}), 2);
    Doubles here(n);
    here[static_cast<size_t>(k)] = 1;
    const OutPort scaled = b.op("Div", {row, b.gather(row, b.i64({k}), 2)});
    a = b.op("Sub", {a, b.op("Mul", {b.op("Sub", {column, real(b, {classes, 1}, here)}), scaled})});
  }
  const OutPort y = b.gather(a, b.i64_scalar(classes), 2);
  return b.op("Div", {y, b.reduce("ReduceSum", y, {1}, true)});
}

class DecomposeSupportVector final : public Decomposition {
 public:
  Names ops() const override { return {"SVMRegressor", "SVMClassifier"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = b.convert(onnx::feature_rows(b, node.source(0)), ElementType::F32);
    if (node.op() == "SVMClassifier") return classified(b, node, x);
    const int64_t count = node.get_int("n_supports");
    const Doubles coefficients = node.get_floats("coefficients");
    const auto size = static_cast<int64_t>(coefficients.size());
    if (count > 0 && size != count)
      throw Error(Code::BadAttribute, msg(size, " coefficients of ", count, " support vectors"));
    const OutPort features = count > 0 ? kernel_of(b, node, x, count) : x;
    OutPort y = product(b, features, real(b, {size, 1}, coefficients), false);
    y = b.op("Add", {y, b.f32_scalar(static_cast<float>(rho(node, 1)[0]))});
    if (node.get_int("one_class") == 0) return {y};
    return {b.op("Select", {b.op("Greater", {y, b.f32_scalar(0)}), b.f32_scalar(1), b.f32_scalar(-1)})};
  }

 private:
  static Doubles rho(const Node& node, size_t least) {
    Doubles given = node.get_floats("rho");
    if (given.size() < least) throw Error(Code::BadAttribute, msg(given.size(), " numbers of rho, want ", least));
    return given;
  }

  static std::vector<OutPort> classified(Builder& b, Node& node, OutPort x) {
    const onnx::ClassLabels labels(node, "classlabels_ints");
    const auto classes = static_cast<int64_t>(labels.count);
    const std::string post = node.get_string("post_transform");
    const Doubles coefficients = node.get_floats("coefficients");
    const Ints each = node.get_ints("vectors_per_class");
    if (classes < 2 || classes > 4096) throw Error(Code::BadAttribute, msg(classes, " labels"));
    const bool label_used = !node.out(0).disconnected();
    if (std::all_of(each.begin(), each.end(), [](int64_t n) { return n == 0; })) {
      const auto size = static_cast<int64_t>(coefficients.size());
      if (size == 0 || size % classes != 0) throw Error(Code::BadAttribute, msg(size, " coefficients"));
      const OutPort d = b.op("Add", {product(b, x, real(b, {classes, size / classes}, coefficients), true),
                                     b.f32_scalar(static_cast<float>(rho(node, 1)[0]))});
      return {label_used ? labels.of(b, onnx::best_class(b, d)) : OutPort(), onnx::post_transformed(b, d, post)};
    }
    const OutPort d = decisions(b, node, x, classes, each, coefficients);
    const OutPort index = label_used ? onnx::best_class(b, votes(b, d, classes)) : OutPort();
    return {label_used ? labels.of(b, index) : OutPort(), scores(b, node, d, classes, post)};
  }

  /// One number for each pair of classes, positive if the first one wins, [rows, pairs].
  static OutPort decisions(Builder& b, const Node& node, OutPort x, int64_t classes, const Ints& each,
                           const Doubles& coefficients) {
    if (static_cast<int64_t>(each.size()) != classes)
      throw Error(Code::BadAttribute, msg(each.size(), " vectors_per_class for ", classes, " labels"));
    constexpr int64_t kMost = 1 << 26;
    std::vector<size_t> start{0};
    for (const int64_t n : each) {
      if (n < 0 || n > kMost) throw Error(Code::BadAttribute, msg("vectors_per_class has ", n));
      start.push_back(start.back() + static_cast<size_t>(n));
    }
    const size_t count = start.back(), n = each.size(), pairs = n * (n - 1) / 2;
    if (coefficients.size() != (n - 1) * count)
      throw Error(Code::BadAttribute, msg(coefficients.size(), " coefficients, want ", (n - 1) * count));
    if (pairs > kMost / count) throw Error(Code::UnsupportedForm, msg(count, " support vectors of ", n, " classes"));
    Doubles weights(count * pairs);
    size_t p = 0;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i + 1; j < n; ++j, ++p) {
        for (size_t v = start[i]; v < start[i + 1]; ++v) weights[v * pairs + p] = coefficients[(j - 1) * count + v];
        for (size_t v = start[j]; v < start[j + 1]; ++v) weights[v * pairs + p] = coefficients[i * count + v];
      }
    Doubles bias = rho(node, pairs);
    bias.resize(pairs);
    const auto vectors = static_cast<int64_t>(count), columns = static_cast<int64_t>(pairs);
    const OutPort kernel = kernel_of(b, node, x, vectors);
    return b.op("Add", {product(b, kernel, real(b, {vectors, columns}, weights), false), real(b, {columns}, bias)});
  }

  static OutPort votes(Builder& b, OutPort d, int64_t classes) {
    const auto n = static_cast<size_t>(classes), pairs = n * (n - 1) / 2;
    Doubles won(pairs * n), lost(n);
    size_t p = 0;
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i + 1; j < n; ++j, ++p) won[p * n + i] = 1, won[p * n + j] = -1, lost[j] += 1;
    const OutPort first = b.convert(b.op("Greater", {d, b.f32_scalar(0)}), ElementType::F32);
    return b.op("Add", {product(b, first, real(b, {static_cast<int64_t>(pairs), classes}, won), false),
                        real(b, {classes}, lost)});
  }

  static OutPort scores(Builder& b, const Node& node, OutPort d, int64_t classes, const std::string& post) {
    const Doubles slope = node.get_floats("prob_a"), shift = node.get_floats("prob_b");
    const int64_t pairs = classes * (classes - 1) / 2;
    if (slope.empty()) {
      if (classes > 2) return onnx::post_transformed(b, d, post);
      if (post == "PROBIT") throw Error(Code::UnsupportedForm, "PROBIT of a decision that is no probability");
      return onnx::scores_of_two(b, d, post.empty() || post == "NONE", post);
    }
    if (classes > 32) throw Error(Code::UnsupportedForm, msg("probabilities of ", classes, " classes"));
    // With two classes, the probability of a class is that of the pair.
    OutPort first = b.op("Add", {b.op("Mul", {d, real(b, {pairs}, slope)}), real(b, {pairs}, shift)});
    first = b.op("AttributedClamp", {b.op("Sigmoid", {b.op("Negative", {first})})}, {{"min", 1e-7}, {"max", 1 - 1e-7}});
    const OutPort all =
        classes == 2 ? b.concat({first, b.op("Sub", {b.f32_scalar(1), first})}, 1) : coupled(b, first, classes);
    return onnx::post_transformed(b, all, post);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSupportVector)
}  // namespace mo
