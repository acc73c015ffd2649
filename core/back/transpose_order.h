// Orders of Transposes.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// The order of a Transpose if it is a constant; an empty list, which reverses the dimensions, is written out. nullopt
/// for other nodes, and for orders that are no permutation.
std::optional<Ints> transpose_order(const Node& node);
bool is_identity(const Ints& order);
/// The order that undoes `order`.
Ints inverse_order(const Ints& order);
/// Whether a Transpose with this order moves only dimensions of 1, so that the elements of a tensor keep theirs.
bool keeps_elements(const PartialShape& shape, const Ints& order);
/// Whether the order swaps the last two axes and nothing else: products can do that themselves.
bool swaps_rows_and_columns(const Ints& order);
/// The order of one Transpose instead of two, of which `first` comes first.
Ints joined_orders(const Ints& first, const Ints& second);

}  // namespace mo
