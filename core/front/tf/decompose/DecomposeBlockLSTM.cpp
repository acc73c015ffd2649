// Before: i, cs, f, o, ci, co, h = LSTMBlockCell(x, cs, h, w [input + hidden, 4 * hidden], wci, wcf, wco, b)
//         r, u, c, h = GRUBlockCell(x, h, w_ru, w_c, b_ru, b_c)
// After:  one step of the layer
// Before: i, cs, f, o, ci, co, h = BlockLSTM(steps, x [time, batch, input], cs, h, w, wci, wcf, wco, b)
// After:  LSTMSequence if only h is read and there are neither peepholes nor a limit, else a TensorIterator; zeros from
//         `steps` on
// Conditions: the hidden size is known.

#include <algorithm>

#include "core/decompose/recurrent/layer.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

constexpr OutPort CellStep::*kOutputs[] = {&CellStep::input,  &CellStep::cell,      &CellStep::forget,
                                           &CellStep::output, &CellStep::candidate, &CellStep::squashed,
                                           &CellStep::hidden};

bool is_read(Node& node, int out) { return !node.out(out).disconnected(); }

class DecomposeBlockLSTM final : public Decomposition {
 public:
  Names ops() const override { return {"BlockLSTM", "LSTMBlockCell", "GRUBlockCell"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "GRUBlockCell") return gru_step(b, node);
    return node.op() == "BlockLSTM" ? lstm(b, node) : lstm_step(b, node);
  }

 private:
  /// What a step needs besides the product with x and h; the inputs begin at `first`.
  static RecurrentLayer layer_of(Builder& b, const Node& node, int first) {
    for (int i = first; i < first + 3; ++i) require_input(node, i);
    require_input(node, first + 6);
    RecurrentLayer layer;
    layer.gates = node.get_string("gates");
    const std::string all = "ifco", &gates = layer.gates;
    if (!std::is_permutation(all.begin(), all.end(), gates.begin(), gates.end()))
      throw Error(Code::BadAttribute, msg("gates is '", gates, "'"));
    layer.activations = {{{"sigmoid"}, {"tanh"}, {"tanh"}}};
    layer.hidden = hidden_size(node.source(first + 2), 4);
    layer.cell_clip = node.get_float("clip");
    layer.cell_state = node.source(first), layer.hidden_state = node.source(first + 1);
    if (node.get_bool("peephole"))
      for (int i = 0; i < 3; ++i) layer.peepholes.push_back(node.source(first + 3 + i));
    layer.bias = {with_forget_bias(b, layer, node.source(first + 6), node.get_float("forget_bias"))};
    return layer;
  }

  static int64_t hidden_size(OutPort w, int64_t gates) {
    const PartialShape& shape = w.tensor().shape;
    if (shape.rank() != 2 || !shape[1].is_exact() || shape[1].min < gates)
      throw Error(Code::UnsupportedForm, "the hidden size is not known");
    return shape[1].min / gates;
  }

  static OutPort with_forget_bias(Builder& b, const RecurrentLayer& layer, OutPort bias, double more) {
    if (more == 0) return bias;
    std::vector<float> added(4 * static_cast<size_t>(layer.hidden));
    const size_t from = layer.gates.find('f') * static_cast<size_t>(layer.hidden);
    std::fill_n(added.begin() + static_cast<std::ptrdiff_t>(from), layer.hidden, static_cast<float>(more));
    const OutPort numbers = b.constant(make_f32({4 * layer.hidden}, added));
    return b.op("Add", {bias, bias.tensor().type == ElementType::F32 ? numbers : b.op("ConvertLike", {numbers, bias})});
  }

  /// Rows [from, to) of the weights, as [gates * hidden, columns].
  static OutPort rows(Builder& b, OutPort w, OutPort from, OutPort to) {
    return b.transpose(b.op("Slice", {w, from, to, b.i64({1}), b.i64({0})}), {1, 0});
  }

  static std::vector<OutPort> lstm_step(Builder& b, Node& node) {
    require_input(node, 0);
    RecurrentLayer layer = layer_of(b, node, 1);
    const OutPort both = b.concat({node.source(0), layer.hidden_state}, -1);
    const Cell cell = cell_of(b, layer, 0);
    const OutPort sums = b.op("Add", {b.matmul({both, node.source(3)}), cell.bias});
    const CellStep made = step(b, cell, sums, layer.hidden_state, layer.cell_state);
    std::vector<OutPort> outputs;
    for (OutPort CellStep::*const output : kOutputs) outputs.push_back(made.*output);
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }

  static std::vector<OutPort> lstm(Builder& b, Node& node) {
    require_input(node, 0);
    require_input(node, 1);
    RecurrentLayer layer = layer_of(b, node, 2);
    const OutPort x = layer.x = node.source(1), w = node.source(4);
    const OutPort end = b.i64({INT64_MAX}), from = b.i64({-layer.hidden}), zero = b.i64({0});
    layer.w = {rows(b, w, zero, from)}, layer.r = {rows(b, w, from, end)};
    layer.wants_hidden = layer.wants_cell = false;
    const int count = node.out_count();
    layer.wants_y = count > 6 && is_read(node, 6);
    for (int i = 0; i < count && i < 6; ++i)
      if (is_read(node, i)) layer.wanted.push_back(kOutputs[i]);
    const RecurrentOutputs made = recurrent_layer(b, layer);
    std::vector<OutPort> outputs(static_cast<size_t>(count));
    for (int i = 0, at = 0; i < count && i < 6; ++i)
      if (is_read(node, i)) outputs[static_cast<size_t>(i)] = made.wanted[static_cast<size_t>(at++)];
    if (layer.wants_y) outputs[6] = made.y;

    const OutPort steps = to_i64_scalar(b, node.source(0));
    const auto known = steps.tensor().ints;
    const PartialShape& shape = x.tensor().shape;
    if (known && shape.has_rank() && known->elements[0].min >= shape[0].max) return outputs;
    const OutPort inside = b.unsqueeze(b.op("Less", {counted(b, dimension_of(b, x, 0)), steps}), {1, 2});
    for (OutPort& output : outputs)
      if (output) output = b.op("Select", {inside, output, b.scalar_like(output, 0)});
    return outputs;
  }

  static std::vector<OutPort> gru_step(Builder& b, Node& node) {
    for (int i = 0; i < 6; ++i) require_input(node, i);
    const OutPort x = node.source(0), hidden = node.source(1), w_ru = node.source(2), w_c = node.source(3);
    const int64_t size = hidden_size(w_c, 1);
    const OutPort end = b.i64({INT64_MAX}), from = b.i64({-size}), zero = b.i64({0});
    Cell cell{.kind = RecurrentKind::Gru, .gates = "rzc"};
    const OutPort of_gates = rows(b, w_ru, zero, from), of_candidate = rows(b, w_c, zero, from);
    cell.w = b.concat({of_gates, of_candidate}, 0);
    cell.bias = b.concat({node.source(4), node.source(5)}, 0);
    cell.r = rows(b, w_ru, from, end), cell.candidate_r = rows(b, w_c, from, end);
    cell.activations = {{"sigmoid"}, {"tanh"}};
    const CellStep made = step(b, cell, input_sums(b, cell, x), hidden, {});
    std::vector<OutPort> outputs{made.reset, made.update, made.candidate, made.hidden};
    outputs.resize(static_cast<size_t>(node.out_count()));
    return outputs;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeBlockLSTM)
}  // namespace mo
