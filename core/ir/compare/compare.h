// What differs between two IRs: operations, attributes, ports, constants and bodies.
#pragma once

#include <functional>

#include "core/ir/compare/ir_differences.h"
#include "core/ir/ir_net.h"
#include "core/ir/record.h"

namespace mo {

/// A place in the .bin, in bytes.
struct IrRange {
  uint64_t offset = 0, size = 0;
  auto operator<=>(const IrRange&) const = default;
};

struct IrComparing {
  /// Whether ranges of one size in the two .bin have the same bytes. Without it places are compared.
  std::function<bool(const IrRange& a, const IrRange& b)> same_bytes;
};

struct IrCompared {
  uint64_t operations_a = 0, operations_b = 0;  ///< without constants; bodies count
  uint64_t by_name = 0, by_structure = 0;       ///< operations that are in both: with one name, and with two
  uint64_t constants = 0;                       ///< pairs of constants that were compared
  IrDifferences differences;
};

/// Names of layers, and of the model, may differ. Time and memory grow with the size of the records. Throws what
/// `same_bytes` throws.
IrCompared compare(const IrGraph& a, const IrGraph& b, const IrComparing& how);

}  // namespace mo
