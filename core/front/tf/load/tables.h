// Tables of numbers, which initialisers of the graph or a checkpoint fill.
#pragma once

#include "core/front/tf/load/checkpoint.h"
#include "core/graph/graph.h"

namespace mo::tf {

/// Each operation that looks into a table (LookupTableFindV2, LookupTableSizeV2) gets the attributes `keys_tensor` and
/// `values_tensor`, and no longer reads the table, if exactly one operation fills the table (LookupTableImportV2,
/// InitializeTableV2), with constants or with what is restored from the checkpoint. Else it stays as it is. In any case
/// `table` becomes the table's name, if that is known, and `is_dense` says that it is a dense one. To be called while
/// the graph still has what no output needs. What of the checkpoint cannot be read goes to the diagnostics, as in
/// freeze_variables().
void freeze_tables(Graph& graph, Checkpoint* checkpoint, Diagnostics& diagnostics);

}  // namespace mo::tf
