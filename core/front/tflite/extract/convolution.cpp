// Convolutions and transposed convolutions.

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/extract/window.h"

namespace mo::tflite {
namespace {

/// (x, filter, bias): `order` turns the filter to [O, I, spatial…], with the outputs of all groups in O.
void extract_convolution(Node& node, std::string_view axes, const Ints& order) {
  require_input(node, 0);
  const OutPort filter = turned_weights(node, 1, order);
  node.in(1).connect(filter);
  set_axes(node, static_cast<int64_t>(axes.size()));
  set_window(node, axes);
  node.set_op("Conv");
}

/// (sizes of the result, filter, x, bias): `order` turns the filter to [I, O, spatial…].
void extract_backprop(Node& node, std::string_view axes, const Ints& order) {
  for (const int i : {0, 2}) require_input(node, i);
  const OutPort sizes = node.source(0), filter = turned_weights(node, 1, order), bias = node.source(3);
  const OutPort x = node.source(2);
  node.truncate_in_ports(0);
  node.add_in_ports(4);
  node.in(0).connect(x);
  node.in(1).connect(filter);
  if (bias) node.in(2).connect(bias);
  node.in(3).connect(sizes);
  set_axes(node, static_cast<int64_t>(axes.size()));
  set_window(node, axes);
  node.set("auto_pad", std::string("SAME_UPPER"));  // SAME and VALID differ in the sizes of the result only
  node.set_op("Deconvolution");
}

}  // namespace

/// Filter [O, H, W, I].
void extract_conv_2d(Node& node) { extract_convolution(node, "hw", {0, 3, 1, 2}); }
/// Filter [1, H, W, O], where the outputs of a channel follow one another.
void extract_depthwise_conv_2d(Node& node) { extract_convolution(node, "hw", {3, 0, 1, 2}); }
/// Filter [D, H, W, I, O].
void extract_conv_3d(Node& node) { extract_convolution(node, "dhw", {4, 3, 0, 1, 2}); }
/// Filter [O, H, W, I].
void extract_transpose_conv(Node& node) { extract_backprop(node, "hw", {3, 0, 1, 2}); }
/// Filter [D, H, W, O, I].
void extract_conv_3d_transpose(Node& node) { extract_backprop(node, "dhw", {4, 3, 0, 1, 2}); }

/// MediaPipe's: (x, filter [O, H, W, I], bias), padding (1 SAME, 2 VALID), stride_w, stride_h.
void extract_convolution_2d_transpose_bias(Node& node) {
  require_input(node, 0);
  const Ints options = node.get_ints("custom_options");
  if (options.size() < 3 || options[0] < 1 || options[0] > 2 || options[1] < 1 || options[2] < 1)
    throw Error(Code::BadAttribute, "its options: want padding, stride_w and stride_h");
  const OutPort filter = turned_weights(node, 1, {3, 0, 1, 2});
  node.in(1).connect(filter);
  node.attributes.erase("custom_options");
  set_axes(node, 2);
  node.set("strides", Ints{options[2], options[1]});
  node.set("dilations", Ints{1, 1});
  node.set("same", options[0] == 1);
  node.set_op("LiteDeconvolution");
}

}  // namespace mo::tflite
