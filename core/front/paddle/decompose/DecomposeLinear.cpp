// Before: y = Linear(start, stop, count) {dtype}
// After:  y = the numbers, if all inputs are known and they are few
//         of a known count y = start + (0 … 1) * (stop - start)
//         else y = LinSpace(start, stop, count); integers are rounded towards 0, so they are computed as integers
// Conditions: none.

#include <cstring>

#include "core/decompose/control/nested.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/math/formula.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLinear final : public Decomposition {
 public:
  Names ops() const override { return {"Linear"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const ElementType type = node.get_type("dtype");
    const OutPort start = node.source(0), stop = node.source(1), count = node.source(2);
    const auto from = known_number(b, start), to = known_number(b, stop), many = known_number(b, count);
    constexpr double kMost = 4096;
    if (from && to && many && *many >= 1 && *many <= kMost)
      return {b.constant(numbers(type, *from, *to, static_cast<int64_t>(*many)))};
    const auto scalar = [&](OutPort x, ElementType of) { return to_scalar(b, b.convert(x, of)); };
    const bool reals = is_float(type);
    if (reals && many && *many >= 1 && *many <= kMost) {
      const OutPort first = b.convert(start, type), length = b.op("Sub", {b.convert(stop, type), first});
      const OutPort parts = b.constant(numbers(type, 0, 1, static_cast<int64_t>(*many)));
      return {b.op("Add", {first, b.op("Mul", {parts, length})})};
    }
    const ElementType of = reals ? type : ElementType::I64;
    const OutPort first = scalar(start, of), last = scalar(stop, of), n = scalar(count, ElementType::I64);
    if (reals) return decomposed(b, "LinSpace", {first, last, n}, {});
    return evaluate(b, node,
                    "g=Maximum(Sub(z,1),1);a=Add(Mul(x,g),Mul(Range(<0>,z,<1>),Sub(y,x)));"
                    "Typed(Mul(Sign(a),Div(Abs(a),g)))",
                    {first, last, n});
  }

 private:
  /// Counted from the nearer end.
  static Constant numbers(ElementType type, double from, double to, int64_t count) {
    std::vector<double> all;
    const double step = count > 1 ? (to - from) / static_cast<double>(count - 1) : 0;
    for (int64_t i = 0; i < count; ++i)
      all.push_back(i < count / 2 || count == 1 ? from + step * static_cast<double>(i)
                                                : to - step * static_cast<double>(count - i - 1));
    std::vector<std::byte> bytes(all.size() * sizeof(double));
    std::memcpy(bytes.data(), all.data(), bytes.size());
    return convert(owned(ElementType::F64, {count}, std::move(bytes)), type);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLinear)
}  // namespace mo
