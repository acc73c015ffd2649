// Attributes, shapes and tensors as they cross: the records of wasm/extension/core/core-table.ts.
#pragma once

#include "wasm/cpp/extension_state.h"

namespace mo::js {

/// [kind, value].
val to_record(const Attribute& attribute);
/// Throws BadValue for what is no record. `before`, the value that is replaced, decides where a record leaves the
/// choice (a list of integers may stand for one of floats, a text for an element type).
Attribute to_attribute(const val& record, const Attribute* before);

/// Lower and upper bounds in turn, -1 for none; null for an unknown rank.
val to_bounds(const PartialShape& shape);
PartialShape to_shape(const val& bounds);

/// [type, shape, {constant}] or [type, shape, {elements}]; null when nothing of the value is known.
val value_record(const Tensor& tensor);
/// Sets shape, type and value of output `output`, and of a Const the value that it stands for.
void set_value(Node& node, int output, const val& record);

/// Throws UnsupportedType.
ElementType to_type(const std::string& name);

}  // namespace mo::js
