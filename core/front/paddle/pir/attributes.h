// Types and attributes of PIR, as ProgramDesc has them.
#pragma once

#include "core/base/json/json_values.h"
#include "core/front/paddle/pir/text.h"

namespace mo::paddle::pir {

/// For errors about a value. Those that these functions throw have line and column, and no file.
Error broken(Code code, const JsonValue& at, const Detail& what);

/// Throws CorruptFile.
Value read_value(const JsonValue& value);
/// The number of an element type in ProgramDesc: "float32" as attributes name it, "f32" as types do. -1 if it is
/// unknown.
int64_t type_number(std::string_view name);
/// Nothing for what says nothing of a result, such as places. Throws BadAttribute, and CorruptFile for no attribute.
Attribute read_attribute(const JsonValue& attribute);
/// The list of them.
Attributes read_attributes(const JsonValue& list);
/// "pd_op.conv2d" of "1.conv2d"; "builtin.parameter" of "p".
std::string full_name(std::string_view name);
/// Throws CorruptFile, BadAttribute.
Operation read_operation(const JsonValue& value);

}  // namespace mo::paddle::pir
