#include "core/decompose/shaping/shaping.h"
#include "core/front/onnx/decompose/sequence.h"

namespace mo::onnx {
namespace {

/// All slices along axis 0 of a tensor, without that axis.
OutPort as_rows(Builder& b, const Slices& slices) {
  const OutPort moved = with_axis_moved(b, slices.data, slices.axis, 0);
  if (!slices.keep_dims) return moved;
  const auto axis = static_cast<int64_t>(normalize_axis(slices.axis, moved.tensor().shape.rank()));
  return b.unsqueeze(moved, {axis + 1});
}

PartialShape without_first(const PartialShape& shape) {
  const std::vector<Dimension>& all = shape.dimensions();
  return PartialShape(std::vector<Dimension>(all.begin() + 1, all.end()));
}

Packed packed_rows(Builder& b, OutPort rows, int64_t axis) {
  const PartialShape common = without_first(rows.tensor().shape);
  const int64_t rank = common.rank();
  const OutPort shape = b.shape_of(rows);
  const OutPort element = b.op("Slice", {shape, b.i64({1}), b.i64({rank + 1}), b.i64({1}), b.i64({0})});
  const OutPort wanted = b.concat({b.gather(shape, b.i64({0}), 0), b.i64({rank})}, 0);
  const OutPort flat = b.reshape(axis == 0 ? rows : with_axis_moved(b, rows, axis + 1, 1), {-1}, false);
  return {flat, b.op("Broadcast", {element, wanted}, {{"mode", "numpy"}}), axis, common};
}

Packed packed_elements(Builder& b, const std::vector<OutPort>& elements, int64_t axis) {
  std::vector<OutPort> flat, shapes;
  PartialShape common = elements[0].tensor().shape;
  for (const OutPort& element : elements) {
    const PartialShape& shape = element.tensor().shape;
    if (!shape.has_rank() || shape.rank() != common.rank() || axis >= shape.rank())
      throw Error(Code::UnsupportedForm, msg("a sequence of [", to_string(common), "] and [", to_string(shape), "]"));
    common = unite(common, shape);
    flat.push_back(flat_element(b, element, axis));
    const OutPort sizes = b.shape_of(element);
    shapes.push_back(b.unsqueeze(sizes, {0}));
  }
  return {b.concat(flat, 0), b.concat(shapes, 0), axis, common};
}

Packed packed_view(Builder& b, const SequenceView& view, int64_t axis) {
  if (view.packed()) return *view.packed();
  return view.is_sliced() ? packed_rows(b, as_rows(b, view.slices()), axis) : packed_elements(b, view.elements(), axis);
}

bool have_one_shape(const std::vector<OutPort>& elements, const PartialShape& shape) {
  for (const OutPort& element : elements)
    if (!(element.tensor().shape == shape)) return false;
  return shape.is_static();
}

}  // namespace

OutPort joined_sequences(Builder& b, Node& node) {
  const SequenceView first(b, node, 0), second(b, node, 1);
  if (!first.is_sliced() && !first.packed()) {
    const std::vector<OutPort> elements = first.elements();
    if (elements.empty()) return node.source(1);
    if (second.is_sliced()) {
      const OutPort rows = as_rows(b, second.slices());
      if (have_one_shape(elements, without_first(rows.tensor().shape)))
        return make_sequence(b, Slices{b.concat({first.slices().data, rows}, 0), 0, false});
    }
  }
  const int64_t axis = second.packed()
                           ? second.packed()->axis
                           : axis_of_readers(node.out(0), as_rows(b, second.slices()).tensor().shape.rank() - 1);
  const Packed one = packed_view(b, first, axis), other = packed_view(b, second, axis);
  if (one.axis != other.axis || one.element.rank() != other.element.rank())
    throw Error(Code::UnsupportedForm,
                msg("a sequence of [", to_string(one.element), "] and [", to_string(other.element), "]"));
  const OutPort data = b.concat({one.data, other.data}, 0), shapes = b.concat({one.shapes, other.shapes}, 0);
  return make_sequence(b, Packed{data, shapes, axis, unite(one.element, other.element)});
}

}  // namespace mo::onnx
