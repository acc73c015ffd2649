// NonZero (opset3): the positions of non-zero elements, [rank, count]; attribute output_type.
// Unique (opset10): data [, axis]; attributes sorted, index_element_type, count_element_type. Outputs: the unique
// elements or slices, the first position of each, the index of each input element among them, and their counts.

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_non_zero(InferContext& c) {
  require_inputs(c, 1);
  const PartialShape& data = c.shape(0);
  const Dimension rank = data.has_rank() ? Dimension(data.rank()) : kAnyDimension;
  c.set(0, {rank, {0, data.elements().max}}, c.node().get_type("output_type", ElementType::I64));
  const Constant* value = c.value(0);
  // ONNX does not define the positions of a scalar.
  if (!value || value->type == ElementType::String || value->shape.empty()) return;
  const auto numbers = read_doubles(*value, c.files(), Tensor::kMaxInts);
  if (!numbers) return;
  const std::vector<uint64_t> strides = strides_of(value->shape);
  IntTensor positions{{data.rank(), 0}, {}};
  for (size_t axis = 0; axis < value->shape.size(); ++axis) {
    positions.shape[1] = 0;
    for (size_t i = 0; i < numbers->size(); ++i) {
      if ((*numbers)[i] == 0) continue;
      positions.elements.push_back(static_cast<int64_t>(i / strides[axis]) % value->shape[axis]);
      ++positions.shape[1];
    }
  }
  c.set(0, PartialShape(positions.shape), c.node().get_type("output_type", ElementType::I64));
  c.set_ints(0, std::move(positions));
}
void attributes_non_zero(const Node& n, IrAttributes& a) {
  a.add("output_type", n.get_type("output_type", ElementType::I64));
}

void infer_unique(InferContext& c) {
  const PartialShape& data = c.shape(0);
  const ElementType index = c.node().get_type("index_element_type", ElementType::I64);
  const ElementType count = c.node().get_type("count_element_type", ElementType::I64);
  const auto some_of = [](Dimension d) { return Dimension(std::min<int64_t>(d.min, 1), d.max); };
  PartialShape values;
  Dimension all = data.elements(), different = kAnyDimension;
  if (!c.has_in(1)) {
    different = some_of(all);
    values = {different};
  } else if (const auto axis = c.exact_int(1); axis && data.has_rank()) {
    const size_t at = axis_of(c, *axis, data.rank());
    values = data;
    all = data[at];
    different = values[at] = some_of(all);
  } else {
    all = kAnyDimension;
    if (data.has_rank()) values = PartialShape::of_rank(data.dimensions().size());
  }
  const PartialShape shapes[] = {values, {different}, {all}, {different}};
  const ElementType types[] = {c.type(0), index, index, count};
  for (int i = 0; i < c.node().out_count() && i < 4; ++i) c.set(i, shapes[i], types[i]);
}
void attributes_unique(const Node& n, IrAttributes& a) {
  a.add("sorted", n.get_bool("sorted", true));
  a.add("index_element_type", n.get_type("index_element_type", ElementType::I64));
  a.add("count_element_type", n.get_type("count_element_type", ElementType::I64));
}

constexpr OpDef kNonZeroDefs[] = {
    {.op = "NonZero",
     .type = "NonZero",
     .version = "opset3",
     .infer = infer_non_zero,
     .ir_attributes = attributes_non_zero,
     .layout = {LayoutClass::Reshapes, {}}},
    {.op = "Unique",
     .type = "Unique",
     .version = "opset10",
     .infer = infer_unique,
     .ir_attributes = attributes_unique,
     .layout = {LayoutClass::Reshapes, {}}},
};

}  // namespace

OpFamily ops_NonZero() { return kNonZeroDefs; }

}  // namespace mo
