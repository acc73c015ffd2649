#include "core/front/onnx/ml/scores.h"

#include <algorithm>
#include <cstring>

#include "core/decompose/math/constants.h"

namespace mo::onnx {
namespace {

/// sqrt(2) * the inverse error function of 2 x - 1, by Winitzki's approximation with ONNX Runtime's constants.
OutPort probit(Builder& b, OutPort x) {
  const auto number = [&](double value) { return splat_like(b, x, {}, value); };
  const OutPort one = number(1), u = b.op("Sub", {b.op("Mul", {x, number(2)}), one});
  const OutPort log = b.op("Log", {b.op("Mul", {b.op("Sub", {one, u}), b.op("Add", {one, u})})});
  constexpr double kPi = 3.14159, kA = 0.147;
  const OutPort v = b.op("Add", {b.op("Mul", {log, number(0.5)}), number(2 / (kPi * kA))});
  const OutPort inner = b.op("Sub", {b.op("Mul", {v, v}), b.op("Mul", {log, number(1 / kA)})});
  const OutPort root = b.op("Sqrt", {b.op("Sub", {b.op("Sqrt", {inner}), v})});
  return b.op("Mul", {b.op("Mul", {root, b.op("Sign", {u})}), number(1.41421356)});
}

/// A softmax in which scores of 0 stay 0.
OutPort softmax_zero(Builder& b, OutPort x) {
  const OutPort power = b.op("Exp", {b.op("Sub", {x, b.reduce("ReduceMax", x, {1}, true)})});
  const OutPort counts = b.op("Greater", {b.op("Abs", {x}), splat_like(b, x, {}, 1e-7)});
  const OutPort kept = b.op("Select", {counts, power, splat_like(b, x, {}, 0)});
  return b.op("Div", {kept, b.reduce("ReduceSum", kept, {1}, true)});
}

}  // namespace

OutPort feature_rows(Builder& b, OutPort x) {
  const int rank = x.tensor().shape.rank();
  if (rank == 0 || rank > 2) throw Error(Code::RankMismatch, msg("rows of features of rank ", rank));
  if (x.tensor().type != ElementType::F64) x = b.convert(x, ElementType::F32);
  return rank == 1 ? b.unsqueeze(x, {0}) : x;
}

OutPort post_transformed(Builder& b, OutPort scores, const std::string& kind) {
  const PartialShape& shape = scores.tensor().shape;
  const bool single = shape.rank() == 2 && shape[1] == Dimension(1);
  static constexpr std::string_view kKinds[] = {"", "NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT"};
  if (std::find(std::begin(kKinds), std::end(kKinds), kind) == std::end(kKinds))
    throw Error(Code::BadAttribute, msg("post_transform is '", kind, "'"));
  if (kind.empty() || kind == "NONE" || (single && kind != "PROBIT")) return scores;
  if (kind == "LOGISTIC") return b.op("Sigmoid", {scores});
  if (kind == "SOFTMAX") return b.op("SoftMax", {scores}, {{"axis", int64_t{1}}});
  if (kind == "SOFTMAX_ZERO") return softmax_zero(b, scores);
  return probit(b, scores);
}

OutPort scores_of_two(Builder& b, OutPort s, bool margin, const std::string& post_transform) {
  const bool logistic = post_transform == "LOGISTIC";
  const OutPort other = margin || logistic ? b.op("Negative", {s}) : b.op("Sub", {splat_like(b, s, {}, 1), s});
  const OutPort both = b.concat({other, s}, 1);
  return logistic ? b.op("Sigmoid", {both}) : both;
}

ClassLabels::ClassLabels(const Node& node, std::string_view of_integers) : numbers(node.get_ints(of_integers)) {
  const size_t named = node.get_strings("classlabels_strings").size();
  texts = named != 0;
  count = texts ? named : numbers.size();
}

OutPort ClassLabels::of(Builder& b, OutPort index) const {
  if (texts) throw Error(Code::UnsupportedForm, "labels that are texts: the runtime computes no texts");
  return b.gather(b.i64(numbers), index, 0);
}

Node& largest(Builder& b, OutPort scores, int64_t count) {
  return b.node("TopK", {scores, b.i64_scalar(count)},
                {{"axis", int64_t{1}},
                 {"mode", "max"},
                 {"sort", "value"},
                 {"index_element_type", ElementType::I64},
                 {"stable", true}},
                2);
}

OutPort best_class(Builder& b, OutPort scores) { return b.squeeze(largest(b, scores, 1).out(1), {1}); }

}  // namespace mo::onnx
