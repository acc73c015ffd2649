// Stretches of an axis, begin:end:step, in the sense of Slice and StridedSlice.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// The part that a slice takes of one dimension. A negative begin or end counts from the end; both are clamped to the
/// dimension.
struct Stretch {
  Interval begin, end, step = 1;
  bool from_first = false, to_last = false;  ///< no begin, no end given

  static Stretch whole() { return {{}, {}, 1, true, true}; }
  /// The number of elements. Throws BadValue for a step of 0.
  Dimension length(Dimension dimension) const;
  /// The index of the first element, if known.
  std::optional<int64_t> first(Dimension dimension) const;
};

/// Output 0 has the elements of input 0 that the stretches select, one stretch for each dimension.
void slice_known(InferContext& c, const std::vector<Stretch>& stretches);

}  // namespace mo
