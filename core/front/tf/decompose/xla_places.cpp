#include "core/front/tf/decompose/xla_places.h"

#include "core/decompose/shaping/shaping.h"

namespace mo::xla {
namespace {

/// A constant has a number for each element.
constexpr int64_t kLongestWindow = 1 << 16;

}  // namespace

OutPort with_numbers_last(Builder& b, OutPort indices, int64_t index_vector_dim, size_t rank) {
  const auto last = static_cast<int64_t>(rank) - 1;
  if (index_vector_dim > last + 1) throw Error(Code::BadAttribute, msg("index_vector_dim is ", index_vector_dim));
  if (index_vector_dim == last + 1) return b.unsqueeze(indices, {last + 1});
  Ints order = counted_axes(rank);
  order.erase(order.begin() + index_vector_dim);
  order.push_back(index_vector_dim);
  return in_order(b, indices, order);
}

OutPort all_starts(Builder& b, OutPort indices, const Ints& batch_dims, size_t others) {
  if (batch_dims.empty() && others == 0) return indices;
  const auto rank = static_cast<size_t>(indices.tensor().shape.rank());
  const OutPort shape = b.dims_of(indices, counted_axes(rank - 1));
  const OutPort one_each = b.concat({shape, b.i64({1})}, 0);
  std::vector<OutPort> all{indices};
  for (const int64_t axis : batch_dims) {
    Ints aligned(rank - static_cast<size_t>(axis), 1);
    aligned[0] = -1;
    const OutPort numbers = b.reshape(counted(b, dimension_of(b, indices, axis)), aligned, false);
    all.push_back(b.op("Broadcast", {numbers, one_each}, {{"mode", "numpy"}}));
  }
  for (size_t i = 0; i < others; ++i)
    all.push_back(b.op("Broadcast", {b.i64_scalar(0), one_each}, {{"mode", "numpy"}}));
  return b.concat(all, static_cast<int64_t>(rank) - 1);
}

OutPort places_in_windows(Builder& b, const Places& places) {
  Ints wide;
  for (size_t i = 0; i < places.sizes.size(); ++i)
    if (places.sizes[i] > 1) wide.push_back(static_cast<int64_t>(i));
  if (wide.empty()) return places.starts;
  const auto batch = static_cast<int64_t>(places.batch_rank);
  Ints added;
  for (size_t i = 0; i < wide.size(); ++i) added.push_back(batch + static_cast<int64_t>(i));
  OutPort all = b.unsqueeze(places.starts, added);
  for (size_t i = 0; i < wide.size(); ++i) {
    // 0, 1… along the dimension of this window, for its own axis only.
    const int64_t size = places.sizes[static_cast<size_t>(wide[i])];
    if (size > kLongestWindow) throw Error(Code::UnsupportedForm, msg("windows of ", size, " elements along an axis"));
    Ints numbers(static_cast<size_t>(size) * places.axes.size(), 0);
    for (int64_t k = 0; k < size; ++k)
      numbers[static_cast<size_t>(k) * places.axes.size() + static_cast<size_t>(wide[i])] = k;
    Ints shape{size};
    shape.resize(wide.size() - i, 1);
    shape.push_back(static_cast<int64_t>(places.axes.size()));
    all = b.op("Add", {all, b.reshape(b.i64(numbers), shape, false)});
  }
  return all;
}

}  // namespace mo::xla
