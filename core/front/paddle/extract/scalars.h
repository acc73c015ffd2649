// Results without dimensions: before 2.5 they had one dimension.
#pragma once

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {

/// `port`, or with one dimension if it has none and the program declares the result so.
OutPort as_declared(Node& node, OutPort port);
/// become() for such results.
void become_declared(Node& node, const char* op, const std::vector<OutPort>& inputs, Attributes attributes = {});
/// int_list() in the type that its tensors have: an input of operations that take all integers.
OutPort integers(Node& node, std::string_view tensor, std::string_view list, std::string_view attribute);
/// A tensor of one element as a scalar, of that type unless it is Unknown.
OutPort scalar_of(Builder& b, OutPort x, ElementType type = ElementType::Unknown);
/// An axis that is an attribute, or a tensor in its place, as an integer scalar.
OutPort axis_of(Node& node, std::string_view tensor, std::string_view attribute, int64_t otherwise);
/// Numbers that an operator has in one of these attributes, in the order of the shape. Throws ShapeMismatch unless
/// there are as many.
Constant listed(const Node& node, std::initializer_list<std::string_view> attributes, ElementType type,
                const Ints& shape);

}  // namespace mo::paddle
