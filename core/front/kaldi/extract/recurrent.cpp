// Recurrent layers of nnet1, and what those of nnet3 compute of their gates.

#include "core/front/kaldi/extract/extractor.h"
#include "core/front/kaldi/time/recurrence.h"

namespace mo::kaldi {
namespace {

std::vector<OutPort> parts_of(Builder& b, OutPort x, const Ints& sizes) {
  Node& parts = b.split(x, 1, sizes);
  std::vector<OutPort> found;
  for (int i = 0; i < parts.out_count(); ++i) found.push_back(parts.out(i));
  return found;
}

/// h = tanh(part + seen), c = (1 - z) h + z c'; both.
OutPort gru(Builder& b, OutPort z, OutPort part, OutPort seen, OutPort old) {
  const OutPort h = b.op("Tanh", {b.op("Add", {part, seen})});
  const OutPort fresh = b.op("Mul", {b.op("Sub", {b.f32_scalar(1), z}), h}), kept = b.op("Mul", {z, old});
  return b.concat({h, b.op("Add", {fresh, kept})}, 1);
}

}  // namespace

/// c, m of i, f, c, o, c', and with UseDropout three factors.
void extract_lstm_nonlinearity(Node& node) {
  const OutPort x = frame(node);
  const Constant weights = matrix_of(node, "Params");
  if (weights.shape[0] != 3) throw Error(Code::ShapeMismatch, msg("Params has ", weights.shape[0], " rows, want 3"));
  product("Params", weights.shape[1], 6);
  Builder b(node);
  std::vector<OutPort> inputs{x};
  for (const int64_t row : {0, 1, 2}) inputs.push_back(b.constant(slice(weights, 0, row, row + 1)));
  become(node, "LstmNonLinearity", inputs,
         {{"cell_dim", weights.shape[1]}, {"use_dropout", node.get_bool("UseDropout")}});
}

/// h, c of z, r, what x adds to h, c', and, if it is not c', s'.
void extract_gru_nonlinearity(Node& node) {
  const OutPort x = frame(node);
  const int64_t cell = size_of(node, "CellDim"), recurrent = size_of(node, "RecurrentDim");
  const Constant weights = matrix_of(node, "w_h", recurrent);
  if (weights.shape[0] != cell || recurrent > cell)
    throw Error(Code::ShapeMismatch,
                msg("w_h has ", weights.shape[0], " rows and ", recurrent, " columns, CellDim is ", cell));
  product("CellDim", cell, 6);
  Builder b(node);
  const bool projected = recurrent != cell;
  const std::vector<OutPort> parts =
      parts_of(b, x, projected ? Ints{cell, recurrent, cell, cell, recurrent} : Ints{cell, recurrent, cell, cell});
  const OutPort reset = b.op("Mul", {parts[1], parts[projected ? 4 : 3]});
  give(node, gru(b, parts[0], parts[2], b.matmul({reset, b.constant(weights)}, true), parts[3]));
}

/// The same without r: w_h has a factor for each element of c'.
void extract_output_gru_nonlinearity(Node& node) {
  const OutPort x = frame(node);
  const int64_t cell = size_of(node, "CellDim");
  const Constant weights = vector_of(node, "w_h", cell);
  product("CellDim", cell, 6);
  Builder b(node);
  const std::vector<OutPort> parts = parts_of(b, x, {cell, cell, cell});
  const OutPort seen = b.op("Mul", {parts[2], b.constant(reshape(weights, {1, cell}))});
  give(node, gru(b, parts[0], parts[1], seen, parts[2]));
}

/// Gates g, i, f, o; the states are the cell's, and the projected output.
void extract_lstm_projected(Node& node) {
  const OutPort x = frame(node);
  const Constant projection = matrix_of(node, "WRM");
  const int64_t outputs = projection.shape[0], cell = size_of(node, "CellDim", 1, projection.shape[1]);
  if (cell != projection.shape[1])
    throw Error(Code::ShapeMismatch,
                msg("CellDim is ", cell, ", the projection has ", projection.shape[1], " columns"));
  const Constant of_x = matrix_of(node, "WGifoX"), of_r = matrix_of(node, "WGifoR", outputs);
  const int64_t rows = product("CellDim", cell, 4);
  for (const Constant& weights : {of_x, of_r})
    if (weights.shape[0] != rows)
      throw Error(Code::ShapeMismatch, msg("the weights have ", weights.shape[0], " rows, want ", rows));
  require_sizes(node, of_x.shape[1], outputs);
  const Constant bias = vector_of(node, "Bias", rows);
  const double clip = number_of(node, "CellClip", 50);
  Builder b(node);
  std::vector<OutPort> inputs{x, b.constant(of_x), b.constant(of_r), b.constant(reshape(bias, {1, rows}))};
  for (const char* key : {"PeepholeI", "PeepholeF", "PeepholeO"})
    inputs.push_back(b.constant(reshape(vector_of(node, key, cell), {1, cell})));
  inputs.push_back(b.constant(projection));
  become(node, "ProjectedLSTMCell", inputs, {{"clip_value", clip}, {"cell_dim", cell}, {"output_dim", outputs}});
}

/// tanh(W x + R y' + b).
void extract_recurrent(Node& node) {
  const OutPort x = frame(node);
  const Constant of_x = matrix_of(node, "WForward");
  const int64_t outputs = of_x.shape[0];
  const Constant of_y = matrix_of(node, "WRecurrent", outputs), bias = vector_of(node, "Bias", outputs);
  if (of_y.shape[0] != outputs)
    throw Error(Code::ShapeMismatch, msg("the weights have ", of_y.shape[0], " rows, want ", outputs));
  require_sizes(node, of_x.shape[1], outputs);
  Builder b(node);
  const std::string pair = node.name() + "/y";
  const OutPort w = b.constant(of_x), r = b.constant(of_y), row = b.constant(reshape(bias, {1, outputs}));
  const OutPort sum = b.op("Add", {b.matmul({x, w}, true), row});
  const OutPort of_last = b.matmul({earlier_state(b, pair, 1, outputs), r}, true);
  const OutPort y = b.op("Tanh", {b.op("Add", {sum, of_last})});
  keep_state(b, pair, y);
  give(node, y);
}

}  // namespace mo::kaldi
