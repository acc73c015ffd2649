// Convolutions and transposed ones, of data with or without a batch.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"
#include "core/ops/window.h"

namespace mo::pytorch {
namespace {

/// "same" or "valid", or numbers.
void set_padding(const Node& node, SpatialWindow& window) {
  const size_t axes = window.axes();
  const std::string word = node.get_string("padding");
  if (word == "valid") return;
  if (word.empty()) {
    window.pads_begin = window.pads_end = ints_of_axes(node, "padding", axes);
    return;
  }
  if (word != "same") throw Error(Code::BadAttribute, msg("padding is '", printable(word), "'"));
  const Ints kernel = sizes_of(node, "weight");
  for (size_t i = 0; i < axes; ++i) {
    if (i + 2 >= kernel.size() || kernel[i + 2] < 1)
      throw Error(Code::UnsupportedForm, "padding 'same' of an unknown kernel");
    const int64_t more = window.dilations[i] * (kernel[i + 2] - 1);
    window.pads_begin[i] = more / 2;
    window.pads_end[i] = more - more / 2;
  }
}

void convolve(Node& node, bool transposed) {
  const int64_t rank = rank_of(node, "weight");
  if (rank < 3 || rank > 5) throw Error(Code::BadAttribute, msg("a kernel of ", rank, " dimensions"));
  const auto axes = static_cast<size_t>(rank - 2);
  SpatialWindow window(axes);
  window.strides = ints_of_axes(node, "stride", axes);
  window.dilations = ints_of_axes(node, "dilation", axes);
  set_padding(node, window);
  Attributes attributes{{"group", int_of(node, "groups")}};
  if (transposed) attributes.set("output_padding", ints_of_axes(node, "output_padding", axes));
  const OutPort x = required(node, "input"), weight = required(node, "weight"), bias = input(node, "bias");
  std::vector<OutPort> sources{x, weight};
  if (bias) sources.push_back(bias);
  const char* op = transposed ? "Deconvolution" : "Conv";
  if (rank_of(node, "input") == rank) {
    become(node, op, sources, std::move(attributes));
    return window.set(node);
  }
  Builder b(node);
  sources[0] = b.unsqueeze(x, {0});
  Node& made = b.node(op, sources, std::move(attributes));
  window.set(made);
  give(node, {b.squeeze(made.out(0), {0})});
}

}  // namespace

void extract_conv(Node& node) { convolve(node, false); }
void extract_conv_transpose(Node& node) { convolve(node, true); }
void extract_convolution(Node& node) { convolve(node, int_of(node, "transposed") != 0); }

}  // namespace mo::pytorch
