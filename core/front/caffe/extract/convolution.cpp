// Convolution and Deconvolution: one or more bottoms, weights, bias.

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"
#include "core/front/caffe/extract/window.h"
#include "core/front/common/inputs.h"

namespace mo::caffe {
namespace {

constexpr size_t kMostAxes = 3;

size_t rank_of_weights(const Node& node) {
  const OutPort weights = blob_of(node, 0);
  const Constant* value = weights ? weights.node().get_constant("value") : nullptr;
  return value ? value->shape.size() : 0;
}

/// Weights of today have a dimension for each axis, those of old files always two.
size_t axes_of(const Node& node) {
  size_t axes = 2;
  if (const auto named = named_axes(node))
    axes = *named;
  else if (const size_t rank = rank_of_weights(node); rank > 2)
    axes = rank - 2;
  if (axes > kMostAxes) throw Error(Code::UnsupportedForm, msg("a window over ", axes, " axes"));
  return axes;
}

/// Intel's fork adds a second bottom to the result.
OutPort fused_summand(const Node& node) {
  if (node.get_string("fusion_type", "UNFUSED") == "UNFUSED") return {};
  if (bottoms_of(node) != 2) throw Error(Code::BadAttribute, msg("a sum with ", bottoms_of(node), " bottoms"));
  for (const double factor : node.get_floats("coeff"))
    if (factor != 1) throw Error(Code::UnsupportedForm, msg("a sum with the factor ", factor));
  return node.source(1);
}

void extract(Node& node, bool transposed, bool by_channel = false) {
  require_input(node, 0);
  const size_t axes = axes_of(node);
  if (node.get_int("axis", 1) != 1)
    throw Error(Code::UnsupportedForm, msg("channels along axis ", node.get_int("axis")));
  SpatialWindow window(axes);
  window.kernel = sizes_of(node, "kernel_size", axes, 0, 1);
  window.strides = sizes_of(node, "stride", axes, 1, 1);
  window.dilations = sizes_of(node, "dilation", axes, 1, 1);
  window.pads_begin = window.pads_end = sizes_of(node, "pad", axes, 0, 0);
  const int64_t outputs = node.get_int("num_output"), given = node.get_int("group", 1),
                group = by_channel && given == 1 ? outputs : given;
  if (outputs < 1 || group < 1 || outputs % group != 0)
    throw Error(Code::BadAttribute, msg("num_output is ", outputs, ", group ", group));
  Ints shape = transposed ? Ints{-1, outputs / group} : Ints{outputs, -1};
  shape.insert(shape.end(), window.kernel.begin(), window.kernel.end());
  const OutPort summand = fused_summand(node);
  std::vector<OutPort> inputs{node.source(0), shaped_blob(node, 0, shape, {.parts = transposed ? 1 : group})};
  if (node.get_bool("bias_term", true)) inputs.push_back(shaped_blob(node, 1, {outputs}));
  const bool relu = node.get_bool("relu");
  const double slope = node.get_float("negative_slope");
  become(node, transposed ? "Deconvolution" : "Conv", inputs);
  node.set("group", group);
  window.set(node);
  Node* last = &node;
  if (summand) {
    last = &add_behind(node, "Add");
    last->add_in_ports(2);
    last->in(1).connect(summand);
  }
  if (relu) add_relu(*last, slope);
}

}  // namespace

void extract_convolution(Node& node) { extract(node, false); }
void extract_deconvolution(Node& node) { extract(node, true); }
/// What a convolution multiplies at each place: for each channel the numbers of the window.
void extract_im2col(Node& node) {
  require_input(node, 0);
  if (const size_t axes = named_axes(node).value_or(2); axes != 2)
    throw Error(Code::UnsupportedForm, msg("a window over ", axes, " axes"));
  if (node.get_int("axis", 1) != 1)
    throw Error(Code::UnsupportedForm, msg("channels along axis ", node.get_int("axis")));
  SpatialWindow window(2);
  window.kernel = sizes_of(node, "kernel_size", 2, 0, 1);
  window.strides = sizes_of(node, "stride", 2, 1, 1);
  window.dilations = sizes_of(node, "dilation", 2, 1, 1);
  window.auto_pad = AutoPad::Valid;
  const Ints pads = sizes_of(node, "pad", 2, 0, 0);
  Builder b(node);
  OutPort x = node.source(0);
  if (pads[0] > 0 || pads[1] > 0) {
    const OutPort sizes = b.i64({0, 0, pads[0], pads[1]});
    x = b.op("Pad", {x, sizes, sizes, b.f32_scalar(0)}, {{"mode", "constant"}});
  }
  Node& patches = b.node("ExtractImagePatches", {x}, {{"sizes", window.kernel}});
  window.set(patches);
  become(node, "ShuffleChannels", {patches.out(0)});
  node.set("axis", int64_t{1});
  node.set("group", window.kernel[0] * window.kernel[1]);
}

/// Without `group` each channel is one.
void extract_depthwise_convolution(Node& node) { extract(node, false, true); }

}  // namespace mo::caffe
