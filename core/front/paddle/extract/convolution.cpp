// Convolutions, transposed and deformable ones. Filters are [outputs, inputs / groups, …], of transposed convolutions
// [inputs, outputs / groups, …], whatever the format of the data is.

#include "core/base/text.h"
#include "core/front/paddle/extract/activation.h"
#include "core/front/paddle/extract/window.h"

namespace mo::paddle {
namespace {

int64_t groups_of(const Node& node, std::string_view attribute = "groups") {
  const int64_t groups = node.get_int(attribute, 1);
  if (groups < 1) throw Error(Code::BadAttribute, msg(attribute, " is ", groups));
  return groups;
}

/// Programs prepared for oneDNN have a sum and an activation in the convolution.
void extract_convolution(Node& node, size_t axes) {
  const SpatialWindow window = window_of(node, axes);
  const bool last = channels_last(node);
  const int64_t groups = groups_of(node);
  const std::string activation = node.get_string("fuse_activation");
  const double alpha = node.get_float("fuse_alpha"), beta = node.get_float("fuse_beta");
  const OutPort x = required(node, "Input"), filter = required(node, "Filter"), bias = input(node, "Bias"),
                added = input(node, "ResidualData");
  std::vector<OutPort> sources{x, filter};
  if (bias || added) sources.push_back(bias);
  if (added) sources.push_back(added);
  const char* op = added ? "FusedConv" : "Conv";
  Node* made = &node;
  if (is_one_of(activation, {"", "identity"})) {
    become(node, op, sources, {{"group", groups}}, {"Output"});
  } else {
    Builder b(node);
    made = &b.node(op, sources, {{"group", groups}}, 1);
    give(node, {{"Output", activated(b, made->out(0), activation, alpha, beta)}});
  }
  window.set(*made);
  if (last) set_last_channels(*made, axes);
}

/// Where the size of the result or the padding depends on the input, they are settled when its size is known.
void extract_transposed(Node& node, size_t axes) {
  const SpatialWindow window = window_of(node, axes);
  const bool last = channels_last(node);
  Attributes attributes{{"group", groups_of(node)}};
  const OutPort size = sizes_of(node, "output_size");
  if (!size && !ints_of(node, "output_padding").empty())
    attributes.set("output_padding", numbers_of(node, "output_padding", axes, 0));
  const OutPort x = required(node, "Input"), filter = required(node, "Filter"), bias = input(node, "Bias");
  std::vector<OutPort> sources{x, filter};
  if (bias || size) sources.push_back(bias);
  if (size) sources.push_back(size);
  const bool plain = !size && !window.is_same();
  become(node, plain ? "Deconvolution" : "SizedDeconvolution", sources, std::move(attributes), {"Output"});
  window.set(node);
  if (last) set_last_channels(node, axes);
}

}  // namespace

void extract_conv2d(Node& node) { extract_convolution(node, 2); }
void extract_conv3d(Node& node) { extract_convolution(node, 3); }
void extract_conv2d_transpose(Node& node) { extract_transposed(node, 2); }
void extract_conv3d_transpose(Node& node) { extract_transposed(node, 3); }

/// The first form has no Mask.
void extract_deformable_conv(Node& node) {
  const SpatialWindow window = window_of(node, 2);
  const int64_t groups = groups_of(node), offset_groups = groups_of(node, "deformable_groups");
  const OutPort x = required(node, "Input"), filter = required(node, "Filter"), offset = required(node, "Offset");
  std::vector<OutPort> sources{x, filter, offset};
  if (const OutPort mask = input(node, "Mask")) sources.insert(sources.end(), {OutPort(), mask});
  become(node, "DeformConv", sources, {{"group", groups}, {"offset_group", offset_groups}}, {"Output"});
  window.set(node);
}

}  // namespace mo::paddle
