// Functions of operators.def for normalizations whose meaning depends on the operator set.

#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/opset.h"

namespace mo::onnx {

/// Before operator set 14 the node is in training if an output after the first is used.
void extract_batch_normalization(Node& node) {
  if (opset(node) < 14) node.set("training_mode", node.is_read(1));
  node.set_op("batchNormInference");
}

/// Before operator set 21 there was one scale and bias per group.
void extract_group_normalization(Node& node) {
  node.set("by_group", opset(node) < 21);
  node.set_op("GroupNormalizationONNX");
}

}  // namespace mo::onnx
