// The attributes of a spatial operation whose data has its channels last.
#pragma once

#include "core/build/builder.h"

namespace mo::test {

/// batch_dims, channel_dims and spatial_dims of NHWC data of `rank` dimensions, and `more`.
inline Attributes channels_last(size_t rank, NewAttributes more = {}) {
  Attributes out{{"batch_dims", Ints{0}}, {"channel_dims", Ints{static_cast<int64_t>(rank) - 1}}};
  Ints spatial;
  for (int64_t axis = 1; axis + 1 < static_cast<int64_t>(rank); ++axis) spatial.push_back(axis);
  out.set("spatial_dims", spatial);
  out.update(more);
  return out;
}

}  // namespace mo::test
