// What operators.def calls for ONNX's normalizations whose meaning depends on the operator set.

#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/opset.h"

namespace mo::onnx {

/// Before operator set 14 it was training where one of the later outputs was used.
void extract_batch_normalization(Node& node) {
  if (opset(node) < 14) {
    bool training = false;
    for (int i = 1; i < node.out_count(); ++i) training |= !node.out(i).disconnected();
    node.set("training_mode", training);
  }
  node.set_op("batchNormInference");
}

/// Before operator set 21 scale and bias were those of groups.
void extract_group_normalization(Node& node) {
  node.set("by_group", opset(node) < 21);
  node.set_op("GroupNormalizationONNX");
}

}  // namespace mo::onnx
