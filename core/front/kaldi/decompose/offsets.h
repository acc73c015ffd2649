// Frames at other times.
#pragma once

#include "core/build/builder.h"

namespace mo::kaldi {

/// The largest number of frames that one operation reads.
inline constexpr int64_t kMostOffsets = 1 << 16;

/// x, t frames later than now; with `optional` 0 where Kaldi cannot compute it.
OutPort at_offset(Builder& b, OutPort x, int64_t t, bool optional = false);

/// From this number of frames on a window is taken to have no end: nobody waits for so many frames, or keeps them.
inline constexpr int64_t kUnbounded = 2000;
/// The sum of x [1, dim] over the frames from `left` frames ago to `right` frames ahead, every `step` one of them, of
/// those that can be computed. With a window without an end, over all from the first one to now.
OutPort sum_of_frames(Builder& b, OutPort x, int64_t left, int64_t right, int64_t step, int64_t dim);

}  // namespace mo::kaldi
