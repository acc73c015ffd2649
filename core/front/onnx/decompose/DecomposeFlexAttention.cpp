// Before: Y = FlexAttention(Q, K, V) {score_mod, prob_mod: bodies; scale, softmax_precision}
// After:  Y = MatMul(prob_mod(SoftMax(score_mod(MatMul(Q, K) * scale))), V) with the bodies inlined; K and V are
//         repeated for each query head
// Conditions: Q, K and V are of rank 4; without the attribute scale, the head size is known.

#include <cmath>

#include "core/decompose/control/inline_body.h"
#include "core/front/onnx/decompose/attention.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeFlexAttention final : public Decomposition {
 public:
  Names ops() const override { return {"FlexAttention"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort query = node.source(0);
    const PartialShape& shape = query.tensor().shape;
    if (shape.rank() != 4)
      throw Error(Code::RankMismatch, msg("the query is [", to_string(shape), "], want 4 dimensions"));
    const OutPort key = onnx::repeat_heads(b, node.source(1), query),
                  value = onnx::repeat_heads(b, node.source(2), query);
    double scale = node.get_float("scale");
    if (!node.has("scale")) {
      if (!shape[3].is_exact() || shape[3].min < 1) throw Error(Code::UnsupportedForm, "a head size that is not known");
      scale = 1 / std::sqrt(static_cast<double>(shape[3].min));
    }
    const ElementType type = query.tensor().type;
    const ElementType precision =
        node.get_type("softmax_precision", type == ElementType::F64 ? ElementType::F64 : ElementType::F32);

    const OutPort product = b.matmul({b.convert(query, precision), b.convert(key, precision)}, true);
    OutPort scores = b.op("Mul", {product, b.scalar_like(product, scale)});
    if (node.get_graph("score_mod")) scores = modified(b, node, "score_mod", scores);
    OutPort weights = b.op("SoftMax", {scores}, {{"axis", int64_t{-1}}});
    if (node.get_graph("prob_mod")) weights = modified(b, node, "prob_mod", weights);
    const OutPort narrow =
        type == ElementType::Unknown ? b.op("ConvertLike", {weights, query}) : b.convert(weights, type);
    return {b.matmul({narrow, value})};
  }

 private:
  static OutPort modified(Builder& b, Node& node, const std::string& body, OutPort x) {
    const std::vector<OutPort> results = inline_body(b, node, body, {x});
    if (results.size() != 1) throw Error(Code::BadAttribute, msg(body, " has ", results.size(), " results, want 1"));
    return results[0];
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFlexAttention)
}  // namespace mo
