// Operations of early experimental ONNX.
// Before: y = ImageScaler(x [N, C, H, W]) {scale, bias}
// After:  y = x * scale + bias as [1, C, 1, 1]
// Before: y = Crop(x [N, C, H, W]) {border: left, top, right, bottom; scale: height, width}
// After:  y = Slice(x) of the last two axes
// Conditions: none.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeImageScaler final : public Decomposition {
 public:
  Names ops() const override { return {"ImageScaler", "Crop"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0);
    if (node.op() == "Crop") return {cropped(b, node, x)};
    OutPort y = b.op("Mul", {x, b.scalar_like(x, node.get_float("scale", 1))});
    const Doubles bias = node.get_floats("bias");
    if (bias.empty()) return {y};
    const Constant numbers = make_f32({1, static_cast<int64_t>(bias.size()), 1, 1}, {bias.begin(), bias.end()});
    const ElementType type = x.tensor().type;
    return {b.op("Add", {y, b.constant(type == ElementType::Unknown ? numbers : convert(numbers, type))})};
  }

 private:
  static OutPort cropped(Builder& b, const Node& node, OutPort x) {
    const Ints border = node.get_ints("border"), size = node.get_ints("scale");
    if (border.size() != 4) throw Error(Code::BadAttribute, msg("border has ", border.size(), " numbers, want 4"));
    if (!size.empty() && size.size() != 2)
      throw Error(Code::BadAttribute, msg("scale has ", size.size(), " numbers, want 2"));
    const Ints start{border[1], border[0]};
    // Counted from the end if the size is not given; INT64_MAX is the end itself.
    const auto end = [](int64_t from_last) { return from_last == 0 ? INT64_MAX : -from_last; };
    const Ints stop =
        size.empty() ? Ints{end(border[3]), end(border[2])} : Ints{start[0] + size[0], start[1] + size[1]};
    return b.op("Slice", {x, b.i64(start), b.i64(stop), b.i64({1, 1}), b.i64({2, 3})});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeImageScaler)
}  // namespace mo
