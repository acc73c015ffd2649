// RNNSequence, GRUSequence, LSTMSequence (opset5): X [batch, time, input], initial H [batch, D, hidden] (and C, LSTM),
// lengths [batch], W [D, gates * hidden, input], R [D, gates * hidden, hidden], B [D, gates * hidden]; outputs
// Y [batch, D, time, hidden], H [batch, D, hidden] (and C). D is 2 for direction bidirectional.
// RNNCell, GRUCell (opset3), LSTMCell (opset4): one step of these, without the dimensions time and D and without
// lengths; outputs H (and C). Attributes: direction (not of cells), hidden_size, activations, activations_alpha,
// activations_beta, clip; GRU: linear_before_reset.

#include "core/ops/op_def.h"

namespace mo {
namespace {

int64_t required_hidden_size(const InferContext& c) {
  const int64_t hidden = c.node().get_int("hidden_size");
  if (hidden < 1) c.fail(Code::BadAttribute, msg("hidden_size is ", hidden));
  return hidden;
}

void infer_recurrent_sequence(InferContext& c) {
  const Node& node = c.node();
  const int states = node.op() == "LSTMSequence" ? 2 : 1;
  const int64_t hidden = required_hidden_size(c), directions = node.get_string("direction") == "bidirectional" ? 2 : 1;
  const int lengths = 1 + states, w = lengths + 1, r = w + 1, bias = r + 1;
  for (const int i : {0, w, r}) c.require_rank(i, 3, 3);
  for (int i = 1; i <= states; ++i) c.require_rank(i, 3, 3);
  c.require_rank(lengths, 1, 1);
  c.require_rank(bias, 2, 2);

  const auto fit = [&](int input, size_t axis, Dimension want) {
    const PartialShape& shape = c.shape(input);
    if (!shape.has_rank()) return want;
    const auto both = intersect(shape[axis], want);
    if (!both)
      c.fail(Code::ShapeMismatch,
             msg("input ", input, " is [", to_string(shape), "], want ", to_string(want), " at ", axis));
    return *both;
  };
  Dimension batch = fit(lengths, 0, fit(0, 0, kAnyDimension));
  for (int i = 1; i <= states; ++i) {
    batch = fit(i, 0, batch);
    fit(i, 1, directions);
    fit(i, 2, hidden);
  }
  for (const int i : {w, r, bias}) fit(i, 0, directions);
  fit(w, 2, fit(0, 2, kAnyDimension));
  fit(r, 2, hidden);
  fit(r, 1, fit(w, 1, kAnyDimension));
  const Dimension time = fit(0, 1, kAnyDimension);
  c.set(0, {batch, directions, time, hidden}, c.type(0));
  for (int i = 1; i <= states && i < node.out_count(); ++i) c.set(i, {batch, directions, hidden}, c.type(0));
}

void infer_recurrent_cell(InferContext& c) {
  const int states = c.node().op() == "LSTMCell" ? 2 : 1;
  for (int i = 0; i < states + 3; ++i) c.require_rank(i, 2, 2);
  const PartialShape& x = c.shape(0);
  const PartialShape state{x.has_rank() ? x[0] : kAnyDimension, required_hidden_size(c)};
  for (int i = 0; i < states && i < c.node().out_count(); ++i) c.set(i, merge(c.shape(i + 1), state), c.type(0));
}

void attributes_recurrent(const Node& n, IrAttributes& a) {
  if (n.has("direction")) a.add("direction", n.get_string("direction"));
  if (n.op().starts_with("GRU")) a.add("linear_before_reset", n.get_bool("linear_before_reset"));
  a.add("hidden_size", n.get_int("hidden_size"));
  a.add("activations", n.get_strings("activations"));
  a.add("activations_alpha", n.get_floats("activations_alpha"));
  a.add("activations_beta", n.get_floats("activations_beta"));
  a.add("clip", n.get_float("clip"));
}

constexpr OpDef recurrent_sequence(std::string_view type) {
  return {.op = type,
          .type = type,
          .version = "opset5",
          .infer = infer_recurrent_sequence,
          .ir_attributes = attributes_recurrent,
          .layout = {LayoutClass::Reshapes, {}}};
}

constexpr OpDef recurrent_cell(std::string_view type, std::string_view version) {
  OpDef def = recurrent_sequence(type);
  def.version = version, def.infer = infer_recurrent_cell;
  return def;
}

constexpr OpDef kRecurrentSequenceDefs[] = {recurrent_sequence("RNNSequence"),   recurrent_sequence("GRUSequence"),
                                            recurrent_sequence("LSTMSequence"),  recurrent_cell("RNNCell", "opset3"),
                                            recurrent_cell("GRUCell", "opset3"), recurrent_cell("LSTMCell", "opset4")};

}  // namespace

OpFamily ops_RecurrentSequence() { return kRecurrentSequenceDefs; }

}  // namespace mo
