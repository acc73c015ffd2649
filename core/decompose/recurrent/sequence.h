// Layers that IR has a sequence, or a cell, for.
#pragma once

#include "core/decompose/recurrent/layer.h"

namespace mo {

/// RNNSequence, GRUSequence or LSTMSequence: batch first, gates in the order f i c o or z r c, the sum of the two
/// biases, zeros for absent states and biases, the whole time axis for absent lengths. If the directions have different
/// activations, each becomes a sequence of its own.
RecurrentOutputs recurrent_sequence(Builder& b, const RecurrentLayer& layer);
/// RNNCell, GRUCell or LSTMCell: the hidden and the cell state after one step of a layer that is not stacked and has
/// initial states; x is [batch, input].
CellStep recurrent_cell(Builder& b, const RecurrentLayer& layer);

}  // namespace mo
