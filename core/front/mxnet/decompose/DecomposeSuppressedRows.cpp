// Before: y = SuppressedRows(x […, n, columns]) {overlap, least, most, corners, score, id, background, force, centred…}
// After:  TopK of the scores, NonMaxSuppression of these rows, and the rows that stay, the best first; then rows of -1
// Conditions: the rank of x is known.

#include "core/decompose/detection/suppression.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/front/mxnet/decompose/suppressed_rows.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeSuppressedRows final : public Decomposition {
 public:
  Names ops() const override { return {"SuppressedRows"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 2) throw Error(Code::UnsupportedForm, msg("[", to_string(x.tensor().shape), "], not rows of boxes"));
    if (rank == 3) return {of_batch(b, node, x)};
    const OutPort whole = b.shape_of(x);
    const OutPort shape = b.concat({b.i64({-1}), b.dims_of(x, {rank - 2, rank - 1})}, 0);
    const OutPort rows = b.op("Reshape", {x, shape}, {{"special_zero", false}});
    return {b.op("Reshape", {of_batch(b, node, rows), whole}, {{"special_zero", false}})};
  }

 private:
  static OutPort of_batch(Builder& b, const Node& node, OutPort x) {
    const auto column = [&](OutPort rows, const char* key) {
      return b.gather(rows, b.i64_scalar(node.get_int(key)), 2);
    };
    const OutPort scores = column(x, "score");
    const OutPort usable =
        node.get_int("id") >= 0
            ? evaluate(b, node, "LogicalAnd(Greater(x,@least),NotEqual(y,@background))", {scores, column(x, "id")})[0]
            : evaluate(b, node, "Greater(x,@least)", {scores})[0];
    const OutPort keys = evaluate(b, node, "Select(y,x,-3.4e38)", {scores, usable})[0];
    Node& best = mxnet::best_scores(b, keys, node.get_int("most"));
    const OutPort places = best.out(1), rows = b.op("Gather", {x, places, b.i64_scalar(1)}, {{"batch_dims", 1}});
    const int64_t first = node.get_int("corners");
    const OutPort given = b.gather(rows, b.i64({first, first + 1, first + 2, first + 3}), 2);
    const OutPort corners = node.get_bool("centred") ? evaluate(b, node, "BoxCorners(x)", {given})[0] : given;
    const OutPort valid = evaluate(b, node, "Greater(x,-3.3e38)", {best.out(0)})[0];
    const OutPort ids = node.get_bool("force") ? OutPort() : column(rows, "id");
    const OutPort threshold = suppression_threshold(b, b.f32_scalar(static_cast<float>(node.get_float("overlap"))));
    const OutPort stays = mxnet::kept(b, node, {corners, valid, ids}, threshold);
    return evaluate(b, node,
                    "p=Sub(CumSum(y,<1>),1);j=Transpose(NonZero(y),[1 0]);"
                    "ScatterNDUpdate(Broadcast(ConvertLike(<-1>,x),ShapeOf(x)),"
                    "Concat(Gather(j,[0],<1>),Unsqueeze(GatherND(p,j),[1])),GatherND(z,j))",
                    {x, stays, converted(b, node, rows, corners, given)})[0];
  }

  /// The rows with boxes as they are wanted.
  static OutPort converted(Builder& b, const Node& node, OutPort rows, OutPort corners, OutPort given) {
    if (node.get_bool("centred") == node.get_bool("to_centred")) return rows;
    const OutPort boxes = node.get_bool("to_centred") ? evaluate(b, node, "BoxCentres(x)", {given})[0] : corners;
    const int64_t first = node.get_int("corners");
    const auto part = [&](int64_t from, int64_t to) {
      const OutPort start = b.i64({from}), stop = b.i64({to}), step = b.i64({1}), axes = b.i64({2});
      return b.op("Slice", {rows, start, stop, step, axes});
    };
    std::vector<OutPort> parts;
    if (first > 0) parts.push_back(part(0, first));
    parts.push_back(boxes);
    const Dimension columns = rows.tensor().shape.has_rank() ? rows.tensor().shape[2] : kAnyDimension;
    if (columns != Dimension(first + 4)) parts.push_back(part(first + 4, INT64_MAX));
    return parts.size() == 1 ? boxes : b.concat(parts, 2);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeSuppressedRows)
}  // namespace mo
