// A tensor as its storage has it: sizes, strides and the first element. Axes in the order of their strides are slices
// of a dense tensor; what is left is their order, and axes of stride 0, whose elements are repeated.

#include <algorithm>
#include <numeric>

#include "core/base/repeat.h"
#include "core/front/pytorch/load/archive.h"

namespace mo::pytorch {
namespace {

struct StridedAxis {
  size_t axis;
  int64_t size, stride;
};

/// Whether the last element lies in the storage.
void require_inside(const Constant& storage, const std::vector<StridedAxis>& axes, int64_t offset) {
  unsigned __int128 last = static_cast<uint64_t>(offset);
  for (const StridedAxis& axis : axes)
    last += static_cast<unsigned __int128>(axis.size - 1) * static_cast<uint64_t>(axis.stride);
  if (last >= static_cast<uint64_t>(storage.shape[0]))
    throw Error(Code::DataOutOfRange, msg("a weight of ", storage.shape[0], " stored elements reads behind them"));
}

/// The elements, with these axes in the order of their strides, largest first.
Constant dense(const Constant& storage, const std::vector<StridedAxis>& axes, int64_t offset) {
  const auto refuse = [] { throw Error(Code::UnsupportedForm, "strides of a weight that overlap"); };
  if (axes.empty()) return slice(storage, 0, offset, offset + 1);
  // A whole tensor, of which each axis is a part: [sizes[0], strides[0] / strides[1], …, the last stride].
  Shape whole{axes[0].size}, starts;
  const int64_t needed = axes[0].size * axes[0].stride;
  // The first row begins where the tensor does or, if the last one is not stored as a whole then, where its stride
  // says.
  int64_t rest = offset + needed <= storage.shape[0] ? 0 : offset % axes[0].stride;
  const int64_t begin = offset - rest;
  starts.push_back(0);
  for (size_t i = 1; i <= axes.size(); ++i) {
    const int64_t stride = i < axes.size() ? axes[i].stride : 1;
    if (axes[i - 1].stride % stride != 0) refuse();
    whole.push_back(axes[i - 1].stride / stride);
    starts.push_back(rest / stride);
    rest %= stride;
    if (i < axes.size() && starts[i] + axes[i].size > whole[i]) refuse();
  }
  Constant out = storage;
  if (begin + needed > storage.shape[0]) {
    // The last row is not whole: it has to be the only one.
    if (axes[0].size != 1)
      throw Error(Code::UnsupportedForm, "a part of a weight whose last row is not stored as a whole");
    const std::vector<StridedAxis> inner(axes.begin() + 1, axes.end());
    out = dense(storage, inner, offset);
    Shape shape{1};
    for (const StridedAxis& axis : inner) shape.push_back(axis.size);
    return reshape(out, shape);
  }
  if (begin != 0 || needed != storage.shape[0]) out = slice(out, 0, begin, begin + needed);
  out = reshape(out, whole);
  Shape shape{axes[0].size};
  for (size_t i = 1; i <= axes.size(); ++i) {
    const int64_t size = i < axes.size() ? axes[i].size : 1;
    if (size != whole[i]) out = slice(out, i, starts[i], starts[i] + size);
    if (i < axes.size()) shape.push_back(size);
  }
  return reshape(out, shape);
}

/// The elements without axes of stride 0, with them.
Constant with_repeated(const Constant& x, const Shape& sizes, const Shape& strides) {
  const auto count = std::count(strides.begin(), strides.end(), 0);
  if (count == 0) return reshape(x, sizes);
  // Repeated axes are made first, and then go to their places.
  Shape repeated, kept;
  std::vector<int64_t> order(sizes.size());
  for (size_t i = 0; i < sizes.size(); ++i) {
    Shape& to = strides[i] == 0 ? repeated : kept;
    order[i] = static_cast<int64_t>(to.size()) + (strides[i] == 0 ? 0 : count);
    to.push_back(sizes[i]);
  }
  Constant out = repeat(reshape(x, kept), static_cast<int64_t>(element_count(repeated)));
  repeated.insert(repeated.end(), kept.begin(), kept.end());
  return transpose(reshape(out, repeated), order);
}

}  // namespace

Constant view_of_storage(const Constant& storage, const Shape& sizes, const Shape& strides, int64_t offset) {
  if (element_count(sizes) == 0) return {storage.type, sizes, std::make_shared<OwnedContent>(std::vector<std::byte>())};
  std::vector<StridedAxis> axes;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] > 1 && strides[i] > 0) axes.push_back({i, sizes[i], strides[i]});
  require_inside(storage, axes, offset);
  std::stable_sort(axes.begin(), axes.end(),
                   [](const StridedAxis& a, const StridedAxis& b) { return a.stride > b.stride; });
  Constant out = dense(storage, axes, offset);
  if (!std::is_sorted(axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.axis < b.axis; })) {
    std::vector<int64_t> order(axes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return axes[static_cast<size_t>(a)].axis < axes[static_cast<size_t>(b)].axis;
    });
    out = transpose(out, order);
  }
  return with_repeated(out, sizes, strides);
}

}  // namespace mo::pytorch
