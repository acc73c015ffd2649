// Recurrent layers, and operators that are one step of one.

#include "core/base/text.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

/// Part `at` of `parts` along axis 0.
OutPort part_of(Builder& b, OutPort states, int64_t at, int64_t parts, int64_t size) {
  if (!states || parts == 1) return states;
  return b.op("Slice", {states, b.i64({at * size}), b.i64({(at + 1) * size}), b.i64({1}), b.i64({0})});
}

/// An activation by its name, or by the number that gru_unit has for it.
std::string activation(const Node& node, std::string_view name, const char* otherwise) {
  constexpr std::string_view kNumbered[] = {"identity", "sigmoid", "tanh", "relu"};
  std::string found = node.get_string(name, otherwise);
  if (const int64_t* number = node.attributes.get_if<int64_t>(name)) {
    if (*number < 0 || *number > 3) throw Error(Code::BadAttribute, msg(std::string(name), " is ", *number));
    found = kNumbered[*number];
  }
  if (found == "identity" || found.empty()) return "none";
  if (is_one_of(found, {"sigmoid", "tanh", "relu"})) return found;
  throw Error(Code::UnsupportedForm, msg("the activation ", found, " of a recurrent layer"));
}

OutPort with_bias(Node& node, OutPort sums) {
  const OutPort bias = input(node, "Bias");
  return bias ? Builder(node).op("Add", {sums, bias}) : sums;
}

}  // namespace

/// Layers one behind the other, in one direction or both. The list of weights has those of all layers and directions,
/// then the biases.
void extract_rnn(Node& node) {
  const std::string mode = node.get_string("mode", "RNN_TANH");
  if (!is_one_of(mode, {"LSTM", "GRU", "RNN_TANH", "RNN_RELU"}))
    throw Error(Code::BadAttribute, msg("mode is '", mode, "'"));
  const bool lstm = mode == "LSTM";
  const int64_t layers = node.get_int("num_layers", 1), directions = node.get_bool("is_bidirec") ? 2 : 1;
  const std::vector<OutPort> weights = inputs(node, "WeightList"), states = inputs(node, "PreState");
  if (layers < 1 || layers > 1024) throw Error(Code::BadAttribute, msg("num_layers is ", layers));
  const auto count = static_cast<size_t>(2 * layers * directions);
  if (weights.size() != count && weights.size() != 2 * count)
    throw Error(Code::MissingInput, msg("WeightList: ", weights.size(), " variables for ", 2 * count));
  if (states.size() != (lstm ? 2u : 1u))
    throw Error(Code::MissingInput, msg("PreState: ", states.size(), " variables"));
  Builder b(node);
  OutPort x = required(node, "Input");
  const OutPort lengths = input(node, "SequenceLength");
  std::vector<OutPort> hidden, cells;
  for (int64_t layer = 0; layer < layers; ++layer) {
    std::vector<OutPort> all{x, lengths, part_of(b, states[0], layer, layers, directions),
                             lstm ? part_of(b, states[1], layer, layers, directions) : OutPort()};
    for (int64_t d = 0; d < directions; ++d) {
      const auto at = static_cast<size_t>(2 * (layer * directions + d));
      for (const size_t i : {at, at + 1}) all.push_back(weights[i]);
      for (const size_t i : {at, at + 1}) all.push_back(weights.size() > count ? weights[count + i] : OutPort());
    }
    Node& made = b.node("PaddleRnn", all, {{"mode", mode}}, lstm ? 3 : 2);
    x = made.out(0);
    hidden.push_back(made.out(1));
    if (lstm) cells.push_back(made.out(2));
  }
  const auto joined = [&](const std::vector<OutPort>& parts) {
    return parts.size() == 1 ? parts[0] : b.concat(parts, 0);
  };
  std::vector<OutPort> last{joined(hidden)};
  if (lstm) last.push_back(joined(cells));
  give_lists(node, {{"Out", {x}}, {"State", last}});
}

namespace {

/// The sums of the gates of all steps are `sums`; biases of peepholes lie behind the others.
void give_lstm(Node& node, OutPort sums, OutPort r, std::string_view output, OutPort projection) {
  Builder b(node);
  OutPort bias = input(node, "Bias"), peepholes;
  if (bias && node.get_bool("use_peepholes", true)) peepholes = bias;
  Node& made = b.node("LstmOfRows", {sums, r, bias, peepholes, input(node, "H0"), input(node, "C0"), projection},
                      {{"reverse", node.get_bool("is_reverse")},
                       {"gate", activation(node, "gate_activation", "sigmoid")},
                       {"cell", activation(node, "cell_activation", "tanh")},
                       {"candidate", activation(node, "candidate_activation", "tanh")},
                       {"projection", projection ? activation(node, "proj_activation", "tanh") : "none"},
                       {"cell_clip", node.get_float("cell_clip")},
                       {"projection_clip", node.get_float("proj_clip")}},
                      2);
  give(node, {{output, made.out(0)}, {"Cell", made.out(1)}});
}

void give_gru(Node& node, OutPort sums, OutPort weights, bool origin_mode) {
  become(node, "GruOfRows", {with_bias(node, sums), weights, input(node, "H0")},
         {{"reverse", node.get_bool("is_reverse")},
          {"gate", activation(node, "gate_activation", "sigmoid")},
          {"candidate", activation(node, "activation", "tanh")},
          {"origin_mode", origin_mode}},
         {"Hidden"});
}

}  // namespace

