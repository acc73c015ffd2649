// What a variable says of itself: shape and type, as texts.
#pragma once

#include "core/base/element_type.h"
#include "core/base/shape.h"
#include "core/front/mxnet/load/symbol.h"
#include "core/graph/node.h"

namespace mo::mxnet {

/// `__shape__`, in which 0 and -1 are open. Of unknown rank without it.
PartialShape shape_of_variable(const SymbolNode& variable);
PartialShape open_shape(const std::vector<int64_t>& sizes);
/// `__dtype__`, else f32.
ElementType type_of_variable(const SymbolNode& variable);

/// Whether the node is a network that was fused into one, with the numbers of the network: not a quantised one.
bool is_fused(const SymbolNode& node);
/// A node that is a fused network of others, as programs of quantisation make it, has their operators in the attribute
/// "parts", and the attributes of part i as "i.key".
void add_parts(Node& node, const SymbolNode& from);

}  // namespace mo::mxnet
