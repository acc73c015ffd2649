// Before: y = XlaReduceWindow(x, first value, sizes, strides, dilations of x, dilations of windows, padding [rank, 2])
//         {computation}
// After:  MaxPool(x), or the negative MaxPool(-x) for a minimum, AvgPool(x) * elements for a sum; CumSum(x) where the
//         windows of a sum begin or end with x; for others, along each axis, windows of 2, 4, 8… elements from windows
//         of half as many, of which any size is made
// Conditions: all but x and the first value are constants.

#include <algorithm>

#include "core/decompose/control/nested.h"
#include "core/decompose/shaping/shaping.h"
#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

/// A pool takes as many steps as its windows have elements.
constexpr int64_t kLongestPool = 32;

struct Windows {
  Ints sizes, strides, base, dilations, low, high;
  Ints wide;  ///< the axes along which they have more than one element, or do not keep what there is
};

class DecomposeXlaReduceWindow final : public Decomposition {
 public:
  Names ops() const override { return {"XlaReduceWindow"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const size_t rank = rank_of(node, 0);
    require_input(node, 1);
    const Reducer function(b, node, "computation");
    const Windows windows = windows_of(node, rank);
    const OutPort x = node.source(0), initial = to_scalar(b, node.source(1));
    const bool is_neutral = function.is_neutral(initial);
    OutPort y;
    if (can_be_pool(function.op(), x, windows)) {
      y = pooled(b, x, function.op(), windows);
    } else if (const auto reverse = running(x, function.op(), windows)) {
      y = b.op("CumSum", {x, b.i64_scalar(windows.wide[0])}, {{"exclusive", false}, {"reverse", *reverse}});
    } else {
      y = by_doubling(b, x, function, initial, windows);
    }
    if (is_neutral) return {y};
    return {function(initial, y)};
  }

 private:
  static Windows windows_of(const Node& node, size_t rank) {
    Windows out{numbers_of(node, 2, rank),
                numbers_of(node, 3, rank),
                numbers_of(node, 4, rank),
                numbers_of(node, 5, rank),
                {},
                {},
                {}};
    const Ints pads = numbers_of(node, 6, 2 * rank);
    for (size_t i = 0; i < rank; ++i) {
      out.low.push_back(pads[2 * i]), out.high.push_back(pads[2 * i + 1]);
      for (const Ints* numbers : {&out.sizes, &out.strides, &out.base, &out.dilations})
        if ((*numbers)[i] < 1) throw Error(Code::BadValue, msg("a window with ", (*numbers)[i]));
      if (out.sizes[i] > 1 || out.strides[i] > 1 || out.base[i] > 1 || out.low[i] != 0 || out.high[i] != 0)
        out.wide.push_back(static_cast<int64_t>(i));
    }
    return out;
  }

  /// IR pools floating point numbers along 1 to 3 axes, with padding smaller than the kernel.
  static bool can_be_pool(const std::string& op, OutPort x, const Windows& windows) {
    if (op != "Maximum" && op != "Minimum" && op != "Add") return false;
    if (!is_float(x.tensor().type) || windows.wide.empty() || windows.wide.size() > 3) return false;
    return std::all_of(windows.wide.begin(), windows.wide.end(), [&](int64_t axis) {
      const auto i = static_cast<size_t>(axis);
      const int64_t size = windows.sizes[i];
      return size <= kLongestPool && windows.base[i] == 1 && windows.low[i] >= 0 && windows.high[i] >= 0 &&
             windows.low[i] < size && windows.high[i] < size && (op != "Add" || windows.dilations[i] == 1);
    });
  }

  /// Of all axes but the windows' two are batch and channels, or one that they become.
  static OutPort pooled(Builder& b, OutPort x, const std::string& op, const Windows& windows) {
    const size_t rank = windows.sizes.size(), axes = windows.wide.size();
    const Ints others = other_axes(rank, {&windows.wide});
    const bool as_it_is = others.size() == 2;
    Ints order = others;
    order.insert(order.end(), windows.wide.begin(), windows.wide.end());
    OutPort data = x;
    Ints batch{0}, channel{1}, spatial;
    if (as_it_is) {
      batch[0] = others[0], channel[0] = others[1], spatial = windows.wide;
    } else {
      std::vector<Size> joined;
      for (const int64_t axis : others) joined.push_back({x, axis});
      std::vector<std::vector<Size>> shape{joined, {}};
      for (const int64_t axis : windows.wide)
        shape.push_back({{x, axis}}), spatial.push_back(static_cast<int64_t>(spatial.size()) + 2);
      data = reshaped_to(b, in_order(b, x, order), shape);
    }
    Ints kernel, strides, dilations, pads, high;
    int64_t elements = 1;
    for (const int64_t axis : windows.wide) {
      const auto i = static_cast<size_t>(axis);
      kernel.push_back(windows.sizes[i]), strides.push_back(windows.strides[i]);
      dilations.push_back(windows.dilations[i]), pads.push_back(windows.low[i]), high.push_back(windows.high[i]);
      elements *= windows.sizes[i];
    }
    pads.insert(pads.end(), high.begin(), high.end());
    const bool is_sum = op == "Add", is_least = op == "Minimum";
    if (is_least) data = b.op("Negative", {data});
    OutPort y = decomposed(b, "Pooling", {data},
                           {{"pool_method", is_sum ? "avg" : "max"},
                            {"kernel_shape", kernel},
                            {"strides", strides},
                            {"dilations", dilations},
                            {"pads", pads},
                            {"counted", "kernel"},
                            {"batch_dims", batch},
                            {"channel_dims", channel},
                            {"spatial_dims", spatial}})[0];
    if (is_least) y = b.op("Negative", {y});
    if (is_sum && elements > 1) y = b.op("Mul", {y, b.scalar_like(y, static_cast<double>(elements))});
    if (as_it_is) return y;
    std::vector<std::vector<Size>> shape;
    for (const int64_t axis : others) shape.push_back({{x, axis}});
    for (size_t i = 0; i < axes; ++i) shape.push_back({{y, static_cast<int64_t>(i) + 2}});
    return in_order(b, reshaped_to(b, y, shape), inverse(order));
  }

  /// Whether each window of a sum has all elements up to its own place, or (true) from there on.
  static std::optional<bool> running(OutPort x, const std::string& op, const Windows& windows) {
    if (op != "Add" || windows.wide.size() != 1) return std::nullopt;
    const auto i = static_cast<size_t>(windows.wide[0]);
    const Dimension length = x.tensor().shape[i];
    const int64_t size = windows.sizes[i];
    if (!length.is_exact() || length.min != size || windows.strides[i] != 1 || windows.base[i] != 1 ||
        windows.dilations[i] != 1 || windows.low[i] + windows.high[i] != size - 1)
      return std::nullopt;
    if (windows.high[i] == 0) return false;
    return windows.low[i] == 0 ? std::optional(true) : std::nullopt;
  }

  static OutPort by_doubling(Builder& b, OutPort x, const Reducer& function, OutPort initial, const Windows& windows) {
    const OutPort neutral = neutral_of(b, function.op(), x), around = neutral ? neutral : initial;
    Ints between = windows.base;
    for (int64_t& number : between) --number;
    OutPort y = padded(b, x, around, windows.low, windows.high, between);
    for (const int64_t axis : windows.wide) {
      const auto i = static_cast<size_t>(axis);
      y = along(b, y, function, axis, windows.sizes[i], windows.dilations[i]);
      if (windows.strides[i] > 1) y = part(b, y, axis, 0, INT64_MAX, windows.strides[i]);
    }
    return y;
  }

  /// Windows of `size` elements, `step` apart, at every place where they fit. Those of sizes that are powers of 2 are
  /// made of each other; the others of these.
  static OutPort along(Builder& b, OutPort x, const Reducer& function, int64_t axis, int64_t size, int64_t step) {
    OutPort power = x, y;
    int64_t covered = 0;
    // Windows of `first` elements, and behind them windows of `second` ones.
    const auto joined = [&](OutPort low, int64_t first, OutPort high, int64_t second) {
      const OutPort begin = part(b, low, axis, 0, -second * step),
                    behind = part(b, high, axis, first * step, INT64_MAX);
      return function(begin, behind);
    };
    for (int64_t bit = 1; bit <= size; bit *= 2) {
      if (bit > 1) power = joined(power, bit / 2, power, bit / 2);
      if ((size & bit) == 0) continue;
      y = covered == 0 ? power : joined(y, covered, power, bit);
      covered += bit;
    }
    return y;
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaReduceWindow;
MO_DEFINE_TRANSFORM(DecomposeXlaReduceWindow)
}  // namespace mo
