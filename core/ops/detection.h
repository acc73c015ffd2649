// What operations on boxes share.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// Dimension `axis` of input `i`; any if its rank is unknown.
Dimension dimension_of(const InferContext& c, int i, size_t axis);
/// The intersection of both. Throws ShapeMismatch with `what` if it is empty.
Dimension agree(const InferContext& c, Dimension a, Dimension b, const Detail& what);
/// An attribute that counts or measures. Throws BadAttribute unless `least` <= value < 2^31.
int64_t count_of(const InferContext& c, const char* attribute, int64_t least);
/// Requires a rank of 2 of input `i`, and `columns` columns.
void require_columns(const InferContext& c, int i, Dimension columns);

}  // namespace mo
