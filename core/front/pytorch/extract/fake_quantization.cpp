// Quantisation-aware training: real numbers rounded to steps of a scale.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// What an operator calls its arguments.
struct ArgumentNames {
  std::string_view x = "self", scale = "scale", zero_point = "zero_point";
};

struct Steps {
  OutPort scale, zero_point;  ///< scalars, or along an axis
  int64_t least, most;
};

/// Clamps a zero point that was learnt, and is no whole number, to the limits.
Steps steps_of(Node& node, Builder& b, const ArgumentNames& names, bool is_learnt) {
  const ElementType type = result_type(node);
  Steps out{operand(node, b, names.scale, type), operand(node, b, names.zero_point, type), int_of(node, "quant_min"),
            int_of(node, "quant_max")};
  if (out.least >= out.most || out.least < INT32_MIN || out.most > INT32_MAX)
    throw Error(Code::BadAttribute, msg("steps from ", out.least, " to ", out.most));
  if (is_learnt)
    out.zero_point = b.op("AttributedClamp", {b.op("Round", {out.zero_point}, {{"mode", "half_to_even"}})},
                          {{"min", static_cast<double>(out.least)}, {"max", static_cast<double>(out.most)}});
  Ints shape;
  if (node.has("axis")) {
    shape.assign(static_cast<size_t>(rank_of(node, names.x)), 1);
    const Ints channels = sizes_of(node, names.scale);
    shape.at(static_cast<size_t>(axis_of(node, "axis", rank_of(node, names.x)))) =
        channels.size() == 1 ? channels[0] : -1;
  }
  for (OutPort* one : {&out.scale, &out.zero_point}) *one = reshaped(b, *one, shape);
  return out;
}

/// Whether runtimes run FakeQuantize as it is: with constant limits, few levels, and not with one range for each index
/// of axis 2 of data whose sizes are not known.
bool is_for_runtimes(const Node& node, const ArgumentNames& names, const Steps& steps) {
  const Ints sizes = sizes_of(node, names.x);
  const bool by_rows = node.has("axis") && axis_of(node, "axis", static_cast<int64_t>(sizes.size())) == 2 &&
                       std::find(sizes.begin(), sizes.end(), -1) != sizes.end();
  return steps.scale.tensor().value && steps.zero_point.tensor().value && steps.most - steps.least < 256 && !by_rows;
}

OutPort rounded(Node& node, Builder& b, const ArgumentNames& names, bool is_learnt = false) {
  const Steps steps = steps_of(node, b, names, is_learnt);
  const OutPort x = required(node, names.x);
  const auto number = [&](int64_t value) {
    return b.constant(make_scalar(result_type(node), static_cast<double>(value)));
  };
  if (is_for_runtimes(node, names, steps)) {
    const auto bound = [&](int64_t limit) {
      return b.op("Mul", {b.op("Sub", {number(limit), steps.zero_point}), steps.scale});
    };
    const OutPort low = bound(steps.least), high = bound(steps.most);
    return b.op("FakeQuantize", {x, low, high, low, high}, {{"levels", steps.most - steps.least + 1}});
  }
  const OutPort whole = b.op("Round", {b.op("Div", {x, steps.scale})}, {{"mode", "half_to_even"}});
  const OutPort inside = b.op("AttributedClamp", {b.op("Add", {whole, steps.zero_point})},
                              {{"min", static_cast<double>(steps.least)}, {"max", static_cast<double>(steps.most)}});
  return b.op("Mul", {b.op("Sub", {inside, steps.zero_point}), steps.scale});
}

/// Whether a tensor that turns something on is known, and what it says. Throws UnsupportedForm.
bool is_on(Node& node, Builder& b, std::string_view argument) {
  const auto value = known_number(b, required(node, argument));
  if (!value) throw Error(Code::UnsupportedForm, msg(std::string(argument), " is computed"));
  return *value != 0;
}

}  // namespace

void extract_fake_quantize(Node& node) {
  Builder b(node);
  give(node, {rounded(node, b, {})});
}

void extract_fake_quantize_learnt(Node& node) {
  Builder b(node);
  give(node, {rounded(node, b, {}, true)});
}

void extract_fake_quantize_if_enabled(Node& node) {
  Builder b(node);
  give(node, {is_on(node, b, "fake_quant_enabled") ? rounded(node, b, {}) : required(node, "self")});
}

void extract_fake_quant_per_channel(Node& node) {
  Builder b(node);
  give(node, {rounded(node, b, {"input", "scales", "zero_points"})});
}

}  // namespace mo::pytorch
