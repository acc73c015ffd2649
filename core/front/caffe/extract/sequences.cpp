// Recurrent layers, and those that feed them: [time, batch, …].

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"

namespace mo::caffe {
namespace {

constexpr int64_t kMostIndicators = 1 << 24;

/// Bottoms: x, cont [time, batch], perhaps an x for all steps, with expose_hidden the states before the first step.
/// The inputs of the operation have a fixed place: x, cont, static x, states, w, bias, static w, r and what follows.
void become_recurrent(Node& node, const char* op, int states, size_t blobs) {
  for (const int i : {0, 1}) require_input(node, i);
  const bool exposed = node.get_bool("expose_hidden");
  const int bottoms = bottoms_of(node), hidden = exposed ? states : 0;
  const bool is_static = bottoms > 2 + hidden;
  if (bottoms != 2 + hidden + (is_static ? 1 : 0)) throw Error(Code::MissingInput, msg(bottoms, " bottoms"));
  const int64_t size = node.get_int("num_output");
  if (size < 1 || size > INT32_MAX / 4) throw Error(Code::BadAttribute, msg("num_output is ", size));
  const auto count = static_cast<size_t>(node.in_count() - bottoms);
  if (count != blobs + (is_static ? 1 : 0))
    throw Error(Code::ShapeMismatch, msg("the layer has ", blobs + (is_static ? 1 : 0), " blobs, its weights ", count));
  Builder b(node);
  const auto flat = [&](OutPort x, int64_t axis) {
    return b.op("ReshapedAxes", {x}, {{"shape", Ints{-1}}, {"begin", axis}, {"end", -1}});
  };
  const int64_t rows = size * (states == 2 ? 4 : 1);
  std::vector<OutPort> inputs{flat(node.source(0), 2), node.source(1)};
  inputs.push_back(is_static ? flat(node.source(2), 1) : OutPort());
  for (int i = 0; i < states; ++i)
    inputs.push_back(exposed ? b.squeeze(node.source(2 + (is_static ? 1 : 0) + i), {0}) : OutPort());
  int blob = 0;
  inputs.push_back(shaped_blob(node, blob++, {rows, -1}));
  inputs.push_back(shaped_blob(node, blob++, {rows}));
  inputs.push_back(is_static ? shaped_blob(node, blob++, {rows, -1}) : OutPort());
  inputs.push_back(shaped_blob(node, blob++, {rows, size}));
  if (states == 1) {
    inputs.push_back(shaped_blob(node, blob++, {size, size}));
    inputs.push_back(shaped_blob(node, blob++, {size}));
  }
  become(node, op, inputs);
  node.set("hidden_size", size);
}

}  // namespace

void extract_lstm(Node& node) { become_recurrent(node, "CaffeLSTM", 2, 3); }
void extract_rnn(Node& node) { become_recurrent(node, "CaffeRNN", 1, 5); }

/// 0 in the first step, 1 in the others.
void extract_continuation_indicator(Node& node) {
  const int64_t time = node.get_int("time_step"), batch = node.get_int("batch_size");
  if (time < 1 || batch < 1 || time > kMostIndicators || batch > kMostIndicators / time)
    throw Error(Code::BadAttribute, msg("time_step is ", time, ", batch_size ", batch));
  std::vector<float> numbers(static_cast<size_t>(time * batch), 1);
  std::fill_n(numbers.begin(), batch, 0.0F);
  become(node, "Const", {});
  node.set("value", make_f32({time, batch}, numbers));
}

void extract_reverse(Node& node) {
  require_input(node, 0);
  const OutPort axis = Builder(node).i64({node.get_int("axis")});
  become(node, "ReverseV2", {node.source(0), axis});
}

/// (probabilities [time, batch, classes], indicators [time, batch])
void extract_ctc_greedy_decoder(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  const int64_t blank = node.get_int("blank_index", -1);
  const bool merged = node.get_bool("ctc_merge_repeated", true);
  const OutPort x = node.source(0), indicators = node.source(1);
  if (blank >= 0) {
    become(node, "CTCPath", {x, indicators});
    node.set("blank", blank);
    node.set("all", static_cast<int64_t>(merged ? 0 : 1));
    return;
  }
  // The first step is read whatever its indicator is: usually 0, which ends a sequence for IR's operation.
  Builder b(node);
  const OutPort rest = b.op("Slice", {indicators, b.i64({1}), b.i64({INT64_MAX}), b.i64({1}), b.i64({0})});
  const OutPort begun = b.op("Pad", {rest, b.i64({1, 0}), b.i64({0, 0}), b.f32_scalar(1)}, {{"mode", "constant"}});
  become(node, "CTCBestClasses", {x, begun});
  node.set("ctc_merge_repeated", merged);
}

}  // namespace mo::caffe
