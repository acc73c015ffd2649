// Sequences of tensors that may differ in shape, as two tensors.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

/// The elements one after another, flat, each with `axis` first; and their shapes, [n, rank].
struct Packed {
  OutPort data, shapes;
  int64_t axis = 0;      ///< not negative
  PartialShape element;  ///< what all elements have in common; its rank is known
};

/// A PackedSequence node.
OutPort make_sequence(Builder& b, const Packed& packed);
/// The tensors of a PackedSequence node, as `data` and `shapes` in the graph of their reader.
Packed packed_of(const Node& node, OutPort data, OutPort shapes);

/// The data with axis `from` moved to `to`. Throws UnsupportedForm if its rank is unknown.
OutPort with_axis_moved(Builder& b, OutPort data, int64_t from, int64_t to);

/// One element as the packed data has it, flat.
OutPort flat_element(Builder& b, OutPort element, int64_t axis);
/// The element at `index`, a scalar; negative ones count from the end.
OutPort packed_element(Builder& b, const Packed& packed, OutPort index);
/// All elements, joined along `axis`. Throws UnsupportedForm if they are packed for another axis.
OutPort joined(Builder& b, const Packed& packed, int64_t axis);
/// All elements, which have the same shape in a model that is right, along a new axis 0.
OutPort stacked(Builder& b, const Packed& packed);

}  // namespace mo::onnx
