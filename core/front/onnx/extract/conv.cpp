// Functions of operators.def for ONNX's convolutions. Conv is a framework's convolution, with a bias, groups and ONNX's
// attributes; Convolution is IR's. Likewise Deconvolution and ConvolutionBackpropData.

#include "core/front/onnx/extract/extractor.h"
#include "core/graph/body.h"
#include "core/graph/framework_node.h"

namespace mo::onnx {
namespace {

void extract_convolution_as(Node& node, const char* op) {
  require_input(node, 0);
  require_input(node, 1);
  const int64_t group = node.get_int("group", 1);
  if (group < 1) throw Error(Code::BadAttribute, msg("group is ", group));
  node.set("group", group);
  node.set_op(op);
}

/// What a body's Parameters and Identities pass on.
OutPort origin_of(OutPort port) {
  while (port && port.node().op() == "Parameter") port = behind_identities(invariant_source(port.node()));
  return port;
}

}  // namespace

void extract_conv(Node& node) { extract_convolution_as(node, "Conv"); }
void extract_fused_conv(Node& node) { extract_convolution_as(node, "FusedConv"); }
void extract_conv_transpose(Node& node) { extract_convolution_as(node, "Deconvolution"); }

/// The places that a MaxPool gives are those in its own input, whose shape `output_shape` then is. ONNX's definition,
/// which is followed for other places, counts them in the smallest input that a pool can have had.
void extract_max_unpool(Node& node) {
  require_input(node, 1);
  const OutPort places = origin_of(behind_identities(node.source(1)));
  node.set("places_in_output", places && places.node().pb && places.node().pb->op == "MaxPool");
  node.set_op("MaxUnpool");
}

}  // namespace mo::onnx
