// Parts of Fourier transforms.
#pragma once

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {

/// A length that the program knows, or that the graph computes as a scalar of i64. -1: not given.
struct Length {
  int64_t known = -1;
  OutPort computed = {};
};
/// The first `length` elements along the axis, with zeros behind x if it has fewer. `rank` counts the dimension of
/// pairs, too; `size` is what x has, -1 if that is not known. Throws BadAttribute for a length below 1.
OutPort fitted(Builder& b, OutPort x, ElementType type, int64_t rank, int64_t axis, int64_t size, const Length& length);

}  // namespace mo::pytorch
