// Convolutions and transposed convolutions. Filters have the spatial axes first: [H, W, I, O].

#include "core/front/tf/extract/data_format.h"
#include "core/front/tf/extract/extractor.h"
#include "core/front/tf/extract/inputs.h"

namespace mo::tf {
namespace {

/// The names of the axes of a filter.
void set_filter_axes(Node& node, int64_t spatial_axes, int64_t in, int64_t out) {
  Ints kernel;
  for (int64_t i = 0; i < spatial_axes; ++i) kernel.push_back(i);
  node.set("kernel_spatial_idx", kernel);
  node.set("input_feature_channel", in);
  node.set("output_feature_channel", out);
}

void extract_convolution(Node& node, int64_t spatial_axes, bool depthwise) {
  require_input(node, 0);
  require_input(node, 1);
  const DataFormat format = data_format(node, spatial_axes);
  set_axes(node, format);
  set_window(node, format);
  set_filter_axes(node, spatial_axes, spatial_axes, depthwise ? spatial_axes : spatial_axes + 1);
  node.set_op("Conv");
}

/// (sizes of the result, filter [H, W, O, I], x): the gradient of a convolution is a transposed one. SAME and VALID
/// differ in the sizes of the result only, which are given.
void extract_backprop(Node& node, int64_t spatial_axes, bool depthwise = false) {
  require_input(node, 0);
  const OutPort sizes = node.source(0);
  reorder_inputs(node, {2, 1});
  node.add_in_ports(4);
  node.in(3).connect(sizes);
  const DataFormat format = data_format(node, spatial_axes);
  set_axes(node, format);
  set_window(node, format);
  if (!node.has("pads")) node.set("auto_pad", std::string("SAME_UPPER"));
  set_filter_axes(node, spatial_axes, depthwise ? spatial_axes : spatial_axes + 1, spatial_axes);
  node.set_op("Deconvolution");
}

}  // namespace

void extract_conv2d(Node& node) { extract_convolution(node, 2, false); }
void extract_conv3d(Node& node) { extract_convolution(node, 3, false); }
void extract_depthwise(Node& node) { extract_convolution(node, 2, true); }
void extract_conv2d_backprop(Node& node) { extract_backprop(node, 2); }
void extract_depthwise_backprop(Node& node) { extract_backprop(node, 2, true); }
void extract_conv3d_backprop(Node& node) { extract_backprop(node, 3); }

}  // namespace mo::tf
