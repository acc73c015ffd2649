// Convolution, GroupConvolution (opset1): data [N, C, spatial…], weights [O, I, kernel…] or, grouped,
// [G, O/G, I/G, kernel…].
// ConvolutionBackpropData, GroupConvolutionBackpropData (opset1): weights [I, O, kernel…] or [G, I/G, O/G, kernel…];
// optional input 2 holds the output's spatial dimensions.
// The data may have another order (spatial_dims); weights may not.
// Attributes: strides, dilations, pads_begin, pads_end, auto_pad; transposed also output_padding.

#include "core/ops/elementwise.h"
#include "core/ops/spatial.h"
#include "core/ops/window.h"

namespace mo {
namespace {

/// What the two shapes of a convolution have in common, after checking that they fit.
struct ConvolutionShapes {
  ConvolutionShapes(InferContext& c, bool is_grouped, bool is_transposed)
      : data(c.shape(0)), weights(c.shape(1)), first(is_grouped ? 3 : 2) {
    c.require_rank(0, 3, 5);
    c.require_rank(1, 3 + static_cast<int>(first) - 2, 5 + static_cast<int>(first) - 2);
    if (!data.has_rank() && !weights.has_rank()) return;
    rank = data.has_rank() ? data.dimensions().size() : weights.dimensions().size() - first + 2;
    const int want = static_cast<int>(rank - 2 + first);
    c.require_rank(1, want, want);
    out.assign(rank, kAnyDimension);
    dims = spatial_dims(c.node(), rank);
    if (data.has_rank()) out[dims.batch] = data[dims.batch];
    if (!weights.has_rank()) return;
    const size_t o = first - (is_transposed ? 1 : 2), i = first - (is_transposed ? 2 : 1);
    const Dimension groups = is_grouped ? weights[0] : Dimension(1);
    const Dimension channels = groups * weights[i];
    out[dims.channel] = groups * weights[o];
    if (data.has_rank() && !intersect(data[dims.channel], channels))
      c.fail(Code::ShapeMismatch, msg("the input has ", to_string(data[dims.channel]),
                                      " channels, the weights ask for ", to_string(channels)));
  }
  Dimension input(size_t axis) const { return data.has_rank() ? data[dims.spatial[axis]] : kAnyDimension; }
  Dimension& output(size_t axis) { return out[dims.spatial[axis]]; }
  Dimension kernel(size_t axis) const {
    return weights.has_rank() ? weights[axis + first] : Dimension(1, Interval::kInfinity);
  }

  const PartialShape &data, &weights;
  size_t first;  ///< the weights' first spatial axis
  size_t rank = 0;
  SpatialDims dims;
  std::vector<Dimension> out;
};

void infer_convolution(InferContext& c) {
  ConvolutionShapes shapes(c, c.node().op() == "GroupConvolution", false);
  if (shapes.rank == 0) return c.set(0, {}, c.type(0));
  const SpatialWindow window(c.node(), shapes.rank - 2);
  for (size_t i = 0; i < window.axes(); ++i)
    shapes.output(i) = window.axis(i, shapes.kernel(i)).output(shapes.input(i));
  c.set(0, shapes.out, common_type(c));
}

void infer_convolution_backprop(InferContext& c) {
  ConvolutionShapes shapes(c, c.node().op() == "GroupConvolutionBackpropData", true);
  if (shapes.rank == 0) return c.set(0, {}, c.type(0));
  const Ints more = c.node().get_ints("output_padding", Ints(shapes.rank, 0));
  const auto& asked = c.ints(2);
  if (asked && asked->elements.size() != shapes.rank - 2)
    c.fail(Code::ShapeMismatch,
           msg(asked->elements.size(), " output dimensions for ", shapes.rank - 2, " spatial axes"));
  const SpatialWindow window(c.node(), shapes.rank - 2);
  for (size_t i = 0; i < window.axes(); ++i) {
    if (asked)
      shapes.output(i) = to_dimension(asked->elements[i]);
    else if (!c.has_in(2))
      shapes.output(i) =
          window.axis(i, shapes.kernel(i)).transposed_output(shapes.input(i), i < more.size() ? more[i] : 0);
  }
  c.set(0, shapes.out, common_type(c));
}

void attributes_convolution_backprop(const Node& n, IrAttributes& a) {
  add_window_attributes(n, a);
  a.add("output_padding", n.get_ints("output_padding", Ints(spatial_axes(n), 0)));
}

constexpr OpDef convolution(std::string_view type) {
  return {.op = type,
          .type = type,
          .version = "opset1",
          .infer = infer_convolution,
          .ir_attributes = add_window_attributes,
          .layout = spatial_layout(1)};
}
constexpr OpDef convolution_backprop(std::string_view type) {
  return {.op = type,
          .type = type,
          .version = "opset1",
          .infer = infer_convolution_backprop,
          .ir_attributes = attributes_convolution_backprop,
          .layout = spatial_layout(1)};
}

constexpr OpDef kConvolutionDefs[] = {
    convolution("Convolution"),
    convolution("GroupConvolution"),
    convolution_backprop("ConvolutionBackpropData"),
    convolution_backprop("GroupConvolutionBackpropData"),
};

}  // namespace

OpFamily ops_Convolution() { return kConvolutionDefs; }

}  // namespace mo
