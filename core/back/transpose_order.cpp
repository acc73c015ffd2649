#include "core/back/transpose_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mo {

std::optional<Ints> transpose_order(const Node& node) {
  if (node.op() != "Transpose") return std::nullopt;
  const OutPort x = node.source(0), given = node.source(1);
  if (!x || !given || given.tensor().from_shape) return std::nullopt;
  auto order = given.exact_ints();
  if (!order) return std::nullopt;
  if (order->empty() && x.tensor().shape.has_rank()) {
    order->resize(x.tensor().shape.dimensions().size());
    std::iota(order->rbegin(), order->rend(), 0);
  }
  std::vector<bool> named(order->size());
  for (const int64_t axis : *order) {
    if (axis < 0 || axis >= static_cast<int64_t>(named.size()) || named[static_cast<size_t>(axis)]) return std::nullopt;
    named[static_cast<size_t>(axis)] = true;
  }
  return order->empty() ? std::nullopt : order;
}

bool is_identity(const Ints& order) { return std::is_sorted(order.begin(), order.end()); }

Ints inverse_order(const Ints& order) {
  Ints out(order.size());
  for (size_t i = 0; i < order.size(); ++i) out[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  return out;
}

bool keeps_elements(const PartialShape& shape, const Ints& order) {
  if (shape.rank() != static_cast<int>(order.size())) return false;
  int64_t last = -1;
  for (const int64_t axis : order) {
    if (shape[static_cast<size_t>(axis)] == Dimension(1)) continue;
    if (axis < last) return false;
    last = axis;
  }
  return true;
}

bool swaps_rows_and_columns(const Ints& order) {
  if (order.size() < 2) return false;
  Ints back = order;
  std::swap(back[back.size() - 1], back[back.size() - 2]);
  return is_identity(back) && !is_identity(order);
}

Ints joined_orders(const Ints& first, const Ints& second) {
  Ints out;
  for (const int64_t axis : second) out.push_back(first[static_cast<size_t>(axis)]);
  return out;
}

}  // namespace mo
