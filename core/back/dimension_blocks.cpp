#include "core/back/dimension_blocks.h"

#include <algorithm>

#include "core/back/transpose_order.h"

namespace mo {
namespace {

/// Which axes of a tensor of that rank are named; nullopt if they are not known, or none is.
std::optional<std::vector<bool>> named_axes(const Node& node, int rank) {
  const OutPort given = node.source(1);
  const auto axes = given && !given.tensor().from_shape ? given.exact_ints() : std::nullopt;
  if (!axes || axes->empty()) return std::nullopt;
  std::vector<bool> named(static_cast<size_t>(rank));
  for (const int64_t axis : *axes) {
    if (axis < -rank || axis >= rank) return std::nullopt;
    named[normalize_axis(axis, rank)] = true;
  }
  return named;
}

DimensionBlocks blocks_of_axes(const std::vector<bool>& named, bool drops) {
  DimensionBlocks blocks;
  int64_t other = 0;
  for (size_t i = 0; i < named.size(); ++i) {
    DimensionBlock block;
    (drops ? block.before : block.after) = {static_cast<int64_t>(i)};
    if (!named[i]) (drops ? block.after : block.before) = {other++};
    blocks.push_back(std::move(block));
  }
  return blocks;
}

/// Takes equal dimensions from the front of both ranges, or from the back.
class Matching {
 public:
  Matching(OutPort x, OutPort y, DimensionOrigins& origins) : x_(x), y_(y), origins_(origins) {
    end_x_ = x.tensor().shape.dimensions().size(), end_y_ = y.tensor().shape.dimensions().size();
  }

  DimensionBlocks blocks() {
    DimensionBlocks front, back;
    while (take(front, false)) {
    }
    while (take(back, true)) {
    }
    if (x_at_ < end_x_ || y_at_ < end_y_) front.push_back(block(x_at_, end_x_, y_at_, end_y_));
    front.insert(front.end(), back.rbegin(), back.rend());
    return front;
  }

 private:
  static DimensionBlock block(size_t x, size_t end_x, size_t y, size_t end_y) {
    DimensionBlock out;
    for (; x < end_x; ++x) out.before.push_back(static_cast<int64_t>(x));
    for (; y < end_y; ++y) out.after.push_back(static_cast<int64_t>(y));
    return out;
  }

  bool take(DimensionBlocks& into, bool from_back) {
    size_t nx = 0, ny = 0;
    const size_t left_x = end_x_ - x_at_, left_y = end_y_ - y_at_;
    const auto x = [&](size_t i) { return from_back ? end_x_ - 1 - i : x_at_ + i; };
    const auto y = [&](size_t i) { return from_back ? end_y_ - 1 - i : y_at_ + i; };
    const auto dim_x = [&](size_t i) { return x_.tensor().shape[x(i)]; };
    const auto dim_y = [&](size_t i) { return y_.tensor().shape[y(i)]; };
    if (left_x > 0 && left_y > 0 && is_same(dim_x(0), dim_y(0), {x_, x(0)}, {y_, y(0)})) {
      nx = ny = 1;
    } else if (left_x > 0 && dim_x(0) == Dimension(1)) {
      nx = 1;
    } else if (left_y > 0 && dim_y(0) == Dimension(1)) {
      ny = 1;
    } else {
      int64_t product_x = 1, product_y = 1;
      do {
        const bool grow_x = nx == 0 || (ny > 0 && product_x < product_y);
        if (grow_x ? nx == left_x : ny == left_y) return false;
        const Dimension d = grow_x ? dim_x(nx++) : dim_y(ny++);
        int64_t& product = grow_x ? product_x : product_y;
        if (!d.is_exact() || d.min < 1 || product > INT64_MAX / d.min) return false;
        product *= d.min;
      } while (ny == 0 || product_x != product_y);
    }
    const size_t from_x = from_back ? end_x_ - nx : x_at_, from_y = from_back ? end_y_ - ny : y_at_;
    into.push_back(block(from_x, from_x + nx, from_y, from_y + ny));
    (from_back ? end_x_ : x_at_) = from_back ? from_x : from_x + nx;
    (from_back ? end_y_ : y_at_) = from_back ? from_y : from_y + ny;
    return true;
  }

  bool is_same(const Dimension& a, const Dimension& b, const DimensionOrigin& of_a, const DimensionOrigin& of_b) {
    if (a.is_exact() || b.is_exact()) return a == b && a.min > 0;
    return origins_.of(of_a) == origins_.of(of_b);
  }

