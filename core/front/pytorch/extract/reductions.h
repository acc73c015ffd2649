// Reductions along axes, for extractors.
#pragma once

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {

/// The axes of an argument, counted from the front: all if it has none. Throws BadAttribute.
Ints reduced_axes(const Node& node, int64_t rank, std::string_view argument = "dim");
/// x reduced along these axes; x without any.
OutPort reduced(Builder& b, const char* op, OutPort x, const Ints& axes, bool keep);
/// The p-norm along these axes, which may be infinite.
OutPort norm_along(Builder& b, OutPort x, double p, const Ints& axes, bool keep, ElementType type);

}  // namespace mo::pytorch
