// Before: y = XlaDot(lhs, rhs) {lhs_contracting_dimensions, lhs_batch_dimensions…}: the product over any axes of both
// After:  y = MatMul(lhs, rhs), with Transposes and Reshapes where the axes are in another order or several of a kind:
//         y has the batch axes, those of lhs and those of rhs that are left
// Conditions: both ranks are known.

#include "core/front/tf/decompose/xla.h"
#include "core/rewrite/transform.h"

namespace mo::xla {
namespace {

struct Factor {
  OutPort x;
  Ints batch, contracting, free;
};

class DecomposeXlaDot final : public Decomposition {
 public:
  Names ops() const override { return {"XlaDot"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    Factor lhs = factor_of(node, 0, "lhs_batch_dimensions", "lhs_contracting_dimensions");
    Factor rhs = factor_of(node, 1, "rhs_batch_dimensions", "rhs_contracting_dimensions");
    if (lhs.batch.size() != rhs.batch.size() || lhs.contracting.size() != rhs.contracting.size())
      throw Error(Code::BadAttribute, "different numbers of axes on both sides");
    const ElementType own = lhs.x.tensor().type, type = node.get_type("result_type", own);
    const bool widens = bits(type) >= bits(own);
    if (widens) lhs.x = b.convert(lhs.x, type), rhs.x = b.convert(rhs.x, type);

    // Without batch axes MatMul takes any number of axes on the left.
    const bool joins = !lhs.batch.empty() || lhs.free.empty();
    std::vector<std::vector<Size>> shape = sizes(lhs.x, lhs.batch), result = shape;
    if (joins)
      shape.push_back(product(lhs.x, lhs.free));
    else
      for (const auto& size : sizes(lhs.x, lhs.free)) shape.push_back(size);
    shape.push_back(product(lhs.x, lhs.contracting));
    const bool is_joined = (joins && lhs.free.size() != 1) || lhs.contracting.size() != 1;
    OutPort left = in_order(b, lhs.x, joined_lists(lhs.batch, lhs.free, lhs.contracting));
    if (is_joined) left = reshaped_to(b, left, shape);

    // The axes of rhs in their own order give either factor.
    const bool turned = joined_lists(rhs.batch, rhs.free, rhs.contracting) == counted_axes(rank_of(node, 1));
    const Ints& first = turned ? rhs.free : rhs.contracting;
    const Ints& second = turned ? rhs.contracting : rhs.free;
    OutPort right = in_order(b, rhs.x, joined_lists(rhs.batch, first, second));
    if (first.size() != 1 || second.size() != 1) {
      std::vector<std::vector<Size>> matrices = sizes(rhs.x, rhs.batch);
      matrices.push_back(product(rhs.x, first));
      matrices.push_back(product(rhs.x, second));
      right = reshaped_to(b, right, matrices);
    }

    OutPort y = b.matmul({left, right}, turned);
    if (joins && lhs.free.size() <= 1 && rhs.free.size() <= 1) {
      const auto batch = static_cast<int64_t>(lhs.batch.size());
      Ints gone;
      if (lhs.free.empty()) gone.push_back(batch);
      if (rhs.free.empty()) gone.push_back(batch + 1);
      if (!gone.empty()) y = b.squeeze(y, gone);
    } else if ((joins && lhs.free.size() != 1) || rhs.free.size() != 1) {
      for (const auto& size : sizes(lhs.x, lhs.free)) result.push_back(size);
      for (const auto& size : sizes(rhs.x, rhs.free)) result.push_back(size);
      y = reshaped_to(b, y, result);
    }
    return {widens ? y : b.convert(y, type)};
  }

 private:
  static Factor factor_of(const Node& node, int input, const char* batch, const char* contracting) {
    const size_t rank = rank_of(node, input);
    Factor out{node.source(input), axes_of(node, batch, rank), axes_of(node, contracting, rank), {}};
    for (const int64_t axis : out.batch)
      if (has_axis(out.contracting, axis))
        throw Error(Code::BadAttribute, msg(batch, " and ", contracting, " overlap"));
    out.free = other_axes(rank, {&out.batch, &out.contracting});
    return out;
  }

  static Ints joined_lists(Ints list, const Ints& second, const Ints& third) {
    list.insert(list.end(), second.begin(), second.end());
    list.insert(list.end(), third.begin(), third.end());
    return list;
  }

  static std::vector<Size> product(OutPort x, const Ints& axes) {
    std::vector<Size> out;
    for (const int64_t axis : axes) out.push_back({x, axis});
    return out;
  }
  static std::vector<std::vector<Size>> sizes(OutPort x, const Ints& axes) {
    std::vector<std::vector<Size>> out;
    for (const int64_t axis : axes) out.push_back({{x, axis}});
    return out;
  }
};

}  // namespace
}  // namespace mo::xla

namespace mo {
using xla::DecomposeXlaDot;
MO_DEFINE_TRANSFORM(DecomposeXlaDot)
}  // namespace mo
