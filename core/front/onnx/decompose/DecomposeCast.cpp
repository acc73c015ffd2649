// Before: y = CastONNX(x) {dst_type, saturate, round_mode}, or CastLike(x, like) {saturate, round_mode}
// After:  y = Cast(x) {dst_type}, or ConvertLike(x, like)
//         to 8-bit floating point, saturated: x is first clamped to the type's range, except NaN; IR's conversion
//         makes NaN or infinities of values outside it
//         to an exponent only, rounded up or down: x rounded to the nearest power of two; if that is on the wrong side
//         of x, the next one
//         to 4-bit floating point: NaN becomes 0
// Conditions: not from or to strings; types that IR does not have only for constants.

#include "core/decompose/quantization/quantization.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCast final : public Decomposition {
 public:
  Names ops() const override { return {"CastONNX", "CastLike"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    OutPort x = node.source(0);
    const ElementType type = node.op() == "CastLike" ? node.source(1).tensor().type : node.get_type("dst_type");
    if (type == x.tensor().type && type != ElementType::Unknown) return {x};
    if (type == ElementType::String || x.tensor().type == ElementType::String)
      throw Error(Code::UnsupportedForm, "a conversion to or from text");
    if (type == ElementType::Unknown) return {b.op("ConvertLike", {x, node.source(1)})};
    x = in_type_of_ir(b, x);
    const bool saturate = node.get_int("saturate") != 0,
               wide = is_float(x.tensor().type) && bits(x.tensor().type) >= 16;
    if (!wide) return {b.convert(x, type)};
    switch (type) {
      case ElementType::F8E4M3: return {to_f8(b, x, type, saturate ? 448 : 0)};
      case ElementType::F8E5M2: return {to_f8(b, x, type, saturate ? 57344 : 0)};
      case ElementType::F8E8M0: return {b.convert(to_power_of_two(b, x, node.get_string("round_mode")), type)};
      case ElementType::F4E2M1: return {b.convert(where_a_number(b, x, x, b.scalar_like(x, 0)), type)};
      default: return {b.convert(x, type)};
    }
  }

 private:
  static OutPort where_a_number(Builder& b, OutPort x, OutPort then, OutPort otherwise) {
    return b.op("Select", {b.op("Equal", {x, x}), then, otherwise});
  }

  /// `most`: the largest number of the type, or 0 to leave larger numbers to the runtime.
  static OutPort to_f8(Builder& b, OutPort x, ElementType type, double most) {
    if (most == 0) return b.op("Cast", {x}, {{"dst_type", type}, {"stop_value_propagation", true}});
    return b.convert(where_a_number(b, x, b.op("AttributedClamp", {x}, {{"min", -most}, {"max", most}}), x), type);
  }

  static OutPort to_power_of_two(Builder& b, OutPort x, const std::string& mode) {
    if (mode == "nearest") return x;
    if (mode != "up" && mode != "down") throw Error(Code::BadAttribute, msg("round_mode is '", mode, "'"));
    x = b.convert(x, ElementType::F32);
    const OutPort near = b.convert(b.convert(x, ElementType::F8E8M0), ElementType::F32);
    const bool up = mode == "up";
    return b.op("Select",
                {b.op(up ? "Less" : "Greater", {near, x}), b.op("Mul", {near, b.f32_scalar(up ? 2.0F : 0.5F)}), near});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCast)
}  // namespace mo
