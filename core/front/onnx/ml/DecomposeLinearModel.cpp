// Before: y = LinearRegressor(x) {coefficients, intercepts, targets, post_transform}               ai.onnx.ml
// After:  y = post(x * coefficients^T + intercepts)
// Before: label, scores = LinearClassifier(x) {coefficients, intercepts, classlabels_…, post_transform}
// After:  s = x * coefficients^T + intercepts;  label = labels[the largest of s];  scores = post(s)
//         with one s for two classes: label = Select(s > 0, labels[1], labels[0]);  scores = [1 - s, s], or sigmoids
// Conditions: labels are numbers, or not used.

#include "core/decompose/math/constants.h"
#include "core/front/onnx/ml/scores.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLinearModel final : public Decomposition {
 public:
  Names ops() const override { return {"LinearRegressor", "LinearClassifier"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = b.convert(onnx::feature_rows(b, node.source(0)), ElementType::F32);
    const std::string post = node.get_string("post_transform");
    if (node.op() == "LinearRegressor")
      return {onnx::post_transformed(b, product(b, node, x, node.get_int("targets")), post)};
    return classified(b, node, x, post);
  }

 private:
  static OutPort product(Builder& b, const Node& node, OutPort x, int64_t rows) {
    const Doubles coefficients = node.get_floats("coefficients"), intercepts = node.get_floats("intercepts");
    const auto count = static_cast<int64_t>(coefficients.size());
    if (rows < 1 || count < 1 || count % rows != 0)
      throw Error(Code::BadAttribute, msg(count, " coefficients for ", rows, " rows"));
    const OutPort weights = precise_constant(b, ElementType::F32, {rows, count / rows}, coefficients);
    const OutPort y = b.matmul({x, weights}, true);
    return intercepts.empty() ? y : b.op("Add", {y, precise_constant(b, ElementType::F32, {rows}, intercepts)});
  }

  static std::vector<OutPort> classified(Builder& b, Node& node, OutPort x, const std::string& post) {
    const onnx::ClassLabels labels(node, "classlabels_ints");
    const auto rows = static_cast<int64_t>(node.get_floats("intercepts").size());
    const OutPort scores = product(b, node, x, rows == 0 ? static_cast<int64_t>(labels.count) : rows);
    const bool label_used = !node.out(0).disconnected();
    const bool binary = rows == 1 && labels.count == 2;
    OutPort index, out;
    if (binary) {
      index = b.convert(b.squeeze(b.op("Greater", {scores, b.scalar_like(scores, 0)}), {1}), ElementType::I64);
      out = onnx::scores_of_two(b, scores, false, post);
    } else {
      if (static_cast<size_t>(rows) != labels.count && rows != 0)
        throw Error(Code::BadAttribute, msg(rows, " intercepts for ", labels.count, " labels"));
      index = onnx::best_class(b, scores);
      out = onnx::post_transformed(b, scores, post);
    }
    return {label_used ? labels.of(b, index) : OutPort(), out};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLinearModel)
}  // namespace mo
