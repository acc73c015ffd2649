// Convolutions and transposed convolutions.

#include "core/decompose/spatial/filter.h"
#include "core/front/common/inputs.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/extract/window.h"

namespace mo::tflite {
namespace {

/// Input 1 in IR's order; `axes` is that of the operator.
OutPort filter_of(Node& node, const char* axes, size_t spatial_axes, bool transposed) {
  require_input(node, 1);
  Builder b(node);
  return turned_weights(b, node.source(1), FilterOrder(axes, spatial_axes).to_ir(transposed));
}

/// (x, filter, bias)
void extract_convolution(Node& node, std::string_view axes, const char* filter_axes) {
  require_input(node, 0);
  const OutPort filter = filter_of(node, filter_axes, axes.size(), false);
  node.in(1).connect(filter);
  set_axes(node, static_cast<int64_t>(axes.size()));
  take_window(node, axes).set(node);
  node.set_op("Conv");
}

/// (sizes of the result, filter, x, bias)
void extract_backprop(Node& node, std::string_view axes, const char* filter_axes) {
  for (const int i : {0, 2}) require_input(node, i);
  const OutPort sizes = node.source(0), filter = filter_of(node, filter_axes, axes.size(), true), bias = node.source(3);
  const OutPort x = node.source(2);
  node.truncate_in_ports(0);
  node.add_in_ports(4);
  node.in(0).connect(x);
  node.in(1).connect(filter);
  if (bias) node.in(2).connect(bias);
  node.in(3).connect(sizes);
  set_axes(node, static_cast<int64_t>(axes.size()));
  SpatialWindow window = take_window(node, axes);
  window.auto_pad = AutoPad::SameUpper;  // SAME and VALID differ in the sizes of the result only
  window.set(node);
  node.set_op("Deconvolution");
}

}  // namespace

void extract_conv_2d(Node& node) { extract_convolution(node, "hw", "O*I"); }
/// The outputs of a channel follow one another, and the axis of inputs is 1.
void extract_depthwise_conv_2d(Node& node) { extract_convolution(node, "hw", "I*O"); }
void extract_conv_3d(Node& node) { extract_convolution(node, "dhw", "*IO"); }
void extract_transpose_conv(Node& node) { extract_backprop(node, "hw", "O*I"); }
void extract_conv_3d_transpose(Node& node) { extract_backprop(node, "dhw", "*OI"); }

/// MediaPipe's: (x, filter [O, H, W, I], bias), padding (1 SAME, 2 VALID), stride_w, stride_h.
void extract_convolution_2d_transpose_bias(Node& node) {
  require_input(node, 0);
  const Ints options = node.get_ints("custom_options");
  if (options.size() < 3 || options[0] < 1 || options[0] > 2 || options[1] < 1 || options[2] < 1)
    throw Error(Code::BadAttribute, "its options: want padding, stride_w and stride_h");
  const OutPort filter = filter_of(node, "O*I", 2, true);
  node.in(1).connect(filter);
  node.attributes.erase("custom_options");
  set_axes(node, 2);
  node.set("strides", Ints{options[2], options[1]});
  node.set("dilations", Ints{1, 1});
  node.set("same", options[0] == 1);
  node.set_op("LiteDeconvolution");
}

}  // namespace mo::tflite
