// Stretches of an axis, begin:end:step, as Slice and StridedSlice mean them.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// What a slice takes of one dimension. A begin or end below 0 counts from the end; both are cut at the dimension.
struct Stretch {
  Interval begin, end, step = 1;
  bool from_first = false, to_last = false;  ///< begin, end are not given

  static Stretch whole() { return {{}, {}, 1, true, true}; }
  /// The number of elements. Throws BadValue for a step of 0.
  Dimension length(Dimension dimension) const;
  /// The first element, when it is known.
  std::optional<int64_t> first(Dimension dimension) const;
};

/// Output 0 has the elements of input 0 that the stretches name, one for each of its dimensions.
void slice_known(InferContext& c, const std::vector<Stretch>& stretches);

}  // namespace mo
