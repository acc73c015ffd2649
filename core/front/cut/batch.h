// --batch
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// Sets the batch of all inputs: the axis N of their source_layout, or the first axis of inputs without one. An input
/// whose layout has no N is skipped with the warning BatchNotInLayout. Throws BadBatch for a scalar, an unknown rank,
/// and, without a layout, a first axis with a fixed size above 1.
void set_batch(Graph& graph, int64_t batch);

}  // namespace mo
