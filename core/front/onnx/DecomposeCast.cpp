// Before: y = CastONNX(x) {dst_type, saturate}, or CastLike(x, like) {saturate}
// After:  y = Cast(x) {dst_type}, or ConvertLike(x, like)
//         to 8-bit floating point, saturated: x, where it is a number, cut to what the type holds before; IR's
//         conversion makes NaN or infinities of what lies outside
// Conditions: neither side is text.

#include "core/pipeline/transform.h"

namespace mo {
namespace {

class DecomposeCast final : public Decomposition {
 public:
  Names ops() const override { return {"CastONNX", "CastLike"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0);
    const ElementType type = node.op() == "CastLike" ? node.source(1).tensor().type : node.get_type("dst_type");
    if (type == x.tensor().type && type != ElementType::Unknown) return {x};
    if (type == ElementType::String || x.tensor().type == ElementType::String)
      throw Error(Code::UnsupportedForm, "a conversion to or from text");
    if (type == ElementType::Unknown) return {b.op("ConvertLike", {x, node.source(1)})};
    return {b.convert(node.get_int("saturate", 1) != 0 ? saturated(b, x, type) : x, type)};
  }

 private:
  static OutPort saturated(Builder& b, OutPort x, ElementType type) {
    const double most = type == ElementType::F8E4M3 ? 448 : type == ElementType::F8E5M2 ? 57344 : 0;
    if (most == 0 || !is_float(x.tensor().type) || bits(x.tensor().type) < 16) return x;
    const OutPort cut = b.op("Clamp", {x}, {{"min", -most}, {"max", most}});
    return b.op("Select", {b.op("Equal", {x, x}), cut, x});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCast)
}  // namespace mo
