#include "core/front/onnx/decompose/attention.h"

#include <cmath>

namespace mo::onnx {

OutPort split_heads(Builder& b, OutPort x, int64_t heads) {
  if (heads < 1) throw Error(Code::BadAttribute, msg("a number of heads of ", heads));
  return b.transpose(b.reshape(x, {0, 0, heads, -1}), {0, 2, 1, 3});
}

OutPort join_heads(Builder& b, OutPort x, OutPort seeing) {
  // Runtimes join this Transpose with the attention, so nothing is between them.
  const OutPort apart = b.transpose(x, {0, 2, 1, 3});
  if (seeing) {
    Ints missing;
    for (int64_t i = 0; i < 4 - seeing.tensor().shape.rank(); ++i) missing.push_back(i);
    if (!missing.empty()) seeing = b.unsqueeze(seeing, missing);
    seeing = b.transpose(seeing, {0, 2, 1, 3});
  }
  return b.reshape(only_seeing(b, apart, seeing), {0, 0, -1});
}

OutPort repeat_heads(Builder& b, OutPort x, OutPort query) {
  const PartialShape &from = x.tensor().shape, &to = query.tensor().shape;
  if (from.rank() == 4 && to.rank() == 4 && from[1].is_exact() && from[1] == to[1]) return x;
  const OutPort heads = b.dims_of(query, {1}), times = b.op("Div", {heads, b.dims_of(x, {1})});
  const OutPort tiled = b.op("Tile", {b.unsqueeze(x, {2}), b.concat({b.i64({1, 1}), times, b.i64({1, 1})}, 0)});
  return b.op("Reshape", {tiled, b.concat({b.dims_of(x, {0}), heads, b.dims_of(x, {2, 3})}, 0)},
              {{"special_zero", false}});
}

/// The runtime of 2023.3 does not repeat a mask of one row for all queries.
OutPort with_row_for_each(Builder& b, OutPort mask, OutPort query) {
  const PartialShape &rows = mask.tensor().shape, &wanted = query.tensor().shape;
  const auto rank = [](const PartialShape& shape) { return static_cast<size_t>(shape.rank()); };
  if (!rows.has_rank() || !wanted.has_rank() || rank(rows) < 2 || rank(wanted) < 2) return mask;
  const Dimension have = rows[rank(rows) - 2], want = wanted[rank(wanted) - 2];
  if (!(have == Dimension(1)) || want == Dimension(1)) return mask;
  const OutPort count = b.dims_of(query, {static_cast<int64_t>(rank(wanted)) - 2});
  return b.op("Broadcast", {mask, b.concat({count, b.i64({1})}, 0)}, {{"mode", "bidirectional"}});
}

OutPort attend(Builder& b, OutPort query, OutPort key, OutPort value, OutPort added, bool causal, double scale) {
  if (scale != 0) {
    const PartialShape& shape = query.tensor().shape;
    if (shape.rank() != 4 || !shape[3].is_exact())
      throw Error(Code::UnsupportedForm, "a scale with a head size that is not known");
    query = b.op("Mul", {query, b.scalar_like(query, scale * std::sqrt(static_cast<double>(shape[3].min)))});
  }
  std::vector<OutPort> inputs{query, key, value};
  if (added && added.tensor().shape.rank() == 1) added = b.unsqueeze(added, {0});
  if (added) inputs.push_back(with_row_for_each(b, added, query));
  return b.op("ScaledDotProductAttention", inputs, {{"causal", causal}});
}

}  // namespace mo::onnx
