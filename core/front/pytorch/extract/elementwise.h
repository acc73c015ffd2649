// Functions of two elements, for extractors.
#pragma once

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {

/// The node becomes op(a, b), computed in that type, as the type of the result. `a` and `b` name arguments.
void compute(Node& node, const char* op, std::string_view a, std::string_view b, ElementType type,
             Attributes attributes = {});
/// A number as that type.
inline OutPort number_as(Builder& b, ElementType type, double value) { return b.constant(make_scalar(type, value)); }

}  // namespace mo::pytorch
