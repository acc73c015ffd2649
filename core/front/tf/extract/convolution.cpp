// Convolutions and transposed convolutions. Filters have the spatial axes first.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/data_format.h"
#include "core/front/tf/extract/extractor.h"
#include "core/ops/filter_order.h"

namespace mo::tf {
namespace {

void extract_convolution(Node& node, int64_t spatial_axes, bool depthwise) {
  require_input(node, 0);
  require_input(node, 1);
  const DataFormat format = data_format(node, spatial_axes);
  set_axes(node, format);
  window_of(node, format).set(node);
  FilterOrder(depthwise ? "*GO" : "*IO", format.spatial.size()).set(node);
  node.set_op("Conv");
}

/// (sizes of the result or a tensor like it, filter [H, W, O, I], x): the gradient of a convolution is a transposed
/// one. SAME and VALID differ in the sizes of the result only, which are given.
void extract_backprop(Node& node, int64_t spatial_axes, bool depthwise = false) {
  require_input(node, 0);
  OutPort sizes = node.source(0);
  if (node.op() == "Conv2DBackpropInputV2" || node.op() == "Conv3DBackpropInput") sizes = Builder(node).shape_of(sizes);
  reorder_inputs(node, {2, 1});
  node.add_in_ports(4);
  node.in(3).connect(sizes);
  const DataFormat format = data_format(node, spatial_axes);
  set_axes(node, format);
  SpatialWindow window = window_of(node, format);
  if (window.auto_pad != AutoPad::Explicit) window.auto_pad = AutoPad::SameUpper;
  window.set(node);
  FilterOrder(depthwise ? "*GO" : "*OI", format.spatial.size()).set(node);
  node.set_op("Deconvolution");
}

}  // namespace

void extract_conv2d(Node& node) { extract_convolution(node, 2, false); }
void extract_conv3d(Node& node) { extract_convolution(node, 3, false); }
/// The length of `strides` gives the number of spatial axes.
void extract_conv(Node& node) {
  const auto axes = static_cast<int64_t>(node.get_ints("strides").size()) - 2;
  if (axes < 1 || node.get_int("batch_dims", 1) != 1) throw Error(Code::UnsupportedForm, "its batch and spatial axes");
  extract_convolution(node, axes, false);
}

/// (x, sizes of the image if it is resized, paddings, filter)
void extract_fused_pad_conv2d(Node& node) {
  Builder b(node);
  const bool resizes = node.op() == "FusedResizeAndPadConv2D";
  const int pads = resizes ? 2 : 1;
  for (int i = 0; i < pads + 2; ++i) require_input(node, i);
  OutPort x = node.source(0);
  if (resizes)
    x = b.op("TFResize", {x, node.source(1)},
             {{"mode", "linear_onnx"}, {"align_corners", node.get_bool("resize_align_corners")}});
  const std::string mode = node.get_string("mode");
  if (mode != "REFLECT" && mode != "SYMMETRIC") throw Error(Code::BadAttribute, msg("mode is '", printable(mode), "'"));
  x = b.op("TFPad", {x, node.source(pads)}, {{"mode", mode == "REFLECT" ? "reflect" : "symmetric"}});
  set_inputs(node, {x, node.source(pads + 1)});
  extract_convolution(node, 2, false);
}

void extract_depthwise(Node& node) { extract_convolution(node, 2, true); }
void extract_conv2d_backprop(Node& node) { extract_backprop(node, 2); }
void extract_depthwise_backprop(Node& node) { extract_backprop(node, 2, true); }
void extract_conv3d_backprop(Node& node) { extract_backprop(node, 3); }

}  // namespace mo::tf
