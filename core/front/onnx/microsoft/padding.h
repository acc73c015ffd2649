// Masks of the attentions of com.microsoft, which say which keys are padding.
#pragma once

#include "core/build/builder.h"

namespace mo::onnx {

struct Padded {
  OutPort query, key;   ///< [batch, heads, length, size]
  OutPort past;         ///< number of keys before those of the queries, i64 [1]; may be empty
  bool starts = false;  ///< whether a mask of rank 1 may hold starts behind the ends
  double filter = 0;    ///< the number for padding
};

/// A bias for the scores: the filter for keys that are padding, 0 for the others. The mask is one of
///   [batch]                       the number of keys
///   [2 * batch]                   ends and starts of the keys
///   [3 * batch + 2]               numbers of keys, then places of packed queries and keys
///   [batch, S]                    not 0 for keys
///   [batch or 1, 1]               nothing: the result is empty
///   [batch, L, S]                 the same for each query
///   [batch, 1, longest, longest]  the same for each query of the longest sequence
/// If batch or length of a mask of rank 1 is not known, its form is found out at run time.
OutPort padding_bias(Builder& b, OutPort mask, const Padded& of);

}  // namespace mo::onnx
