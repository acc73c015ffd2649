// Pooling. Averages do not count padding.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/extract/window.h"

namespace mo::tflite {
namespace {

void extract_pooling(Node& node, const char* method) {
  require_input(node, 0);
  Ints kernel;
  for (const char* key : {"filter_height", "filter_width"}) {
    kernel.push_back(node.get_int(key));
    if (kernel.back() < 1) throw Error(Code::BadAttribute, msg(key, " is ", kernel.back()));
    node.attributes.erase(key);
  }
  set_axes(node, 2);
  SpatialWindow window = take_window(node, "hw");
  window.kernel = kernel;
  window.set(node);
  node.set("pool_method", std::string(method));
  node.set_op("Pooling");
}

}  // namespace

void extract_average_pool(Node& node) { extract_pooling(node, "avg"); }
void extract_max_pool(Node& node) { extract_pooling(node, "max"); }

/// The root of the average of squares.
void extract_l2_pool(Node& node) {
  extract_pooling(node, "avg");
  Builder b(node);
  const OutPort x = node.source(0), squares = b.op("Mul", {x, x});
  node.in(0).connect(squares);
  Node& root = b.node("Sqrt", {OutPort()});
  node.out(0).connection().set_source(root.out(0), TensorNames::Merge);
  node.out(0).connect(root.in(0));
}

/// MediaPipe's. Options: the structure of a Pool2D with padding 1 SAME, 2 VALID.
void extract_max_pooling_with_argmax(Node& node) {
  const Ints options = node.get_ints("custom_options");
  if (options.size() < 5 || options[0] < 1 || options[0] > 2)
    throw Error(Code::BadAttribute, "its options: want padding, strides and sizes");
  node.attributes.erase("custom_options");
  node.set("padding", options[0] - 1);
  node.set("stride_w", options[1]);
  node.set("stride_h", options[2]);
  node.set("filter_width", options[3]);
  node.set("filter_height", options[4]);
  extract_pooling(node, "max");
  if (node.out_count() < 2) return;
  // The places count within a window. They are larger by 0.1, so that rounding does not change them.
  const Ints kernel = node.get_ints("kernel_shape");
  if (node.get_ints("strides") != kernel) throw Error(Code::UnsupportedForm, "places within windows that overlap");
  Node& within =
      Builder(node).node("PlaceInWindow", {OutPort(), node.source(0)}, {{"height", kernel[0]}, {"width", kernel[1]}});
  node.out(1).connection().set_source(within.out(0));
  within.in(0).connect(node.out(1));
}

}  // namespace mo::tflite
