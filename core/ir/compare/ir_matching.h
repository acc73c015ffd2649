// Which operation of one IR is which of another.
#pragma once

#include "core/ir/ir_net.h"

namespace mo {

/// Operations of A and B that belong together. Constants, and the Converts behind compressed ones, are not among them:
/// they are compared where they are read.
struct IrMatches {
  std::vector<uint32_t> b_of, a_of;  ///< IrNet::kNone if there is none
  uint64_t by_name = 0, by_structure = 0;

  bool has(IrNet::End a, IrNet::End b) const { return a && b && a.port == b.port && b_of[a.layer] == b.layer; }
};

/// `known` belong together. Others are matched by their names, by the names of their tensors, and by what they read and
/// who reads them. The type is the same, but where nothing else than a common name is left. Time grows with the size
/// of the graphs.
IrMatches match_layers(const IrNet& a, const IrNet& b, const std::vector<std::pair<uint32_t, uint32_t>>& known);

/// Whether B's operands are in the other order, which changes nothing: two inputs of a commutative operation.
bool is_turned(const IrNet& a, uint32_t in_a, const IrNet& b, uint32_t in_b, const IrMatches& matches);

}  // namespace mo
