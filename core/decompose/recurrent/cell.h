// One step of a recurrent layer, for every format: what a layer computes is written here and nowhere else.
#pragma once

#include <string>
#include <vector>

#include "core/build/builder.h"

namespace mo {

enum class RecurrentKind : char { Rnn, Gru, Lstm };

/// An activation by ONNX's name in lower case. Those that ONNX lacks: "clip" limits to [alpha, beta], "none" is x.
struct CellActivation {
  std::string name;
  double alpha = 0, beta = 0;
};
/// Throws UnsupportedForm for other names.
OutPort activated(Builder& b, OutPort x, const CellActivation& activation);

/// A direction of a layer. What is absent is empty.
///   RNN:  h' = f(x + h R)
///   GRU:  z = f(x + h R), r = f(x + h R), c = g(x + (r h) R) or, with reset_after, g(x + r (h R + recurrent_bias)),
///         h' = (1 - z) c + z h
///   LSTM: i, f, o = f(x + h R), c = g(x + h R), cell' = f cell + i c, h' = o h(cell')
/// where x is the gate's part of W x + bias.
struct Cell {
  RecurrentKind kind = RecurrentKind::Lstm;
  std::string gates;       ///< those that have weights, in their order: of z r c, c last; of i f c o; or c
  OutPort w, bias;         ///< [gates * hidden, input], [gates * hidden]
  OutPort r;               ///< [gates * hidden, output]; empty if the sums contain its part
  OutPort candidate_r;     ///< of a GRU without reset_after: [hidden, output]; r has the rows of z and r then
  OutPort recurrent_bias;  ///< [hidden], of the candidate c of a GRU
  OutPort peepholes[3];    ///< of i f o, [hidden] each: they see the cell state, o the new one
  OutPort norm;            ///< [gates * hidden]: factors of the normalised sums, to which bias is then added
  OutPort projection, projection_bias;  ///< [output, hidden], [output]: h' before it leaves the step
  std::vector<CellActivation> activations;
  double clip = 0, cell_clip = 0, projection_clip = 0;  ///< limits of the gates' sums, cell' and h'; 0: none
  bool reset_after = false;

  /// The gate of an LSTM that has no weights, because it is 1 - the other one: i, f or 0.
  char coupled() const;
  /// All tensors but w, which only input_sums() reads.
  std::vector<OutPort*> tensors();
};

/// All that a step computes; of other kinds' gates nothing.
struct CellStep {
  OutPort update, reset;                    ///< of a GRU
  OutPort input, forget, output, squashed;  ///< of an LSTM; squashed: h(cell')
  OutPort candidate, hidden, cell;          ///< c, h', cell'
};

/// W x + bias, for one step or for all at once; without the bias if the sums are normalised.
OutPort input_sums(Builder& b, const Cell& cell, OutPort x);
/// One step, from these sums of all gates [batch, gates * hidden] and the states.
CellStep step(Builder& b, const Cell& cell, OutPort sums, OutPort hidden, OutPort state);

/// `parts` equal blocks along the last axis.
std::vector<OutPort> blocks_of(Builder& b, OutPort x, size_t parts);

}  // namespace mo
