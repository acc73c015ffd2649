// Convolutions and transposed ones. Filters have the order of the data: [outputs, inputs / groups, …], with channels
// last [outputs, …, inputs / groups]; transposed convolutions have inputs and outputs in each other's place.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/mxnet/extract/window.h"
#include "core/ops/filter_order.h"

namespace mo::mxnet {
namespace {

/// Data, filter and, unless no_bias, the bias.
std::vector<OutPort> sources_of(const Node& node, bool no_bias) {
  std::vector<OutPort> out{required(node, 0), required(node, 1)};
  if (!bool_of(node, "no_bias", no_bias)) out.push_back(required(node, 2));
  return out;
}

void convolve(Node& node, bool transposed) {
  const SpatialWindow window = window_of(node);
  const bool last = has_channels_last(node);
  const std::vector<OutPort> sources = sources_of(node, transposed);
  Attributes attributes{{"group", limited_int(node, "num_group", 1, 1)}};
  SpatialWindow own = window;
  if (transposed) {
    const Ints target = ints_of(node, "target_shape");
    if (std::any_of(target.begin(), target.end(), [](int64_t size) { return size != 0; })) {
      // The padding follows from these sizes; an odd element of it is at the beginning.
      attributes.set("output_shape", sizes_of(node, "target_shape", window.axes(), 0, 1));
      own.auto_pad = AutoPad::SameLower;
    } else if (!ints_of(node, "adj").empty()) {
      attributes.set("output_padding", sizes_of(node, "adj", window.axes(), 0, 0));
    }
  }
  become(node, transposed ? "Deconvolution" : "Conv", sources, std::move(attributes));
  own.set(node);
  if (!last) return;
  set_last_channels(node, window.axes());
  FilterOrder(transposed ? "I*O" : "O*I", window.axes()).set(node);
}

}  // namespace

void extract_convolution(Node& node) { convolve(node, false); }
void extract_deconvolution(Node& node) { convolve(node, true); }

}  // namespace mo::mxnet
