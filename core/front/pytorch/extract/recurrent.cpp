// Recurrent layers, one behind the other, in one direction or both. The list of parameters has those of each layer and
// direction: w, r and, with has_biases, both biases.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

void recur(Node& node, const char* mode) {
  const bool lstm = mode == std::string_view("LSTM"), biases = node.get_bool("has_biases"),
             first = node.get_bool("batch_first");
  if (!inputs(node, "batch_sizes").empty()) throw Error(Code::UnsupportedForm, "sequences that are packed");
  const int64_t layers = int_of(node, "num_layers"), directions = node.get_bool("bidirectional") ? 2 : 1;
  if (layers < 1 || layers > 1024) throw Error(Code::BadAttribute, msg("num_layers is ", layers));
  const std::vector<OutPort> weights = inputs(node, "params"), states = inputs(node, "hx");
  const size_t each = biases ? 4 : 2;
  if (weights.size() != each * static_cast<size_t>(layers * directions))
    throw Error(Code::UnsupportedForm,
                msg(weights.size(), " parameters of ", layers * directions, " layers: projections"));
  if (states.size() != (lstm ? 2u : 1u)) throw Error(Code::MissingInput, std::string("hx"));
  if (node.get_bool("train") && number_of(node, "dropout") != 0 && layers > 1)
    throw Error(Code::UnsupportedForm, "dropout of training: call model.eval() before the export");
  Builder b(node);
  OutPort x = required(node, "input");
  const bool has_batch = rank_of(node, "input") == 3;
  if (!has_batch) x = b.unsqueeze(x, {1});
  if (has_batch && first) x = b.transpose(x, {1, 0, 2});
  const auto state = [&](size_t which, int64_t layer) {
    const OutPort all = has_batch ? states[which] : b.unsqueeze(states[which], {1});
    if (layers == 1) return all;
    return b.op("Slice", {all, b.i64({layer * directions}), b.i64({(layer + 1) * directions}), b.i64({1}), b.i64({0})});
  };
  std::vector<OutPort> hidden, cells;
  for (int64_t layer = 0; layer < layers; ++layer) {
    std::vector<OutPort> all{x, OutPort(), state(0, layer), lstm ? state(1, layer) : OutPort()};
    for (int64_t d = 0; d < directions; ++d)
      for (size_t i = 0; i < 4; ++i)
        all.push_back(i < each ? weights[each * static_cast<size_t>(layer * directions + d) + i] : OutPort());
    Node& made = b.node("PaddleRnn", all, {{"mode", mode}}, lstm ? 3 : 2);
    x = made.out(0);
    hidden.push_back(made.out(1));
    if (lstm) cells.push_back(made.out(2));
  }
  const auto joined = [&](const std::vector<OutPort>& parts) {
    const OutPort all = parts.size() == 1 ? parts[0] : b.concat(parts, 0);
    return has_batch ? all : b.squeeze(all, {1});
  };
  if (!has_batch) x = b.squeeze(x, {1});
  if (has_batch && first) x = b.transpose(x, {1, 0, 2});
  std::vector<OutPort> results{x, joined(hidden)};
  if (lstm) results.push_back(joined(cells));
  give(node, results);
}

}  // namespace

void extract_lstm(Node& node) { recur(node, "LSTM"); }
void extract_gru(Node& node) { recur(node, "GRU"); }
void extract_rnn_tanh(Node& node) { recur(node, "RNN_TANH"); }
void extract_rnn_relu(Node& node) { recur(node, "RNN_RELU"); }

}  // namespace mo::pytorch
