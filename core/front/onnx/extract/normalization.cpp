// What operators.def calls for ONNX's normalizations: what depends on the operator set becomes an attribute.

#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {
namespace {

void set_epsilon(Node& node) { node.set("epsilon", node.get_float("epsilon", 1e-5)); }

}  // namespace

void extract_batch_normalization(Node& node) {
  set_epsilon(node);
  node.set("momentum", node.get_float("momentum", 0.9));
  bool training = node.get_bool("training_mode");
  if (opset(node) < 14) {
    // Which outputs are in use tells it.
    training = false;
    for (int i = 1; i < node.out_count(); ++i) training |= !node.out(i).disconnected();
  }
  node.set("training_mode", training);
  for (const char* old : {"spatial", "is_test", "consumed_inputs"}) node.attributes.erase(old);
  node.set_op("batchNormInference");
}

void extract_group_normalization(Node& node) {
  set_epsilon(node);
  // Scale and bias were one for each group before operator set 21.
  node.set("per_group", opset(node) < 21);
  node.set_op("GroupNormalizationONNX");
}

}  // namespace mo::onnx
