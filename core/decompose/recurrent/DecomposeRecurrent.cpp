// Before: Y, Y_h[, Y_c] = RNN | GRU | LSTM(X, W, R, B, sequence_lens, initial_h[, initial_c, P])
// After:  RNNSequence | GRUSequence | LSTMSequence, or a TensorIterator for each direction if IR's sequence does not
//         say all of it: core/decompose/recurrent/
// Conditions: the hidden size is known.

#include <algorithm>
#include <iterator>

#include "core/base/text.h"
#include "core/decompose/recurrent/layer.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

/// Which parameters an activation has, and their defaults: those of ONNX Runtime.
struct ActivationRow {
  std::string_view name;
  int parameters;
  double alpha, beta;
};
constexpr ActivationRow kActivations[] = {
    {"affine", 2, 0, 0}, {"relu", 0, 0, 0},       {"leakyrelu", 1, 0.01, 0}, {"thresholdedrelu", 1, 0, 0},
    {"tanh", 0, 0, 0},   {"scaledtanh", 2, 0, 0}, {"sigmoid", 0, 0, 0},      {"hardsigmoid", 2, 0.2, 0.5},
    {"elu", 1, 1, 0},    {"softsign", 0, 0, 0},   {"softplus", 0, 0, 0},
};

/// The next of the parameters, which belong to the activations that have one, in their order.
double taken(const std::vector<double>& given, size_t& next, double otherwise) {
  return next < given.size() ? given[next++] : otherwise;
}

/// The activations of each direction.
std::vector<std::vector<CellActivation>> activations_of(const Node& node, const Strings& defaults, int directions) {
  Strings given = node.get_strings("activations");
  const size_t each = defaults.size(), all = each * static_cast<size_t>(directions);
  if (given.empty())
    for (int d = 0; d < directions; ++d) given.insert(given.end(), defaults.begin(), defaults.end());
  if (given.size() != all) throw Error(Code::BadAttribute, msg(given.size(), " activations, want ", all));
  const std::vector<double> alphas = node.get_floats("activation_alpha"), betas = node.get_floats("activation_beta");
  size_t alpha = 0, beta = 0;
  std::vector<std::vector<CellActivation>> out(static_cast<size_t>(directions));
  for (size_t i = 0; i < all; ++i) {
    CellActivation made{lower(given[i])};
    const auto row = std::find_if(std::begin(kActivations), std::end(kActivations),
                                  [&](const ActivationRow& one) { return one.name == made.name; });
    if (row == std::end(kActivations))
      throw Error(Code::UnsupportedForm, msg("the activation ", given[i], " of a recurrent layer"));
    if (row->parameters > 0) made.alpha = taken(alphas, alpha, row->alpha);
    if (row->parameters > 1) made.beta = taken(betas, beta, row->beta);
    out[i / each].push_back(std::move(made));
  }
  return out;
}

class DecomposeRecurrent final : public Decomposition {
 public:
  Names ops() const override { return {"RNN", "GRU", "LSTM"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 3; ++i) require_input(node, i);
    const std::string direction = node.get_string("direction");
    if (direction != "forward" && direction != "reverse" && direction != "bidirectional")
      throw Error(Code::BadAttribute, msg("direction is '", direction, "'"));
    RecurrentLayer layer;
    const bool lstm = node.op() == "LSTM", gru = node.op() == "GRU";
    layer.kind = lstm ? RecurrentKind::Lstm : gru ? RecurrentKind::Gru : RecurrentKind::Rnn;
    layer.gates = lstm ? "iofc" : gru ? "zrc" : "c";
    if (lstm && node.get_bool("input_forget")) layer.coupled = 'f';
    layer.directions = direction == "bidirectional" ? 2 : 1;
    layer.reverse = direction == "reverse";
    layer.stacked = layer.biases_joined = layer.ends_empty_with_zeros = true;
    layer.batch_first = node.get_bool("layout");
    layer.activations = activations_of(node,
                                       lstm  ? Strings{"Sigmoid", "Tanh", "Tanh"}
                                       : gru ? Strings{"Sigmoid", "Tanh"}
                                             : Strings{"Tanh"},
                                       layer.directions);
    layer.hidden = hidden_size(node);
    layer.clip = node.get_float("clip");
    layer.reset_after = gru && node.get_bool("linear_before_reset");
    layer.x = node.source(0), layer.w = {node.source(1)}, layer.r = {node.source(2)};
    layer.lengths = node.source(4);
    if (node.has_in(3)) layer.bias = {node.source(3)};
    layer.hidden_state = node.source(5);
    if (lstm) layer.cell_state = node.source(6);
    if (lstm && node.has_in(7) && !is_zero(b, node.source(7))) layer.peepholes = peepholes(b, node.source(7));
    const auto read = [&](int i) { return i < node.out_count() && !node.out(i).disconnected(); };
    layer.wants_y = read(0), layer.wants_hidden = read(1), layer.wants_cell = read(2);

    const RecurrentOutputs made = recurrent_layer(b, std::move(layer));
    std::vector<OutPort> outputs{made.y, made.hidden, made.cell};
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }

 private:
  static bool is_zero(Builder& b, OutPort port) {
    const auto& value = port.tensor().value;
    const auto numbers = value ? read_doubles(*value, b.graph().files(), 1 << 16) : std::nullopt;
    return numbers && std::all_of(numbers->begin(), numbers->end(), [](double v) { return v == 0; });
  }

  static int64_t hidden_size(const Node& node) {
    const PartialShape& r = node.source(2).tensor().shape;
    const int64_t hidden = r.rank() == 3 && r[2].is_exact() ? r[2].min : node.get_int("hidden_size");
    if (hidden < 1 || hidden > INT32_MAX) throw Error(Code::UnsupportedForm, "the hidden size is not known");
    return hidden;
  }

  /// ONNX has those of i o f in one tensor.
  static GateTensors peepholes(Builder& b, OutPort all) {
    const std::vector<OutPort> parts = blocks_of(b, all, 3);
    return {parts[0], parts[2], parts[1]};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRecurrent)
}  // namespace mo
