// Attributes, shapes and tensors as records of wasm/extension/core/core-table.ts.
#pragma once

#include "core/script/state.h"

namespace mo::js {

/// [kind, value].
val to_record(const Attribute& attribute);
/// Throws BadValue for an invalid record. If a record is ambiguous (integers may mean floats, a text an element type),
/// `before`, the replaced value, decides.
Attribute to_attribute(const val& record, const Attribute* before);
/// Throws BadValue unless the graph is a body that `node` can have: not one that has the node in it.
void require_body(const Node& node, const Attribute& value);

/// Alternating lower and upper bounds, -1 for none; null for an unknown rank.
val to_bounds(const PartialShape& shape);
PartialShape to_shape(const val& bounds);

/// [type, shape, {constant}] or [type, shape, {elements}]; null when the value is unknown.
val value_record(const Tensor& tensor);
/// Sets shape, type and value of output `output`, and the attribute of a Const.
void set_value(Node& node, int output, const val& record);

/// Throws UnsupportedType.
ElementType to_type(const std::string& name);

}  // namespace mo::js
