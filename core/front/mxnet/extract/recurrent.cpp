// The fused recurrent layers.

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
namespace {

/// Gluon's initial states are zeros of an open batch, which the sequence has without an input.
OutPort state_of(const Node& node, int input) {
  const OutPort state = required(node, input);
  const auto& origin = state.node().pb;
  return origin && is_one_of(origin->op, {"_zeros", "_zeros_without_dtype", "_npi_zeros"}) ? OutPort() : state;
}

}  // namespace

/// Layers one behind the other, in one direction or both; one vector has all their weights and biases.
void extract_rnn(Node& node) {
  const std::string mode = choice_of(node, "mode", "", {"rnn_relu", "rnn_tanh", "lstm", "gru"});
  const bool lstm = mode == "lstm", has_lengths = bool_of(node, "use_sequence_length");
  const int64_t layers = limited_int(node, "num_layers", 0, 1, 1024), size = limited_int(node, "state_size", 0, 1);
  if (is_given(node, "projection_size")) throw Error(Code::UnsupportedForm, "an LSTM with a projection");
  const double least = float_of(node, "lstm_state_clip_min"), most = float_of(node, "lstm_state_clip_max");
  if (least != -most || most < 0) throw Error(Code::UnsupportedForm, msg("states from ", least, " to ", most));
  const OutPort x = required(node, 0), parameters = required(node, 1), hidden = state_of(node, 2);
  const OutPort cell = lstm ? state_of(node, 3) : OutPort();
  const OutPort lengths = has_lengths ? required(node, lstm ? 4 : 3) : OutPort();
  const bool both = bool_of(node, "bidirectional");
  become(node, "FusedRnn", {x, parameters, hidden, cell, lengths},
         {{"mode", mode}, {"layers", layers}, {"both", both}, {"hidden_size", size}, {"cell_clip", most}},
         lstm ? 3 : 2);
}

/// The vector of all weights and biases.
void extract_rnn_param_concat(Node& node) {
  const int64_t axis = int_of(node, "dim", 1);
  become(node, "Concat", all_inputs(node), {{"axis", axis}});
}

}  // namespace mo::mxnet
