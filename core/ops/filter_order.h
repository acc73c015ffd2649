// Where the axes of a convolution's filter are: formats have them in different orders, IR has one.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// The axes of a filter by name, in the order in which it has them: O outputs, I inputs, the spatial axes D, H, W, and
/// G groups if these have an axis of their own; then O and I are those of one group. A depthwise filter has G without
/// I, as each group has one input.
class FilterOrder {
 public:
  /// `axes` with the names of the spatial axes in place of `*`: "OI*" (ONNX, Caffe, PaddlePaddle), "*IO" (TensorFlow),
  /// "O*I" (TensorFlow Lite, MXNet's NHWC), "*GO" (TensorFlow's depthwise); of transposed convolutions "IO*", "*OI".
  /// Throws UnsupportedForm unless there are 1 to 3 spatial axes.
  FilterOrder(std::string_view axes, size_t spatial_axes);
  /// By attributes input_feature_channel, output_feature_channel and kernel_spatial_idx of a node whose filter has this
  /// rank, -1 if it is unknown; nullopt without them. The two channels of a depthwise filter are the axis of its
  /// groups. Throws BadAttribute unless they come together, BadValue and ShapeMismatch unless they name each axis once,
  /// UnsupportedForm for an unknown rank.
  static std::optional<FilterOrder> of(const Node& node, int rank);
  /// Sets these attributes.
  void set(Node& node) const;

  bool is_depthwise() const { return axes_.find('I') == std::string::npos; }
  /// The axis of the inputs; of a depthwise filter that of its groups.
  size_t inputs() const { return axes_.find(is_depthwise() ? 'G' : 'I'); }
  /// The order of axes that turns the filter into "OI*", of a transposed convolution "IO*", of a depthwise one "GO*".
  Ints to_ir(bool transposed) const;

 private:
  explicit FilterOrder(std::string axes) : axes_(std::move(axes)) {}

  std::string axes_;
};

}  // namespace mo
