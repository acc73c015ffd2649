// Before: y = Deconvolution(x, W, bias) {group, strides, pads, output_padding, output_shape…}      ONNX's ConvTranspose
// After:  y = ConvolutionBackpropData(x, W) or GroupConvolutionBackpropData(x, W as [G, I/G, O/G, …]) [+ bias]
// The shape of y may also be input 3, with all dimensions in the framework's order.
// output_shape and auto_pad become explicit padding. Only if a size is unknown, output_shape becomes input 2; then
// ONNX's SAME_UPPER (the odd element goes to the end) is IR's same_lower and vice versa. Data and weights may have
// another order of axes (batch_dims…, kernel_spatial_idx…).
// Conditions: 1 to 3 spatial dimensions.

#include "core/decompose/spatial/convolution.h"
#include "core/decompose/spatial/window.h"
#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeDeconvolution final : public Decomposition {
 public:
  Names ops() const override { return {"Deconvolution"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const SpatialDims dims = data_dims_of(node, 1);
    const auto [weights, group] = ordered_weights(b, node, dims, true);
    Transposed window{SpatialWindow(node, dims.spatial.size()),
                      ints_of_axes(node, "output_padding", dims.spatial.size(), 0)};
    std::vector<OutPort> inputs{node.source(0), group == 1 ? weights : grouped_weights(b, weights, group)};
    if (const OutPort shape = pad_for_output_shape(b, node, dims, weights.tensor().shape, window))
      inputs.push_back(shape);
    Attributes attributes = window_attributes(node, window);
    attributes.set("output_padding", window.output_padding);
    const OutPort y = b.op(group == 1 ? "ConvolutionBackpropData" : "GroupConvolutionBackpropData", inputs, attributes);
    return {node.has_in(2) ? add_bias(b, y, node.source(2), dims) : y};
  }

 private:
  struct Transposed : SpatialWindow {
    Ints output_padding;
  };

  /// The spatial sizes in a tensor of all sizes; nullopt unless they are known.
  static std::optional<Ints> sizes_of(OutPort shape, const SpatialDims& dims) {
    const auto& known = shape.tensor().ints;
    if (!known) return std::nullopt;
    if (known->elements.size() != dims.rank())
      throw Error(Code::ShapeMismatch, msg(known->elements.size(), " sizes for ", dims.rank(), " dimensions"));
    Ints out;
    for (const size_t axis : dims.spatial) {
      if (!known->elements[axis].is_exact()) return std::nullopt;
      out.push_back(known->elements[axis].min);
    }
    return out;
  }

  /// With given padding, output_padding makes up the difference to the wanted sizes.
  static void fit_output_padding(const Node& node, const SpatialDims& dims, const PartialShape& kernel,
                                 const Ints& wanted, Transposed& window) {
    const PartialShape& data = node.source(0).tensor().shape;
    Ints more(wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!data.has_rank() || !kernel.has_rank()) throw Error(Code::UnsupportedForm, "padding of data of unknown rank");
      const Interval rest = Interval(wanted[i]) -
                            ((data[dims.spatial[i]] - 1) * window.strides[i] + window.axis(i, kernel[i + 2]).extent()) +
                            window.pads_begin[i] + window.pads_end[i];
      if (!rest.is_exact()) throw Error(Code::UnsupportedForm, "explicit padding of data whose size is not known");
      if (rest.min < 0) throw Error(Code::ShapeMismatch, msg("no input gives ", wanted[i], " elements"));
      more[i] = rest.min;
    }
    window.auto_pad = AutoPad::Explicit;
    window.output_padding = more;
  }

  /// Makes the padding explicit. Where that is not possible, returns the input with the output shape.
  static OutPort pad_for_output_shape(Builder& b, const Node& node, const SpatialDims& dims, const PartialShape& kernel,
                                      Transposed& window) {
    const size_t axes = dims.spatial.size();
    const bool upper = window.auto_pad == AutoPad::SameUpper, same = window.is_same();
    const AutoPad turned = upper ? AutoPad::SameLower : AutoPad::SameUpper;
    Ints wanted = node.get_ints("output_shape");
    if (const OutPort shape = node.source(3)) {
      const auto known = sizes_of(shape, dims);
      if (!known) {
        window.auto_pad = turned;
        return b.convert(b.gather(shape, b.i64(Ints(dims.spatial.begin(), dims.spatial.end())), 0), ElementType::I64);
      }
      wanted = *known;
      if (node.has("pads")) return fit_output_padding(node, dims, kernel, wanted, window), OutPort();
    }
    if (wanted.size() == dims.rank()) {
      const Ints all = wanted;  // some exporters give all dimensions
      wanted.resize(axes);
      for (size_t i = 0; i < axes; ++i) wanted[i] = all[dims.spatial[i]];
    }
    window.auto_pad = AutoPad::Explicit;
    if (wanted.empty() && !same) return {};
    if (!wanted.empty() && wanted.size() != axes)
      throw Error(Code::BadAttribute, msg("output_shape has ", wanted.size(), " numbers for ", axes, " axes"));

    for (const int64_t size : wanted)
      if (size < 0 || size > INT32_MAX) throw Error(Code::BadAttribute, msg("output_shape holds ", size));

    const PartialShape& data = node.source(0).tensor().shape;
    if (kernel.has_rank() && kernel.dimensions().size() != dims.rank())
      throw Error(Code::RankMismatch, msg("the weights are [", to_string(kernel), "] for ", axes, " spatial axes"));
    Ints begin(axes), end(axes), more = window.output_padding;
    for (size_t i = 0; i < axes; ++i) {
      const int64_t stride = window.strides[i];
      const Interval extent = kernel.has_rank() ? window.axis(i, kernel[i + 2]).extent() : Interval();
      // SAME means stride * input elements for any input.
      const Interval total = wanted.empty() ? extent + more[i] - stride
                                            : (data.has_rank() ? (data[dims.spatial[i]] - 1) * stride : Interval()) +
                                                  extent + more[i] - wanted[i];
      if (!total.is_exact()) {
        if (wanted.empty()) throw Error(Code::UnsupportedForm, "auto_pad with a kernel of unknown size");
        window.auto_pad = turned;
        return b.i64(wanted);
      }
      if (total.min < 0) {
        more[i] -= total.min;
        continue;
      }
      begin[i] = upper ? total.min / 2 : total.min - total.min / 2;
      end[i] = total.min - begin[i];
    }
    window.pads_begin = begin;
    window.pads_end = end;
    window.output_padding = more;
    return {};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeDeconvolution)
}  // namespace mo
