// Transpose (opset1): data, order [rank]; an empty order reverses the dimensions.

#include <numeric>

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_transpose(InferContext& c) {
  const PartialShape& shape = c.shape(0);
  auto order = c.exact_ints(1);
  if (!shape.has_rank()) {
    const bool known = order && !order->empty();
    return c.set(0, known ? PartialShape::of_rank(order->size()) : PartialShape(), c.type(0));
  }
  const size_t rank = shape.dimensions().size();
  if (!order) return c.set(0, PartialShape::of_rank(rank), c.type(0));
  if (order->empty()) {
    order->resize(rank);
    std::iota(order->rbegin(), order->rend(), 0);
  }
  if (order->size() != rank)
    c.fail(Code::ShapeMismatch, msg("an order of ", order->size(), " axes for ", rank, " dimensions"));
  std::vector<Dimension> out;
  std::vector<char> seen(rank, 0);
  for (const int64_t axis : *order) {
    const size_t from = axis_of(c, axis, static_cast<int>(rank));
    if (axis < 0 || seen[from]++) c.fail(Code::BadValue, "the order is not a permutation");
    out.push_back(shape[from]);
  }
  c.set(0, out, c.type(0));
  if (const Constant* value = c.value(0)) return set_recipe(c, 0, [&] { return transpose(*value, *order); });
  arrange_known(c, 0, [&] {
    const std::vector<uint64_t> strides = strides_of(shape.to_shape());
    Offsets offsets(rank);
    for (size_t i = 0; i < rank; ++i)
      for (int64_t k = 0; k < out[i].min; ++k)
        offsets[i].push_back(static_cast<uint64_t>(k) * strides[static_cast<size_t>((*order)[i])]);
    return offsets;
  });
}

constexpr OpDef kTransposeDefs[] = {
    {.op = "Transpose",
     .type = "Transpose",
     .version = "opset1",
     .infer = infer_transpose,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Order, .input = 1}}}},
};

}  // namespace

OpFamily ops_Transpose() { return kTransposeDefs; }

}  // namespace mo
