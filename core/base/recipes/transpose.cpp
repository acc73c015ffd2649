#include "core/base/recipes/transpose.h"

#include <algorithm>

#include "core/base/any_order.h"
#include "core/base/error.h"
#include "core/base/recipes/convert.h"
#include "core/base/recipes/fill.h"
#include "core/base/recipes/runs.h"

namespace mo {
namespace {

Shape permuted(const Shape& shape, const std::vector<int64_t>& order) {
  Shape out;
  for (const int64_t axis : order) out.push_back(shape[static_cast<size_t>(axis)]);
  return out;
}

void check_order(const Shape& shape, const std::vector<int64_t>& order) {
  std::vector<bool> seen(shape.size());
  bool fits = order.size() == shape.size();
  for (size_t i = 0; fits && i < order.size(); ++i) {
    fits = order[i] >= 0 && order[i] < static_cast<int64_t>(shape.size()) && !seen[static_cast<size_t>(order[i])];
    if (fits) seen[static_cast<size_t>(order[i])] = true;
  }
  if (!fits) throw Error(Code::BadValue, "the order is no permutation of the dimensions");
}

std::vector<TransposeContent::Axis> fewest_axes(const Shape& shape, const std::vector<int64_t>& order) {
  std::vector<uint64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * static_cast<uint64_t>(shape[i]);
  std::vector<TransposeContent::Axis> axes;
  for (const int64_t axis : order) {
    const auto i = static_cast<size_t>(axis);
    const auto extent = static_cast<uint64_t>(shape[i]), stride = strides[i];
    if (extent == 1) continue;
    if (!axes.empty() && axes.back().stride == extent * stride)
      axes.back() = {axes.back().extent * extent, stride};
    else
      axes.push_back({extent, stride});
  }
  if (axes.empty()) axes.push_back({1, 1});
  return axes;
}

}  // namespace

TransposeContent::TransposeContent(const Constant& source, std::vector<int64_t> order)
    : Recipe(kKind, source.content->size(), {source.content}),
      element_bytes_(static_cast<uint64_t>(bits(source.type)) / 8),
      source_shape_(source.shape),
      order_(std::move(order)),
      axes_(fewest_axes(source_shape_, order_)) {}

std::string TransposeContent::identity() const {
  std::string text = cat("transpose(", element_bytes_);
  for (const Axis& axis : axes_) text += cat(",", axis.extent, "*", axis.stride);
  return text + cat(",", slice_text(*sources()[0]), ")");
}

/// Whole rows of the result, as many as have whole cache lines of the source. What is larger than a reader keeps is
/// read anew for each piece.
uint64_t TransposeContent::best_piece() const {
  constexpr uint64_t kMostRows = 2 * 1024 * 1024;
  const uint64_t line = kLineBytes / element_bytes_;
  if (has_long_runs()) return kCachedPiece;
  if (size() > kLargePiece) return kLargePiece;
  const uint64_t row = size() / axes_[0].extent, rows = kCachedPiece / row / line * line;
  return row * std::max<uint64_t>(1, std::min(std::max(rows, line), kMostRows / row));
}

ContentPtr in_any_order(const ContentPtr& content) {
  if (const auto turned = as_recipe<TransposeContent>(content)) return in_any_order(turned->sources()[0]);
  const auto converted = as_recipe<ConvertContent>(content);
  if (!converted) return content;
  const Constant source{
      converted->from(), {static_cast<int64_t>(converted->elements())}, in_any_order(converted->sources()[0])};
  if (source.content == converted->sources()[0]) return content;
  return std::make_shared<ConvertContent>(source, converted->to(), converted->mode());
}

Constant transpose(const Constant& source, const std::vector<int64_t>& order) {
  check_source(source);
  check_order(source.shape, order);
  Shape shape = permuted(source.shape, order);
  if (source.elements() == 0 || fewest_axes(source.shape, order).size() == 1 || fill_element(source))
    return {source.type, std::move(shape), source.content};
  if (is_packed(source.type)) return pack(transpose(unpack(source), order), source.type);
  const auto inner = as_recipe<TransposeContent>(source.content);
  if (inner && permuted(inner->source_shape(), inner->order()) == source.shape) {
    const Constant origin{source.type, inner->source_shape(), inner->sources()[0]};
    return transpose(origin, permuted(inner->order(), order));
  }
  // The other way round gaps would be converted too, which are read along with what is wanted.
  const auto converted = as_recipe<ConvertContent>(source.content);
  if (converted && converted->mode() == ConvertMode::Usual && !is_packed(converted->from()))
    return convert(transpose({converted->from(), source.shape, converted->sources()[0]}, order), source.type);
  return finish(source.type, std::move(shape), std::make_shared<TransposeContent>(source, order));
}

}  // namespace mo
