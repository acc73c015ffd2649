// Before: y = Col2Im(x [N, C * b1 * b2…, L], image_shape, block_shape) {strides, dilations, pads}
// After:  y = ConvolutionBackpropData(x as [N * C, b1 * b2…, l1, l2…], the identity as [b1 * b2…, 1, b1, b2…]), padded at
//         the end to the image where the blocks do not reach it
// Conditions: 1 to 3 spatial dimensions, told by the shape inputs.

#include "core/front/onnx/extractor.h"
#include "core/front/onnx/window.h"
#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeCol2Im final : public Decomposition {
 public:
  Names ops() const override { return {"Col2Im"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    for (int i = 0; i < 3; ++i) onnx::require_input(node, i);
    const OutPort x = node.source(0), image = b.convert(node.source(1), ElementType::I64), block = b.convert(node.source(2), ElementType::I64);
    const auto axes = static_cast<size_t>(number_of_axes(image, block));
    const Attributes window = onnx::window_attributes(node, axes);
    const Ints &strides = *window.get_if<Ints>("strides"), &dilations = *window.get_if<Ints>("dilations");
    Ints padding = *window.get_if<Ints>("pads_begin");
    for (size_t i = 0; i < axes; ++i) padding[i] += (*window.get_if<Ints>("pads_end"))[i];

    // How many blocks fit along each axis, and how far they reach.
    const OutPort ones = b.i64(Ints(axes, 1)), stride = b.i64(strides);
    const OutPort extent = b.op("Add", {b.op("Mul", {b.op("Sub", {block, ones}), b.i64(dilations)}), ones});
    const OutPort room = b.op("Sub", {b.op("Add", {image, b.i64(padding)}), extent});
    const OutPort blocks = b.op("Add", {b.op("Div", {room, stride}), ones});
    const OutPort rest = b.op("Sub", {room, b.op("Mul", {b.op("Sub", {blocks, ones}), stride})});

    const OutPort size = b.reduce("ReduceProd", block, {0}, true);
    const OutPort columns = b.op("Reshape", {x, b.concat({b.i64({-1}), size, blocks}, 0)}, {{"special_zero", false}});
    Attributes attributes = window;
    attributes.set("output_padding", Ints(axes, 0));
    const OutPort summed = b.op("ConvolutionBackpropData", {columns, identity(b, x, block, size)}, attributes);
    const Ints none(axes + 2, 0);
    const OutPort padded = b.op("Pad", {summed, b.i64(none), b.concat({b.i64({0, 0}), rest}, 0), b.scalar_like(x, 0)}, {{"mode", std::string("constant")}});
    return {b.op("Reshape", {padded, b.concat({b.dims_of(x, {0}), b.i64({-1}), image}, 0)}, {{"special_zero", false}})};
  }

 private:
  static int64_t number_of_axes(OutPort image, OutPort block) {
    for (const OutPort port : {image, block}) {
      const PartialShape& shape = port.tensor().shape;
      if (shape.rank() != 1 || !shape[0].is_exact()) continue;
      if (shape[0].min < 1 || shape[0].min > 3) throw Error(Code::UnsupportedForm, cat(shape[0].min, " spatial dimensions; IR has 1 to 3"));
      return shape[0].min;
    }
    throw Error(Code::UnsupportedForm, "the number of spatial dimensions is not known");
  }

  /// Weights that put element k of a column to place k of the block.
  static OutPort identity(Builder& b, OutPort x, OutPort block, OutPort size) {
    const OutPort count = b.op("Range", {b.i64_scalar(0), b.squeeze(size, {0}), b.i64_scalar(1)}, {{"output_type", ElementType::I64}});
    const OutPort same = b.op("Equal", {b.unsqueeze(count, {0}), b.unsqueeze(count, {1})});
    const OutPort weights = x.tensor().type == ElementType::Unknown ? b.op("ConvertLike", {same, x}) : b.convert(same, x.tensor().type);
    return b.op("Reshape", {weights, b.concat({size, b.i64({1}), block}, 0)}, {{"special_zero", false}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCol2Im)
}  // namespace mo
