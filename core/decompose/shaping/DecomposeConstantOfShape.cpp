// Before: y = ConstantOfShape(shape) {value: one element, default f32 0}
// After:  y = Broadcast(value, shape)
// Before: y = ConstantFill([shape]) {value, dtype, input_as_shape, shape, extra_shape}
// After:  y = Broadcast(value, shape followed by extra_shape); without input_as_shape the input's own shape
// Before: y = Range(start, limit [, delta]), of one element each
// After:  y = Range of scalars
// Conditions: none.

#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeConstantOfShape final : public Decomposition {
 public:
  Names ops() const override { return {"ConstantOfShape", "ConstantFill", "RangeONNX"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "RangeONNX") return {range(b, node)};
    const bool is_fill = node.op() == "ConstantFill";
    const OutPort value = b.constant(is_fill ? fill_value(node) : value_of(node));
    return {b.op("Broadcast", {value, is_fill ? fill_shape(b, node) : node.source(0)}, {{"mode", "numpy"}})};
  }

 private:
  static Constant value_of(const Node& node) {
    const Constant* value = node.get_constant("value");
    if (!value) return make_f32_scalar(0);
    if (value->elements() != 1) throw Error(Code::BadAttribute, msg("value has ", value->elements(), " elements"));
    return reshape(*value, {});
  }

  static Constant fill_value(const Node& node) { return make_scalar(node.get_type("dtype"), node.get_float("value")); }

  static OutPort fill_shape(Builder& b, const Node& node) {
    OutPort shape;
    if (!node.has_in(0))
      shape = b.i64(node.get_ints("shape"));
    else
      shape =
          node.get_bool("input_as_shape") ? b.convert(node.source(0), ElementType::I64) : b.shape_of(node.source(0));
    const Ints extra = node.get_ints("extra_shape");
    return extra.empty() ? shape : b.concat({shape, b.i64(extra)}, 0);
  }

  static OutPort range(Builder& b, const Node& node) {
    std::vector<OutPort> ends;
    for (int i = 0; i < 2; ++i) ends.push_back(to_scalar(b, node.source(i)));
    ends.push_back(node.has_in(2) ? to_scalar(b, node.source(2)) : b.scalar_like(ends[0], 1));
    return b.op("Range", ends, {{"output_type", ends[0].tensor().type}});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeConstantOfShape)
}  // namespace mo
