// Before: y = InterleavedProduct(x [time, batch, heads * parts * width]…) {kind, heads}
// After:  self_scores, scores: y [batch * heads, time, times] = MatMul(queries / sqrt(width), keys transposed)
//         self_values, values: y [time, batch, heads * width] = MatMul(attention, values)
//         x has queries, keys and values, or for scores and values of two inputs queries apart, and keys and values
// Conditions: the last dimension is known.

#include <cmath>

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeInterleavedProduct final : public Decomposition {
 public:
  Names ops() const override { return {"InterleavedProduct"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const std::string& kind = node.get_string("kind");
    const int64_t heads = node.get_int("heads");
    if (kind == "self_scores") return {scores(b, part(b, node.source(0), heads, 3, 0), node.source(0), heads, 3, 1)};
    if (kind == "scores") return {scores(b, part(b, node.source(0), heads, 1, 0), node.source(1), heads, 2, 0)};
    const int64_t parts = kind == "self_values" ? 3 : 2, width = width_of(node.source(0), heads, parts);
    const OutPort values = b.transpose(part(b, node.source(0), heads, parts, parts - 1), {1, 0, 2});
    const OutPort y = b.transpose(b.matmul({node.source(1), values}), {1, 0, 2});
    return {b.reshape(y, {0, -1, heads * width})};
  }

 private:
  static int64_t width_of(OutPort x, int64_t heads, int64_t parts) {
    const PartialShape& shape = x.tensor().shape;
    if (shape.rank() != 3) throw Error(Code::RankMismatch, msg("[", to_string(shape), "], not three dimensions"));
    if (!shape[2].is_exact()) throw Error(Code::UnsupportedForm, "queries, keys and values of unknown width");
    if (shape[2].min % (heads * parts) != 0 || shape[2].min == 0)
      throw Error(Code::ShapeMismatch, msg(shape[2].min, " elements for ", heads, " heads"));
    return shape[2].min / (heads * parts);
  }

  /// [time, batch * heads, width]
  static OutPort part(Builder& b, OutPort x, int64_t heads, int64_t parts, int64_t number) {
    const int64_t width = width_of(x, heads, parts);
    if (parts == 1) return b.reshape(x, {0, -1, width});
    const OutPort all = b.reshape(x, {0, -1, parts, width});
    return b.gather(all, b.i64_scalar(number), 2);
  }

  static OutPort scores(Builder& b, OutPort queries, OutPort rest, int64_t heads, int64_t parts, int64_t number) {
    const OutPort keys = part(b, rest, heads, parts, number);
    const auto width = static_cast<double>(width_of(rest, heads, parts));
    const OutPort scaled = b.op("Mul", {queries, b.scalar_like(queries, 1 / std::sqrt(width))});
    return b.matmul({b.transpose(scaled, {1, 0, 2}), b.transpose(keys, {1, 0, 2})}, true);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeInterleavedProduct)
}  // namespace mo
