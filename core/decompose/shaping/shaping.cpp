#include "core/decompose/shaping/shaping.h"

#include <algorithm>

#include "core/decompose/math/constants.h"

namespace mo {
namespace {

/// The target is computed from the input's shape, so that the model can be reshaped.
OutPort flattened_by_shape(Builder& b, OutPort x, int64_t axis, bool rest_divides) {
  const OutPort shape = b.shape_of(x);
  const auto product = [&](int64_t from, int64_t to) {
    return b.reduce("ReduceProd", b.op("Slice", {shape, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({0})}), {0},
                    true);
  };
  const OutPort rows = product(0, axis), columns = rest_divides ? b.i64({-1}) : product(axis, INT64_MAX);
  return b.op("Reshape", {x, b.concat({rows, columns}, 0)}, {{"special_zero", false}});
}

}  // namespace

OutPort flattened(Builder& b, OutPort x, int64_t axis) {
  const PartialShape& shape = x.tensor().shape;
  const bool is_last = shape.has_rank() && axis == shape.rank();
  if (shape.has_rank() && !is_last) axis = static_cast<int64_t>(normalize_axis(axis, shape.rank()));
  if (axis == 0) return b.reshape(x, {1, -1}, false);
  if (axis == 1) return b.reshape(x, {0, -1});
  if (!shape.has_rank()) return flattened_by_shape(b, x, axis, false);
  if (is_last) return b.reshape(x, {-1, 1}, false);
  const auto& all = shape.dimensions();
  // With 0 rows, -1 would be ambiguous.
  const Interval rows = PartialShape(std::vector<Dimension>(all.begin(), all.begin() + axis)).elements();
  return flattened_by_shape(b, x, axis, rows.is_exact() && rows.min > 0);
}

OutPort aligned_at(Builder& b, OutPort x, int64_t axis, int64_t rank) {
  if (const auto& value = x.tensor().value) {
    Shape shape = value->shape;
    shape.resize(static_cast<size_t>(rank - axis), 1);
    return reshaped(b, x, shape);
  }
  Ints added;
  for (int64_t i = x.tensor().shape.rank(); i < rank - axis; ++i) added.push_back(i);
  return added.empty() ? x : b.unsqueeze(x, added);
}

OutPort to_scalar(Builder& b, OutPort x) { return x.tensor().shape.rank() == 0 ? x : b.reshape(x, {}, false); }

OutPort to_i64_scalar(Builder& b, OutPort x) { return to_scalar(b, b.convert(x, ElementType::I64)); }

OutPort dimension_of(Builder& b, OutPort x, int64_t axis) {
  const int rank = x.tensor().shape.rank();
  if (rank >= 0) axis = static_cast<int64_t>(normalize_axis(axis, rank));
  const OutPort shape = b.shape_of(x);
  return b.gather(shape, b.i64_scalar(axis), 0);
}

OutPort counted(Builder& b, OutPort count) {
  return b.op("Range", {b.i64_scalar(0), count, b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
}

OutPort from_front(Builder& b, OutPort indices, OutPort size) {
  const auto& known = indices.tensor().ints;
  if (known && std::all_of(known->elements.begin(), known->elements.end(), [](Interval i) { return i.min >= 0; }))
    return indices;
  const OutPort below = b.op("Less", {indices, b.scalar_like(indices, 0)});
  return b.op("Select", {below, b.op("Add", {indices, size}), indices});
}

}  // namespace mo
