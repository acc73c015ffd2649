// Before: y = Deconvolution(x, W, bias) {group, strides, pads, output_padding, output_shape…}      ONNX's ConvTranspose
// After:  y = ConvolutionBackpropData(x, W) or GroupConvolutionBackpropData(x, W as [G, I/G, O/G, …]) [+ bias]
// Padding that follows from a wanted output shape becomes explicit; only where the input's size is not known the wanted
// shape is input 2. There ONNX's SAME_UPPER (the odd element goes to the end) is IR's same_lower and the other way
// round. Conditions: 1 to 3 spatial dimensions.

#include "core/decompose/convolution.h"
#include "core/decompose/window.h"
#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDeconvolution final : public Decomposition {
 public:
  Names ops() const override { return {"Deconvolution"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), weights = node.source(1);
    const size_t axes = spatial_axes_of(node, 1);
    const int64_t group = node.get_int("group");
    Attributes window = window_attributes(node, axes);
    window.set("output_padding", ints_of_axes(node, "output_padding", axes, 0));
    std::vector<OutPort> inputs{x, group == 1 ? weights : grouped_weights(b, weights, group)};
    if (const OutPort shape = pad_for_output_shape(b, node, axes, window)) inputs.push_back(shape);
    const OutPort y = b.op(group == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", inputs, window);
    return {node.has_in(2) ? add_bias(b, y, node.source(2), axes) : y};
  }

 private:
  /// Makes the padding explicit; gives the input that asks for a shape where that cannot be done.
  static OutPort pad_for_output_shape(Builder& b, const Node& node, size_t axes, Attributes& window) {
    const bool upper = node.get_string("auto_pad") == "SAME_UPPER",
               same = upper || node.get_string("auto_pad") == "SAME_LOWER";
    Ints wanted = node.get_ints("output_shape");
    if (wanted.size() == axes + 2)
      wanted.erase(wanted.begin(), wanted.begin() + 2);  // some exporters give all dimensions
    window.set("auto_pad", std::string("explicit"));
    if (wanted.empty() && !same) return {};
    if (!wanted.empty() && wanted.size() != axes)
      throw Error(Code::BadAttribute, cat("output_shape has ", wanted.size(), " numbers for ", axes, " axes"));

    for (const int64_t size : wanted)
      if (size < 0 || size > INT32_MAX) throw Error(Code::BadAttribute, cat("output_shape holds ", size));

    const PartialShape &data = node.source(0).tensor().shape, &kernel = node.source(1).tensor().shape;
    if (kernel.has_rank() && kernel.dimensions().size() != axes + 2)
      throw Error(Code::RankMismatch, cat("the weights are [", to_string(kernel), "] for ", axes, " spatial axes"));
    Ints begin(axes), end(axes), more = *window.get_if<Ints>("output_padding");
    for (size_t i = 0; i < axes; ++i) {
      const int64_t stride = (*window.get_if<Ints>("strides"))[i], dilation = (*window.get_if<Ints>("dilations"))[i];
      const Interval extent = kernel.has_rank() ? (kernel[i + 2] - 1) * dilation + 1 : Interval();
      // SAME asks for stride * input elements, whatever the input is.
      const Interval total =
          wanted.empty() ? extent + more[i] - stride
                         : (data.has_rank() ? (data[i + 2] - 1) * stride : Interval()) + extent + more[i] - wanted[i];
      if (!total.is_exact()) {
        if (wanted.empty()) throw Error(Code::UnsupportedForm, "auto_pad with a kernel of unknown size");
        window.set("auto_pad", std::string(upper ? "same_lower" : "same_upper"));
        return b.i64(wanted);
      }
      if (total.min < 0) {
        more[i] -= total.min;
        continue;
      }
      begin[i] = upper ? total.min / 2 : total.min - total.min / 2;
      end[i] = total.min - begin[i];
    }
    window.set("pads_begin", begin);
    window.set("pads_end", end);
    window.set("output_padding", more);
    return {};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDeconvolution)
}  // namespace mo
