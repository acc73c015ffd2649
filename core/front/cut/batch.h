// --batch
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// Sets the batch of all inputs: the axis N of their source_layout, and the first axis without one. An input whose
/// layout has no N is skipped with the warning BatchNotInLayout. Throws BadBatch if the first axis is no batch: there
/// is none, or it has another number than 0 or 1.
void set_batch(Graph& graph, int64_t batch);

}  // namespace mo
