// Scales and zero points that quantised programs compute of their data.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// The data as f32, and what is computed of it.
class QuantisationNumbers {
 public:
  QuantisationNumbers(Node& node, Builder& b) : node_(node), b_(b) {
    x_ = as_type(b, required(node, "input"), type_of(node, "input"), ElementType::F32);
    for (int64_t axis = 0; axis < rank_of(node, "input"); ++axis) all_.push_back(axis);
    if (all_.empty()) throw Error(Code::RankMismatch, "a tensor without dimensions");
  }

  OutPort x() const { return x_; }
  OutPort of_all(const char* kind) const { return b_.reshape(b_.reduce(kind, x_, all_, false), {1}, false); }
  OutPort of_tokens(const char* kind, OutPort x) const { return b_.reduce(kind, x, {all_.back()}, true); }
  OutPort number(double value) const { return b_.f32_scalar(static_cast<float>(value)); }
  OutPort rounded(OutPort x) const { return b_.op("Round", {x}, {{"mode", "half_to_even"}}); }
  OutPort clamped(OutPort x, double low, double high) const {
    return b_.op("AttributedClamp", {x}, {{"min", low}, {"max", high}});
  }
  /// (high - low) / steps, and at least `eps`.
  OutPort scale(OutPort low, OutPort high, double steps, double eps) const {
    const OutPort range = b_.op("Div", {b_.op("Sub", {high, low}), number(steps)});
    return b_.op("Maximum", {range, number(eps)});
  }
  void give(OutPort scale, OutPort zero_point) const {
    const OutPort first = b_.convert(scale, result_type(node_, 0));
    const OutPort second = b_.convert(zero_point, result_type(node_, 1));
    mo::numbered::give(node_, {first, second});
  }

 private:
  Node& node_;
  Builder& b_;
  OutPort x_;
  Ints all_;
};

struct WantedLimits {
  double least, most;

  explicit WantedLimits(const Node& node) : least(number_of(node, "quant_min")), most(number_of(node, "quant_max")) {
    if (least >= most) throw Error(Code::BadAttribute, msg("limits ", least, " and ", most));
  }
};

}  // namespace

void extract_choose_qparams(Node& node) {
  Builder b(node);
  const QuantisationNumbers of(node, b);
  const WantedLimits limits(node);
  const OutPort zero = of.number(0);
  const OutPort low = b.op("Minimum", {of.of_all("ReduceMin"), zero});
  const OutPort high = b.op("Maximum", {of.of_all("ReduceMax"), zero});
  const OutPort scale = of.scale(low, high, limits.most - limits.least, number_of(node, "eps"));
  const OutPort place = b.op("Sub", {of.number(limits.least), of.rounded(b.op("Div", {low, scale}))});
  of.give(scale, of.clamped(place, limits.least, limits.most));
}

/// The zero point of u8 is in the middle.
void extract_choose_qparams_symmetric(Node& node) {
  Builder b(node);
  const QuantisationNumbers of(node, b);
  const WantedLimits limits(node);
  const OutPort zero = of.number(0);
  const OutPort below = b.op("Negative", {b.op("Minimum", {of.of_all("ReduceMin"), zero})});
  const OutPort high = b.op("Maximum", {below, of.of_all("ReduceMax")});
  const OutPort scale = of.scale(zero, high, (limits.most - limits.least) / 2, number_of(node, "eps"));
  const bool is_unsigned = node.get_type("dtype") == ElementType::U8;
  of.give(scale, b.constant(make_splat(ElementType::F32, {1}, is_unsigned ? 128 : 0)));
}

void extract_choose_qparams_per_token(Node& node) {
  Builder b(node);
  const QuantisationNumbers of(node, b);
  const ElementType type = node.get_type("dtype");
  if (type != ElementType::I8) throw Error(Code::UnsupportedType, std::string(ir_name(type)));
  const OutPort most = b.op("Maximum", {of.of_tokens("ReduceMax", b.op("Abs", {of.x()})), of.number(1e-5)});
  const OutPort scale = b.op("Div", {most, of.number(127)});
  of.give(scale, b.op("Mul", {scale, of.number(0)}));
}

/// For bytes with a sign. Of the two zero points that the ends of the range give, the one of the smaller error.
void extract_choose_qparams_per_token_asymmetric(Node& node) {
  Builder b(node);
  const QuantisationNumbers of(node, b);
  const OutPort zero = of.number(0), least = of.number(-128), most = of.number(127);
  const OutPort low = b.op("Minimum", {of.of_tokens("ReduceMin", of.x()), zero});
  const OutPort high = b.op("Maximum", {of.of_tokens("ReduceMax", of.x()), zero});
  const OutPort scale = of.scale(low, high, 255, 1.1920928955078125e-07);
  const OutPort below = b.op("Div", {low, scale}), above = b.op("Div", {high, scale});
  const OutPort error = b.op("Add", {b.op("Add", {least, below}), b.op("Add", {most, above})});
  const OutPort first = b.op("Sub", {least, below}), second = b.op("Sub", {most, above});
  const OutPort place = b.op("Select", {b.op("Greater", {error, zero}), first, second});
  of.give(scale, of.rounded(of.clamped(place, -128, 127)));
}

}  // namespace mo::pytorch
