// Gather (opset1; opset7 with batch_dims; opset8 if an index may be negative): data, indices, axis (a scalar). The
// first batch_dims dimensions of data and indices are the same.

#include <algorithm>

#include "core/ops/known.h"

namespace mo {
namespace {

/// [data before the axis, indices after the batch, data after the axis]
PartialShape gather_shape(const InferContext& c, size_t axis, size_t batch) {
  const PartialShape &data = c.shape(0), &indices = c.shape(1);
  std::vector<Dimension> out(data.dimensions().begin(), data.dimensions().begin() + static_cast<std::ptrdiff_t>(axis));
  for (size_t i = 0; i < batch; ++i) {
    const auto both = intersect(data[i], indices[i]);
    if (!both)
      c.fail(Code::ShapeMismatch,
             msg("batch dimension ", i, ": [", to_string(data), "] and [", to_string(indices), "]"));
    out[i] = *both;
  }
  out.insert(out.end(), indices.dimensions().begin() + static_cast<std::ptrdiff_t>(batch), indices.dimensions().end());
  out.insert(out.end(), data.dimensions().begin() + static_cast<std::ptrdiff_t>(axis) + 1, data.dimensions().end());
  return out;
}

/// The dimensions of the indices are adjacent in the result and count as one.
void gather_known(InferContext& c, size_t axis) {
  const auto indices = c.exact_ints(1);
  if (!indices || !c.shape(0).is_static()) return;
  const Shape data = c.shape(0).to_shape();
  const int64_t size = data[axis];
  std::vector<int64_t> rows;
  for (const int64_t i : *indices) {
    if (i < -size || i >= size) c.fail(Code::BadValue, msg("index ", i, " into a dimension of ", size));
    rows.push_back(i < 0 ? i + size : i);
  }
  const Constant* value = c.value(0);
  if (value && value->content->size() > Model::kFoldOne) {
    // Of a large constant, only one contiguous slice is taken.
    if (rows.size() != 1) return;
    const Shape shape = c.node().out().tensor().shape.to_shape();
    return set_recipe(c, 0, [&] { return reshape(slice(*value, axis, rows[0], rows[0] + 1), shape); });
  }
  arrange_known(c, 0, [&] {
    const std::vector<uint64_t> strides = strides_of(data);
    Offsets offsets;
    for (size_t i = 0; i < data.size(); ++i) {
      std::vector<uint64_t> list;
      if (i == axis) {
        for (const int64_t p : rows) list.push_back(static_cast<uint64_t>(p) * strides[i]);
      } else {
        for (int64_t k = 0; k < data[i]; ++k) list.push_back(static_cast<uint64_t>(k) * strides[i]);
      }
      offsets.push_back(std::move(list));
    }
    return offsets;
  });
}

void infer_gather(InferContext& c) {
  const PartialShape &data = c.shape(0), &indices = c.shape(1);
  if (!data.has_rank() || !indices.has_rank()) return c.set(0, {}, c.type(0));
  int64_t batch = c.node().get_int("batch_dims");
  if (batch < 0) batch += indices.rank();
  if (batch < 0 || batch > indices.rank() || (batch > 0 && batch >= data.rank()))
    c.fail(Code::BadAttribute, msg("batch_dims is ", c.node().get_int("batch_dims")));
  const auto given = c.exact_int(2);
  if (!given)
    return c.set(0, PartialShape::of_rank(static_cast<size_t>(data.rank() - 1 + indices.rank() - batch)), c.type(0));
  const size_t axis = axis_of(c, *given, data.rank());
  if (axis < static_cast<size_t>(batch)) c.fail(Code::BadValue, msg("axis ", axis, " lies in the batch"));
  c.set(0, gather_shape(c, axis, static_cast<size_t>(batch)), c.type(0));
  if (batch == 0) gather_known(c, axis);
}

std::string_view version_gather(const Node& n) {
  const OutPort indices = n.source(1);
  const Boxed<IntTensor> known = indices ? indices.tensor().ints : Boxed<IntTensor>();
  const bool counted =
      known && std::all_of(known->elements.begin(), known->elements.end(), [](Interval i) { return i.min >= 0; });
  if (!counted && !(indices && indices.tensor().type != ElementType::Unknown && !is_signed(indices.tensor().type)))
    return "opset8";
  return n.get_int("batch_dims") == 0 ? "opset1" : "opset7";
}

void attributes_gather(const Node& n, IrAttributes& a) {
  if (version_gather(n) != "opset1") a.add("batch_dims", n.get_int("batch_dims"));
}

constexpr OpDef kGatherDefs[] = {
    {.op = "Gather",
     .type = "Gather",
     .version = "opset8",
     .infer = infer_gather,
     .ir_attributes = attributes_gather,
     .layout = {LayoutClass::Reshapes, {}},
     .version_of = version_gather},
};

}  // namespace

OpFamily ops_Gather() { return kGatherDefs; }

}  // namespace mo