  OutPort x_, y_;
  DimensionOrigins& origins_;
  size_t x_at_ = 0, y_at_ = 0, end_x_ = 0, end_y_ = 0;
};

const Ints& side(const DimensionBlock& block, bool before) { return before ? block.before : block.after; }

}  // namespace

std::optional<DimensionBlocks> dimension_blocks(Node& node, DimensionOrigins& origins) {
  const std::string_view op = node.op();
  const OutPort x = node.source(0);
  if (!x || node.out_count() != 1) return std::nullopt;
  const OutPort y = node.out(0);
  const int before = x.tensor().shape.rank(), after = y.tensor().shape.rank();
  if (before < 0 || after < 0) return std::nullopt;
  if (op == "Reshape") return Matching(x, y, origins).blocks();
  const bool drops = op == "Squeeze" || (op.starts_with("Reduce") && !node.get_bool("keep_dims"));
  if (!drops && op != "Unsqueeze") return std::nullopt;
  const auto named = named_axes(node, drops ? before : after);
  if (!named || before - after != (drops ? 1 : -1) * std::count(named->begin(), named->end(), true))
    return std::nullopt;
  return blocks_of_axes(*named, drops);
}

std::optional<Ints> order_through(const DimensionBlocks& blocks, const Ints& order, bool forwards, const Ints& wanted) {
  std::vector<size_t> block_of(order.size());
  size_t count = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    for (const int64_t axis : side(blocks[i], forwards)) block_of[static_cast<size_t>(axis)] = i;
    count += side(blocks[i], !forwards).size();
  }
  const auto is_new = [&](size_t i) { return side(blocks[i], forwards).empty(); };
  Ints moved, kept;
  const auto append = [&](Ints& to, size_t i) {
    const Ints& axes = side(blocks[i], !forwards);
    to.insert(to.end(), axes.begin(), axes.end());
  };
  size_t last = blocks.size();
  while (last > 0 && is_new(last - 1)) --last;
  for (size_t at = 0; at < order.size();) {
    const size_t i = block_of[static_cast<size_t>(order[at])];
    for (const int64_t axis : side(blocks[i], forwards))
      if (at >= order.size() || order[at++] != axis) return std::nullopt;
    size_t first = i;
    while (first > 0 && is_new(first - 1)) --first;
    for (size_t j = first; j <= i; ++j) append(moved, j);
    append(kept, i);
    if (i + 1 == last)
      for (size_t j = last; j < blocks.size(); ++j) append(moved, j);
  }
  if (moved.size() != count) return std::nullopt;  // all axes are new
  if (wanted.size() == count) {
    std::vector<bool> stays(count);
    for (const int64_t axis : kept) stays[static_cast<size_t>(axis)] = true;
    Ints others;
    for (const int64_t axis : wanted)
      if (stays[static_cast<size_t>(axis)]) others.push_back(axis);
    if (others == kept) return wanted;
  }
  return moved;
}

std::optional<Ints> pattern_through(Node& reshape, const DimensionBlocks& blocks, const Ints& order_before,
                                    const Ints& order_after) {
  const OutPort given = reshape.source(1);
  const auto pattern = given && !given.tensor().from_shape ? given.exact_ints() : std::nullopt;
  if (!pattern || pattern->size() != order_after.size()) return std::nullopt;
  const bool copies = reshape.get_bool("special_zero", true);
  const Ints place = inverse_order(order_before);
  std::vector<int64_t> source(pattern->size(), -1);  // the axis that an axis of the output is equal to
  for (const DimensionBlock& block : blocks)
    if (block.before.size() == 1 && block.after.size() == 1)
      source[static_cast<size_t>(block.after[0])] = block.before[0];
  Ints out;
  int open = 0;
  for (const int64_t axis : order_after) {
    int64_t size = (*pattern)[static_cast<size_t>(axis)];
    if (size == 0) {
      const int64_t from = source[static_cast<size_t>(axis)];
      if (!copies) return std::nullopt;
      if (from < 0 || place[static_cast<size_t>(from)] != static_cast<int64_t>(out.size())) size = -1;
    }
    open += size == -1;
    out.push_back(size);
  }
  return open <= 1 ? std::optional(out) : std::nullopt;
}

}  // namespace mo
