#include "core/front/onnx/microsoft/padding.h"

#include "core/decompose/indexing/rows.h"
#include "core/front/onnx/decompose/attention.h"

namespace mo::onnx {
namespace {

/// Numbers of keys [batch], and the first keys [batch] if the mask may have them.
struct Ends {
  OutPort ends, starts;
};

Ends ends_of(Builder& b, OutPort mask, const Padded& of) {
  const Dimension count = mask.tensor().shape[0], batch = of.query.tensor().shape[0];
  if (count.is_exact() && batch.is_exact()) {
    if (count == batch) return {mask, {}};
    const int64_t n = batch.min;
    const bool both = of.starts && count.min == 2 * n;
    if (!both && count.min != 3 * n + 2)
      throw Error(Code::UnsupportedForm, msg("a mask [", count.min, "] for a batch of ", n));
    const OutPort from = b.i64({0}), to = b.i64({n}), ends = between(b, mask, from, to);
    return {ends, both ? between(b, mask, to, b.i64({2 * n})) : OutPort()};
  }
  const OutPort first = b.i64({0}), rows = b.dims_of(of.query, {0}), ends = between(b, mask, first, rows);
  if (!of.starts) return {ends, {}};
  // Without starts, they are the zeros behind the mask.
  const OutPort twice = b.op("Add", {rows, rows}), has_starts = b.op("Equal", {b.dims_of(mask, {0}), twice});
  const OutPort zero = b.scalar_like(mask, 0);
  const OutPort longer = b.op("Pad", {mask, first, rows, zero}, {{"mode", "constant"}});
  return {ends, b.op("Select", {has_starts, between(b, longer, rows, twice), zero})};
}

OutPort kept_of_ends(Builder& b, OutPort mask, const Padded& of) {
  const auto beside = [&](OutPort places) {
    return b.reshape(b.convert(places, ElementType::I64), {-1, 1, 1, 1}, false);
  };
  const Ends limits = ends_of(b, mask, of);
  const OutPort keys = places_of(b, b.dims_of(of.key, {2}));
  const OutPort kept = b.op("Less", {keys, beside(limits.ends)});
  return limits.starts ? b.op("LogicalAnd", {kept, b.op("GreaterEqual", {keys, beside(limits.starts)})}) : kept;
}

/// The rows of the queries and the columns of the keys.
OutPort part_of_longest(Builder& b, OutPort mask, const Padded& of) {
  const OutPort first = of.past ? of.past : b.i64({0}), keys = b.dims_of(of.key, {2});
  const OutPort queries = b.dims_of(of.query, {2}), last = of.past ? b.op("Add", {of.past, queries}) : queries;
  return b.op("Slice",
              {mask, b.concat({first, b.i64({0})}, 0), b.concat({last, keys}, 0), b.i64({1, 1}), b.i64({2, 3})});
}

}  // namespace

OutPort padding_bias(Builder& b, OutPort mask, const Padded& of) {
  const PartialShape& shape = mask.tensor().shape;
  const int rank = shape.rank();
  if (rank == 2 && shape[1] == Dimension(1)) return {};
  OutPort kept;
  if (rank == 1)
    kept = kept_of_ends(b, mask, of);
  else if (rank == 2 || rank == 3)
    kept = b.convert(b.unsqueeze(mask, rank == 2 ? Ints{1, 2} : Ints{1}), ElementType::Bool);
  else if (rank == 4)
    kept = b.convert(part_of_longest(b, mask, of), ElementType::Bool);
  else
    throw Error(Code::UnsupportedForm, msg("a mask [", to_string(shape), "]"));
  return b.op("Select", {kept, b.scalar_like(of.query, 0), b.scalar_like(of.query, of.filter)});
}

}  // namespace mo::onnx
