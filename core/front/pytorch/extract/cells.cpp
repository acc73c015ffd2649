// Recurrent cells: one step of a layer.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

void cell_step(Node& node, const char* mode) {
  const bool lstm = mode == std::string_view("LSTM");
  const std::vector<OutPort> states = inputs(node, "hx");
  if (states.size() != (lstm ? 2u : 1u)) throw Error(Code::MissingInput, std::string("hx"));
  const OutPort x = required(node, "input"), w = required(node, "w_ih"), r = required(node, "w_hh");
  become(node, "RnnStep", {x, states[0], lstm ? states[1] : OutPort(), w, r, input(node, "b_ih"), input(node, "b_hh")},
         {{"mode", mode}}, lstm ? 2 : 1);
}

}  // namespace

void extract_lstm_cell(Node& node) { cell_step(node, "LSTM"); }
void extract_gru_cell(Node& node) { cell_step(node, "GRU"); }
void extract_rnn_tanh_cell(Node& node) { cell_step(node, "RNN_TANH"); }
void extract_rnn_relu_cell(Node& node) { cell_step(node, "RNN_RELU"); }

}  // namespace mo::pytorch
