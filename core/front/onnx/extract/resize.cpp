// Functions of operators.def for resizing.

#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/opset.h"

namespace mo::onnx {

void extract_resize(Node& node) { node.set_op(opset(node) >= 11 ? "ONNXResize11" : "ONNXResize10"); }

void extract_upsample(Node& node) {
  if (opset(node) < 7 && !node.has("scales"))  // the first version had one scale attribute for each image axis
    node.set("scales", Doubles{1, 1, node.get_float("height_scale", 1), node.get_float("width_scale", 1)});
  if (opset(node) < 9 && !node.has("scales")) throw Error(Code::MissingAttribute, "scales");
  node.set_op("Upsample");
}

}  // namespace mo::onnx
