// What the nodes that restore a checkpoint read from it.
#pragma once

#include <optional>
#include <string>

#include "core/graph/graph.h"

namespace mo::tf {

/// What RestoreV2 (prefix, names, slices) reads for one of its outputs, or Restore and RestoreSlice (prefix, name,
/// slice) for their only one.
struct Restored {
  std::string key;
  std::string
      slice;  ///< "6 4 0,2:-": of a tensor [6, 4] elements 0 and 1 of dimension 0, and all of dimension 1; or ""
};

/// Nullopt for a tensor that no such node reads.
std::optional<Restored> restored_by(OutPort port);

}  // namespace mo::tf
