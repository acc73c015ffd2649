// Broadcast (opset3): data, target shape [n]; attribute mode: numpy (the result has the target shape) or bidirectional.
// Tile (opset1): data, repeats [n].

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

/// Repeats the data's elements: index i along a dimension of the result, aligned at the last, is index i modulo the
/// data's size.
void repeat_known(InferContext& c) {
  arrange_known(c, 0, [&] {
    const Shape data = c.shape(0).to_shape(), out = c.node().out().tensor().shape.to_shape();
    const std::vector<uint64_t> strides = strides_of(data);
    Offsets offsets;
    for (size_t i = 0; i < out.size(); ++i) {
      const size_t missing = out.size() - data.size();
      std::vector<uint64_t> list(static_cast<size_t>(out[i]), 0);
      if (i >= missing && data[i - missing] > 0)
        for (size_t k = 0; k < list.size(); ++k)
          list[k] = k % static_cast<uint64_t>(data[i - missing]) * strides[i - missing];
      offsets.push_back(std::move(list));
    }
    return offsets;
  });
}

void infer_broadcast(InferContext& c) {
  const PartialShape& data = c.shape(0);
  const auto target = shape_elements_of(c, 1);
  if (!target) return c.set(0, {}, c.type(0));
  std::vector<Dimension> wanted;
  for (const Interval& t : *target) {
    if (t.max < 0) c.fail(Code::BadValue, "a target dimension is negative");
    wanted.push_back(to_dimension(t));
  }
  const PartialShape both = broadcast(data, wanted);
  if (c.node().get_string("mode", "numpy") == "bidirectional") {
    c.set(0, both, c.type(0));
  } else {
    if (data.has_rank() && data.dimensions().size() > wanted.size())
      c.fail(Code::ShapeMismatch,
             msg("[", to_string(data), "] does not broadcast to [", to_string(PartialShape(wanted)), "]"));
    if (both.has_rank() && !intersect(PartialShape(wanted).elements(), both.elements()))
      c.fail(Code::ShapeMismatch,
             msg("[", to_string(data), "] does not broadcast to [", to_string(PartialShape(wanted)), "]"));
    c.set(0, wanted, c.type(0));
  }
  repeat_known(c);
}

void attributes_broadcast(const Node& n, IrAttributes& a) { a.add("mode", n.get_string("mode", "numpy")); }

void infer_tile(InferContext& c) {
  const PartialShape& data = c.shape(0);
  const auto repeats = shape_elements_of(c, 1);
  if (!data.has_rank() || !repeats) return c.set(0, {}, c.type(0));
  const size_t rank = std::max(data.dimensions().size(), repeats->size());
  std::vector<Dimension> out(rank, 1);
  std::copy(data.dimensions().rbegin(), data.dimensions().rend(), out.rbegin());
  for (size_t i = 0; i < repeats->size(); ++i) {
    const Interval repeat = (*repeats)[repeats->size() - 1 - i];
    if (repeat.max < 0) c.fail(Code::BadValue, "a number of repeats is negative");
    Dimension& d = out[rank - 1 - i];
    d = d * to_dimension(repeat);
  }
  c.set(0, out, c.type(0));
  repeat_known(c);
}

constexpr OpDef kBroadcastDefs[] = {
    {.op = "Broadcast",
     .type = "Broadcast",
     .version = "opset3",
     .infer = infer_broadcast,
     .ir_attributes = attributes_broadcast,
     .layout = {LayoutClass::Reshapes, {}}},
    {.op = "Tile",
     .type = "Tile",
     .version = "opset1",
     .infer = infer_tile,
     .layout = {LayoutClass::Follows, {{.kind = LayoutRule::Kind::Shape, .input = 1}}}},
};

}  // namespace

OpFamily ops_Broadcast() { return kBroadcastDefs; }

}  // namespace mo
