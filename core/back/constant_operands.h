// Constants that a runtime joins with the operation before them, by channel.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// Whether the value is known and cannot change.
bool is_constant(OutPort port);

/// The same, or computed from constants in at most `steps` steps, as compressed weights are.
bool is_made_of_constants(OutPort port, int steps = 8);

/// Whether `node` computes element by element, with constants besides its one tensor at input `data`. Joins follow a
/// chain of such nodes.
bool joins_constants(const Node& node, int data);

/// At which of its inputs the one tensor of such a node is, if it has constants besides.
int data_input(const Node& node);

/// Whether a constant of such a node, beside the tensor of rank `rank` at `data`, has several numbers along `axis`.
bool varies_along(const Node& node, int data, int axis, int rank);

/// Whether the node gives numbers another shape or order, and nothing else.
bool moves_numbers(const Node& node);

/// The input that alone reads `port`; an empty port if there are several readers or none.
InPort only_reader(OutPort port);

}  // namespace mo
