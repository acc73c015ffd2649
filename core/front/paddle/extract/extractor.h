// From PaddlePaddle's operators to Model Optimizer's operations: the table operators.def and the functions named in it.
//
// A node has the inputs and outputs of all slots of its operator, in the order of the program; the functions ask for
// them by the names of slots.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "core/build/builder.h"
#include "core/front/common/operators.h"

namespace mo::paddle {

/// The rows of operators.def.
const Operators& operators();

/// The tensors in a slot, none if it is absent.
std::vector<OutPort> inputs(const Node& node, std::string_view slot);
/// The first tensor in a slot; empty if it is absent.
OutPort input(const Node& node, std::string_view slot);
/// The same. Throws MissingInput.
OutPort required(const Node& node, std::string_view slot);
/// Whether something reads an output in the slot.
bool is_read(Node& node, std::string_view slot);

/// The node becomes this op, with these inputs and attributes and no others; an empty port leaves an input free. Its
/// outputs are those in `slots`, in this order, all of a slot that has several. Throws UnsupportedForm if another
/// output is read.
void become(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes = {},
            std::initializer_list<std::string_view> slots = {"Out"});
/// The same for an operator that is several nodes: the outputs in these slots are these tensors.
void give(Node& node, std::initializer_list<std::pair<std::string_view, OutPort>> results);
/// The same for slots that have several outputs. One with fewer tensors than outputs that are read is an error.
void give_lists(Node& node, std::initializer_list<std::pair<std::string_view, std::vector<OutPort>>> results);

/// An attribute that names a type by Paddle's number. Throws UnsupportedType; MissingAttribute without `otherwise`.
ElementType type_of(const Node& node, std::string_view attribute, ElementType otherwise = ElementType::Unknown);
/// A list that may be an attribute of integers or one number.
Ints ints_of(const Node& node, std::string_view attribute, const Ints& otherwise = {});
/// An integer list: the tensor in `tensor`, or the tensors of one element in `list` joined, or the attribute or the
/// variables in its place, as 1-D i64. Empty if there is none of them.
OutPort int_list(Node& node, std::string_view tensor, std::string_view list, std::string_view attribute);

}  // namespace mo::paddle
