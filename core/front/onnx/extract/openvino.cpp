// Functions of operators.def for OpenVINO's own operations, which exporters write into ONNX files.

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/onnx/extract/extractor.h"

namespace mo::onnx {

/// DeformableConv2D(x, offset, weights, mask).
void extract_deformable_conv_2d(Node& node) {
  require_input(node, 2);
  node.set("offset_group", node.get_int("deformable_group", 1));
  node.set("bilinear_interpolation_pad", false);
  set_inputs(node,
             {node.source(0), node.source(2), node.source(1), {}, node.in_count() > 3 ? node.source(3) : OutPort()});
  node.set_op("DeformConv");
}

/// Normalize(x, weights), over the channels of each place or over all of an image; weights of channels, or one for all.
void extract_openvino_normalize(Node& node) {
  require_input(node, 1);
  Builder b(node);
  const OutPort axes = node.get_bool("across_spatial") ? b.i64({1, 2, 3}) : b.i64({1});
  const OutPort y =
      b.op("NormalizeL2", {node.source(0), axes}, {{"eps", node.get_float("eps", 0)}, {"eps_mode", "add"}});
  const bool is_shared = node.get_bool("channel_shared");
  const OutPort weights = b.reshape(node.source(1), is_shared ? Ints{} : Ints{-1}, false);
  set_inputs(node, {y, weights});
  if (is_shared) return node.set_op("Mul");
  node.set("operation", std::string("Mul"));
  node.set("axis", 1);
  node.set_op("AxisBroadcast");
}

/// Swish(x, beta): beta is one number in any shape.
void extract_openvino_swish(Node& node) {
  require_input(node, 0);
  if (node.in_count() > 1 && node.source(1)) node.in(1).connect(Builder(node).reshape(node.source(1), {}, false));
  node.set_op("Swish");
}

}  // namespace mo::onnx
