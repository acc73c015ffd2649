// The layout of a model, from its extracted operations.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// A framework with channels last need not have them there: a model stays in the framework's layout if one of its
/// convolutions over two axes and more has its channels last. Any other model is in NCHW, and nothing moves. Bodies
/// count. Cutting may have taken the convolutions away: where something is cut off, any spatial operation is enough.
void settle_layout(Graph& graph, bool is_cut = false);

}  // namespace mo
