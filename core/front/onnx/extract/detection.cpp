// Functions of operators.def for detection.

#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {

void extract_detection_output(Node& node) {
  const std::string code = node.get_string("code_type", "CORNER");
  if (code == "CORNER" || code == "CENTER_SIZE")
    node.set("code_type", "caffe.PriorBoxParameter." + code);
  else if (!code.starts_with("caffe.PriorBoxParameter."))
    throw Error(Code::BadAttribute, msg("code_type is '", code, "'"));
  if (!node.attributes.find("share_location")) node.set("share_location", false);
  if (!node.attributes.find("nms_threshold")) node.set("nms_threshold", 0.0);
  node.set_op("DetectionOutput");
}

}  // namespace mo::onnx
