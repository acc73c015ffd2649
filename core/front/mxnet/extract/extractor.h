// From MXNet's operators to Model Optimizer's operations: the table operators.def and the functions named in it.
//
// A node has the inputs and outputs of its operator by position, and the attributes of the file under their names. All
// are texts, and only those are there that the user gave: functions read them by their type and know the defaults.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/build/builder.h"
#include "core/front/common/become.h"
#include "core/front/common/operators.h"

namespace mo::mxnet {

/// The rows of operators.def.
const Operators& operators();
/// Makes the attributes that a row MXNET_SAME names typed, by its defaults; others are gone. LoadedModel::prepare()
/// calls it for each node.
void read_attributes(Node& node);

// Attributes. A text None, and an empty one, is the same as none. Those of the wrong kind throw BadAttribute.
bool is_given(const Node& node, std::string_view key);
std::string text_of(const Node& node, std::string_view key, std::string_view otherwise = {});
/// The text, which is one of these. Throws BadAttribute.
std::string choice_of(const Node& node, std::string_view key, std::string_view otherwise,
                      std::initializer_list<std::string_view> choices);
/// True, False, 1, 0, in letters of either case.
bool bool_of(const Node& node, std::string_view key, bool otherwise = false);
int64_t int_of(const Node& node, std::string_view key, int64_t otherwise = 0);
/// The same of an attribute that has to be there. Throws MissingAttribute.
int64_t required_int(const Node& node, std::string_view key);
/// A number between these. Throws BadAttribute.
int64_t limited_int(const Node& node, std::string_view key, int64_t otherwise, int64_t least, int64_t most = INT32_MAX);
double float_of(const Node& node, std::string_view key, double otherwise = 0);
/// A tuple, "(3, 3)", "[3,3]", "(3L,)", "3", "()".
Ints ints_of(const Node& node, std::string_view key, const Ints& otherwise = {});
Doubles floats_of(const Node& node, std::string_view key, const Doubles& otherwise = {});
/// A tuple whose elements may be None.
std::vector<std::optional<int64_t>> optional_ints_of(const Node& node, std::string_view key);
/// A type by its name, "float32", or by MXNet's number. Throws UnsupportedType.
ElementType type_of(const Node& node, std::string_view key, ElementType otherwise = ElementType::Unknown);
/// A type by MXNet's number; Unknown for others.
ElementType type_of_number(int64_t number);

// Ports.
/// Input `index`. Throws MissingInput.
OutPort required(const Node& node, int index);
/// All inputs, none of which may be missing; at least `least`.
std::vector<OutPort> all_inputs(const Node& node, int least = 1);

using numbered::become;
using numbered::give;

}  // namespace mo::mxnet
