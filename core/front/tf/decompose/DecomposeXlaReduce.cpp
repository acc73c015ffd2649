// Before: y… = XlaReduce(x…, first values…) {reducer, dimensions_to_reduce}
// After:  y = ReduceSum(x, axes), ReduceProd, ReduceMin, ReduceMax, ReduceLogicalAnd or ReduceLogicalOr, and the first
//         value where it changes something; for another function, of several tensors as that of argmax, both halves of
//         x go through it, again and again
// Conditions: the ranks are known; for another function, the reduced dimensions, too.

#include "core/decompose/shaping/shaping.h"
#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

class DecomposeXlaReduce final : public Decomposition {
 public:
  Names ops() const override { return {"XlaReduce"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const auto width = static_cast<size_t>(node.get_int("width"));
    const Reducer function(b, node, "reducer", width);
    const size_t rank = rank_of(node, 0);
    const Ints axes = axes_of(node, "dimensions_to_reduce", rank);
    std::vector<OutPort> xs, initial;
    for (size_t i = 0; i < width; ++i) {
      if (rank_of(node, static_cast<int>(i)) != rank) throw Error(Code::RankMismatch, "the tensors of a reduction");
      require_input(node, static_cast<int>(width + i));
      xs.push_back(node.source(static_cast<int>(i)));
      initial.push_back(to_scalar(b, node.source(static_cast<int>(width + i))));
    }
    if (axes.empty()) return xs;  // XLA takes it for a copy
    bool is_known = function.is_simple();
    for (size_t i = 0; i < width; ++i) is_known = is_known && reduction(function.op(i));
    if (!is_known) return by_halves(b, function, xs, initial, axes, rank);
    std::vector<OutPort> out;
    for (size_t i = 0; i < width; ++i) {
      const OutPort y = b.reduce(reduction(function.op(i)), xs[i], axes, false);
      out.push_back(function.is_neutral(initial[i], i) ? y : b.op(function.op(i).c_str(), {y, initial[i]}));
    }
    return out;
  }

 private:
  static const char* reduction(std::string_view op) {
    constexpr std::pair<std::string_view, const char*> kReductions[] = {{"Add", "ReduceSum"},
                                                                        {"Mul", "ReduceProd"},
                                                                        {"Minimum", "ReduceMin"},
                                                                        {"Maximum", "ReduceMax"},
                                                                        {"LogicalAnd", "ReduceLogicalAnd"},
                                                                        {"LogicalOr", "ReduceLogicalOr"}};
    for (const auto& [function, name] : kReductions)
      if (function == op) return name;
    return nullptr;
  }

  static std::vector<OutPort> by_halves(Builder& b, const Reducer& function, std::vector<OutPort> xs,
                                        const std::vector<OutPort>& initial, const Ints& axes, size_t rank) {
    const Ints kept = other_axes(rank, {&axes});
    const auto last = static_cast<int64_t>(kept.size());
    int64_t count = 1;
    for (const int64_t axis : axes) {
      const Dimension size = xs[0].tensor().shape[static_cast<size_t>(axis)];
      if (!size.is_exact())
        throw Error(Code::UnsupportedForm,
                    "a function other than a sum, product, minimum or maximum, over an unknown size");
      count *= size.min;
      if (count > INT32_MAX) throw Error(Code::SizeOverflow, "the reduced dimensions");
    }
    Ints order = kept;
    order.insert(order.end(), axes.begin(), axes.end());
    for (OutPort& x : xs) {  // [kept…, reduced]
      std::vector<std::vector<Size>> shape;
      for (const int64_t axis : kept) shape.push_back({{x, axis}});
      std::vector<Size> reduced;
      for (const int64_t axis : axes) reduced.push_back({x, axis});
      shape.push_back(reduced);
      const OutPort turned = in_order(b, x, order);
      x = axes.size() == 1 ? turned : reshaped_to(b, turned, shape);
    }
    std::vector<OutPort> first = initial;
    if (count == 0) {
      for (size_t i = 0; i < xs.size(); ++i) {
        const OutPort shape = b.dims_of(xs[i], counted_axes(kept.size()));
        first[i] = kept.empty() ? initial[i] : b.op("Broadcast", {initial[i], shape}, {{"mode", "numpy"}});
      }
      return first;
    }
    while (count > 1) {
      const int64_t half = count / 2;
      std::vector<OutPort> low, high;
      for (const OutPort& x : xs) {
        low.push_back(part(b, x, last, 0, half));
        high.push_back(part(b, x, last, half, 2 * half));
      }
      std::vector<OutPort> next = function(low, high);
      for (size_t i = 0; i < xs.size() && count % 2 == 1; ++i)
        next[i] = b.concat({next[i], part(b, xs[i], last, count - 1, count)}, last);
      xs = next;
      count = half + count % 2;
    }
    for (OutPort& x : xs) x = b.squeeze(x, {last});
    return function(initial, xs);
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaReduce;
MO_DEFINE_TRANSFORM(DecomposeXlaReduce)
}  // namespace mo
