// Places of windows in an operand, for XLA's gather and scatter.
#pragma once

#include "core/front/tf/decompose/xla.h"

namespace mo::xla {

/// Axes of an operand whose windows begin at places that indices give.
struct Places {
  Ints axes;       ///< of the operand: those that indices are for, then those of a batch, then others
  Ints sizes;      ///< of the windows
  OutPort starts;  ///< [batch…, one for each of the axes]
  size_t batch_rank = 0;
};

/// The indices as [batch…, numbers]: `index_vector_dim` is the last one.
OutPort with_numbers_last(Builder& b, OutPort indices, int64_t index_vector_dim, size_t rank);

/// Behind the starts of `mapped` axes come those of batching ones, which count along a dimension of the indices, and
/// zeros for others. `indices` are [batch…, numbers]; `batch_dims` are those of the indices as given, before their
/// numbers became last.
OutPort all_starts(Builder& b, OutPort indices, const Ints& batch_dims, size_t others);

/// The places of all elements of the windows: [batch…, the sizes of windows of several elements…, one for each axis].
OutPort places_in_windows(Builder& b, const Places& places);

}  // namespace mo::xla
