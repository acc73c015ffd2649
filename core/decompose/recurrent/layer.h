// A recurrent layer as formats have it: RNN, GRU, LSTM, over time, in one direction or both.
//
// A format's decomposition fills a RecurrentLayer and calls recurrent_layer(), or one_step() if there is no time.
#pragma once

#include "core/decompose/recurrent/cell.h"

namespace mo {

/// A tensor with rows for all gates, in the layer's order, or one for each gate, empty for a gate without. No elements:
/// the layer has none.
using GateTensors = std::vector<OutPort>;

struct RecurrentLayer {
  RecurrentKind kind = RecurrentKind::Lstm;
  /// The order of the gates' rows: of z r c (GRU), i f c o (LSTM), c (RNN).
  std::string gates;
  /// The gate of an LSTM that is 1 - the other one, i or f; its rows are not read. 0: none.
  char coupled = 0;
  /// Two: forward, then backward.
  int directions = 1;
  bool reverse = false;  ///< of one direction
  /// Weights, biases and states have a dimension of directions, as ONNX's have: the first one, of states with
  /// batch_first the second.
  bool stacked = false;
  bool batch_first = false;  ///< x is [batch, time, input], otherwise [time, batch, input]
  int64_t hidden = 0;        ///< of the cell

  OutPort x, lengths;                ///< lengths [batch]: empty if all sequences have the whole time
  GateTensors w, r;                  ///< [gates * hidden, input], [gates * hidden, output]
  GateTensors bias, recurrent_bias;  ///< [gates * hidden]
  bool biases_joined = false;        ///< `bias` is one tensor, with the recurrent bias behind
  GateTensors peepholes;             ///< of i f o
  OutPort projection, projection_bias;
  GateTensors norms;
  OutPort hidden_state, cell_state;  ///< before the first step; empty: zeros
  /// Of each direction: f, g, h.
  std::vector<std::vector<CellActivation>> activations;
  double clip = 0, cell_clip = 0, projection_clip = 0;
  bool reset_after = false;
  bool ends_empty_with_zeros = false;  ///< what a sequence of length 0 leaves; otherwise its first states

  /// Outputs that are read.
  bool wants_y = true, wants_hidden = true, wants_cell = true;
  /// What else is wanted of all steps, of one direction.
  std::vector<OutPort CellStep::*> wanted;
};

/// y is [time, batch, output] or [batch, time, output], stacked with a dimension of directions before the last but one
/// or the last, as in ONNX. Outputs that are not wanted may be empty.
struct RecurrentOutputs {
  OutPort y, hidden, cell;
  std::vector<OutPort> wanted;
};

/// IR's sequence where it says all that the layer does, else a TensorIterator of step() for each direction.
RecurrentOutputs recurrent_layer(Builder& b, RecurrentLayer layer);
/// One step of a layer that is not stacked: x is [batch, input].
CellStep one_step(Builder& b, const RecurrentLayer& layer);

/// The rows of these gates in this order. Throws UnsupportedForm if there are none for some of them.
OutPort rows_of(Builder& b, const RecurrentLayer& layer, const GateTensors& tensors, const std::string& gates);
/// Direction `d` of the layer for step().
Cell cell_of(Builder& b, const RecurrentLayer& layer, int d);
/// Whether every sequence has the whole time axis of x.
bool covers_time(OutPort lengths, OutPort x, int64_t time_axis);

}  // namespace mo