void extract_lstm(Node& node) { give_lstm(node, required(node, "Input"), required(node, "Weight"), "Hidden", {}); }

void extract_lstmp(Node& node) {
  give_lstm(node, required(node, "Input"), required(node, "Weight"), "Projection", required(node, "ProjWeight"));
}

void extract_fusion_lstm(Node& node) {
  const OutPort sums = Builder(node).matmul({required(node, "X"), required(node, "WeightX")});
  give_lstm(node, sums, required(node, "WeightH"), "Hidden", {});
}

void extract_gru(Node& node) {
  give_gru(node, required(node, "Input"), required(node, "Weight"), node.get_bool("origin_mode"));
}

/// PaddlePaddle does not look at its origin_mode.
void extract_fusion_gru(Node& node) {
  const OutPort sums = Builder(node).matmul({required(node, "X"), required(node, "WeightX")});
  give_gru(node, sums, required(node, "WeightH"), false);
}

void extract_gru_unit(Node& node) {
  const OutPort sums = with_bias(node, required(node, "Input"));
  Builder b(node);
  Node& made = b.node("GruStep", {sums, required(node, "Weight"), required(node, "HiddenPrev")},
                      {{"gate", activation(node, "gate_activation", "sigmoid")},
                       {"candidate", activation(node, "activation", "tanh")},
                       {"origin_mode", node.get_bool("origin_mode")}},
                      3);
  give(node, {{"Hidden", made.out(0)}, {"Gate", made.out(1)}, {"ResetHiddenPrev", made.out(2)}});
}

void extract_lstm_unit(Node& node) {
  Builder b(node);
  Node& made = b.node("LstmUnit", {required(node, "X"), required(node, "C_prev")},
                      {{"forget_bias", node.get_float("forget_bias")}}, 2);
  give(node, {{"C", made.out(0)}, {"H", made.out(1)}});
}

namespace {

OutPort row_of(Builder& b, OutPort transitions, int64_t row) { return b.gather(transitions, b.i64_scalar(row), 0); }

}  // namespace

/// Rows 0 and 1 of the transitions are those from the start and to the end. With labels: where the path agrees.
void extract_crf_decoding(Node& node) {
  Builder b(node);
  OutPort x = required(node, "Emission");
  const OutPort transitions = required(node, "Transition");
  OutPort lengths = input(node, "Length"), label = input(node, "Label");
  const bool batched = bool(lengths);
  if (!batched) {
    lengths = b.dims_of(x, {0});
    x = b.unsqueeze(x, {0});
  }
  const OutPort between = b.op("Slice", {transitions, b.i64({2}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
  Node& made = b.node("BestPath",
                      {x, between, row_of(b, transitions, 0), row_of(b, transitions, 1),
                       b.reshape(b.convert(lengths, ElementType::I64), {-1}, false)},
                      {}, 2);
  OutPort path = batched ? made.out(1) : b.reshape(made.out(1), {-1, 1}, false);
  if (label) path = b.convert(b.op("Equal", {path, b.op("ConvertLike", {label, path})}), ElementType::I64);
  give(node, {{"ViterbiPath", path}});
}

/// The last labels but one and the last may be the end and the start.
void extract_viterbi_decode(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "Input"), transitions = required(node, "Transition");
  const OutPort lengths = b.convert(required(node, "Length"), ElementType::I64);
  OutPort start = row_of(b, transitions, -1), end = row_of(b, transitions, -2);
  if (!node.get_bool("include_bos_eos_tag", true)) start = end = b.op("Sub", {start, start});
  Node& made = b.node("BestPath", {x, transitions, start, end, lengths}, {}, 2);
  const OutPort most = b.reduce("ReduceMax", lengths, {0}, true);
  const OutPort path = b.op("Slice", {made.out(1), b.i64({0}), most, b.i64({1}), b.i64({1})});
  give(node, {{"Scores", made.out(0)}, {"Path", path}});
}

}  // namespace mo::paddle
