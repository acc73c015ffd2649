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

/// Whether `node` computes element by element of several tensors, which are broadcast.
bool is_elementwise(const Node& node);

/// Whether an element-wise operation of this tensor and another one that is not constant reads here.
bool joins_tensors(const InPort& reader);

/// At which of its inputs the one tensor of such a node is, if it has constants besides.
int data_input(const Node& node);

/// Whether a constant of such a node, beside the tensor of rank `rank` at `data`, has several numbers along `axis`.
bool varies_along(const Node& node, int data, int axis, int rank);

/// Whether the node gives numbers another shape or order, and nothing else.
bool moves_numbers(const Node& node);

/// The FakeQuantize that gives the tensor, directly or before a few operations that dequantise it or move numbers; null
/// if there is none.
const Node* quantisation_of(OutPort port);

/// The input that alone reads `port`; an empty port if there are several readers or none.
InPort only_reader(OutPort port);

}  // namespace mo
