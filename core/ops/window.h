// The windows that slide over the spatial axes of data: of convolutions, transposed ones, pools and patches. Formats
// read theirs into a SpatialWindow; nothing else knows how they are written there.
#pragma once

#include "core/ops/op_def.h"

namespace mo {

/// Where padding comes from. In attributes: explicit, same_upper, same_lower, valid.
enum class AutoPad : uint8_t {
  Explicit,   ///< from pads
  SameUpper,  ///< as much as gives size / stride windows, rounded up; the odd element goes to the end
  SameLower,  ///< the same; the odd element goes to the beginning
  Valid,      ///< there is none
};
/// Letters of either case; NOTSET and an empty text are Explicit, too. nullopt for other texts.
std::optional<AutoPad> auto_pad_of(std::string_view text);
std::string_view name_of(AutoPad value);

/// How many windows there are if they do not end where the padded data does. In attributes: floor, ceil, ceil_torch,
/// ceil_caffe, starts. IR has the first three.
enum class Rounding : uint8_t {
  Floor,      ///< those that fit: also MXNet's "valid"
  Ceil,       ///< and one that does not fit: MXNet's "full", PaddlePaddle's ceil_mode
  CeilTorch,  ///< as Ceil, but none that starts in the padding at the end: ceil_mode of PyTorch and ONNX
  CeilCaffe,  ///< as Ceil; if any axis is padded, without the last one if that starts in the padding at the end
  Starts,     ///< all that start before the padding at the end: MXNet's "same"
};
std::string_view name_of(Rounding value);

/// The elements of a window by whose number an average divides. In attributes: data, padding, kernel, mirrored.
enum class Counted : uint8_t {
  Data,      ///< those of the data
  Padding,   ///< and those of the padding, but nothing behind it: count_include_pad of ONNX and MXNet; Caffe
  Kernel,    ///< all that the kernel has
  Mirrored,  ///< those of the data, of the padding at the beginning, and as many at the end: PaddlePaddle without
             ///< `exclusive`
};

/// The window along one spatial axis. Padding is that of `auto_pad` Explicit or Valid, or none.
struct WindowAxis {
  Interval kernel = 1;
  int64_t stride = 1, dilation = 1, pad_begin = 0, pad_end = 0;
  AutoPad auto_pad = AutoPad::Explicit;
  Rounding rounding = Rounding::Floor;

  /// The number of elements from the first to the last that the kernel covers.
  Interval extent() const;
  /// The number of windows. Throws ShapeMismatch when none can fit.
  Dimension output(Dimension input) const;
  /// The output's size if the window belongs to a transposed convolution; `output_padding` elements are added at the
  /// end.
  Dimension transposed_output(Dimension input, int64_t output_padding) const;
  /// The elements that SAME adds; nullopt if that depends on what is not known.
  std::optional<int64_t> same_padding(Dimension input) const;
  /// Whether the last window may start in the padding at the end of an input of some size.
  bool may_start_in_padding() const;
  /// The padding at the end with which exactly output() windows fit, so that all rules of rounding agree. May be
  /// negative.
  struct Fit {
    int64_t pad_end = 0;
    bool bare = false;     ///< the last window covers nothing of the data, or may do so if its size is not known
    bool surplus = false;  ///< that window may be one that the rule does not have
  };
  Fit rounded_down(Dimension input) const;
};

/// The windows along all spatial axes, in the order of spatial_dims.
struct SpatialWindow {
  Ints kernel;  ///< empty where weights have it
  Ints strides, dilations, pads_begin, pads_end;
  AutoPad auto_pad = AutoPad::Explicit;
  Rounding rounding = Rounding::Floor;
  Counted counted = Counted::Data;

  explicit SpatialWindow(size_t axes) : strides(axes, 1), dilations(axes, 1), pads_begin(axes, 0), pads_end(axes, 0) {}
  /// By the attributes of an operation of a framework (kernel_shape, strides, dilations, pads: all begins before all
  /// ends, auto_pad, ceil_mode or rounding_type, count_include_pad or counted), or of IR (kernel or sizes, pads_begin,
  /// pads_end, rounding_type, exclude_pad). Throws BadAttribute.
  SpatialWindow(const Node& node, size_t axes);
  /// Writes the attributes of a framework's operation.
  void set(Node& node) const;

  size_t axes() const { return strides.size(); }
  bool is_same() const { return auto_pad == AutoPad::SameUpper || auto_pad == AutoPad::SameLower; }
  WindowAxis axis(size_t i, Interval size_of_kernel) const;
  WindowAxis axis(size_t i) const { return axis(i, kernel.empty() ? Interval(1) : Interval(kernel[i])); }

  /// strides, dilations, pads_begin, pads_end and auto_pad, as IR's operations have them.
  Attributes attributes() const;
  /// Makes SAME padding of data of this size explicit; nothing else changes. False, and nothing changes at all, if the
  /// padding depends on what is not known.
  bool pad_explicitly(const std::vector<Dimension>& input, const std::vector<Dimension>& kernels);
  /// The same for data with unknown sizes only: runtimes would forget the known ones, too.
  void pad_known_sizes(const std::vector<Dimension>& input, const std::vector<Dimension>& kernels);
  /// The same windows over data of this size by a rule that IR has: of those that agree, the one that the oldest
  /// runtimes know. Throws UnsupportedForm if a window covers no data, or if no rule gives the windows for each size
  /// that the data may have.
  SpatialWindow in_ir(const std::vector<Dimension>& input) const;
};

/// The number of spatial axes of an operation of IR, which has `strides` for each of them.
size_t spatial_axes(const Node& node);
/// strides, dilations, pads_begin, pads_end and auto_pad, as convolutions write them.
void add_window_attributes(const Node& node, IrAttributes& attributes);
/// pads_begin and pads_end: zeros unless auto_pad is explicit.
void add_pad_attributes(const SpatialWindow& window, IrAttributes& attributes);

/// The attribute, or `axes` copies of `otherwise`. Throws BadAttribute when it has another number of elements.
Ints ints_of_axes(const Node& node, std::string_view key, size_t axes, int64_t otherwise);

}  // namespace mo
