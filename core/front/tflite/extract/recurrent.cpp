// Recurrent layers. What they are made of is decided when shapes are known: core/front/tflite/decompose/.

#include "core/front/tflite/extract/extractor.h"

namespace mo::tflite {
namespace {

/// `form` keeps what TensorFlow Lite calls the operator; the activation is that of each step.
void extract_recurrent(Node& node, const char* op) {
  require_input(node, 0);
  activation_op(node.get_int("fused_activation_function"));  // throws for an unknown activation
  node.set("activation", node.get_int("fused_activation_function"));
  node.attributes.erase("fused_activation_function");
  node.set("form", node.op());
  node.set_op(op);
}

}  // namespace

void extract_rnn(Node& node) { extract_recurrent(node, "LiteRNN"); }
void extract_svdf(Node& node) {
  extract_recurrent(node, "LiteSVDF");
  node.attributes.erase("form");
}
void extract_lstm(Node& node) {
  if (node.get_bool("diagonal_recurrent_tensors")) throw Error(Code::UnsupportedForm, "diagonal_recurrent_tensors");
  const bool basic = node.get_int("kernel_type") == 1;
  extract_recurrent(node, basic ? "LiteBasicLSTM" : "LiteLSTM");
  if (basic)
    for (const char* key : {"form", "activation", "cell_clip", "proj_clip", "kernel_type"}) node.attributes.erase(key);
}

}  // namespace mo::tflite
