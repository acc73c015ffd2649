// Functions of operators.def for ONNX's convolutions. Conv is a framework's convolution, with a bias, groups and ONNX's
// attributes; Convolution is IR's. Likewise Deconvolution and ConvolutionBackpropData.

#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {
namespace {

void extract_convolution_as(Node& node, const char* op) {
  require_input(node, 0);
  require_input(node, 1);
  const int64_t group = node.get_int("group", 1);
  if (group < 1) throw Error(Code::BadAttribute, cat("group is ", group));
  node.set("group", group);
  node.set_op(op);
}

}  // namespace

void extract_conv(Node& node) { extract_convolution_as(node, "Conv"); }
void extract_fused_conv(Node& node) { extract_convolution_as(node, "FusedConv"); }
void extract_conv_transpose(Node& node) { extract_convolution_as(node, "Deconvolution"); }

}  // namespace mo::onnx
