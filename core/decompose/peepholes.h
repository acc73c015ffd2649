// LSTM with peepholes: its gates use the cell state. IR's LSTMSequence has none, so it is a TensorIterator.
#pragma once

#include "core/build/builder.h"

namespace mo {

/// One direction of an LSTM, gates in the order f i c o.
struct PeepholeLstm {
  OutPort x;             ///< [batch, time, input]
  OutPort hidden, cell;  ///< states before the first step, [batch, H]
  OutPort w, r, bias;    ///< [4 * H, input], [4 * H, H], [4 * H]
  OutPort peepholes;     ///< [3 * H]: of i, o, f
  OutPort lengths;       ///< steps of each sequence, [batch]; empty when all have the full length
  Strings activations;   ///< of the gates, the candidate, the output: sigmoid, tanh or relu
  double clip = 0;       ///< limit of the activations' inputs; 0 for none
  bool reverse = false;
};
/// Returns all hidden states [batch, time, H], the last one and the last cell state, both [batch, H].
std::vector<OutPort> peephole_lstm(Builder& b, const PeepholeLstm& lstm);

}  // namespace mo
