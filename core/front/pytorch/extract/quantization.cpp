// Quantised programs: numbers become whole ones, and numbers again, by a scale and a zero point for a tensor, for each
// channel, for groups in it or for each token.

#include <algorithm>

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// A scale and a zero point, or those of an axis.
struct Parameters {
  OutPort scale, zero_point;  ///< the second one may be empty
  int64_t axis = 0, block = 0;
};

/// Numbers for groups of each row, as a matrix.
OutPort of_groups(Node& node, Builder& b, std::string_view argument, OutPort numbers, int64_t size) {
  const Ints sizes = sizes_of(node, "input");
  if (sizes.size() != 2 || sizes[1] < 1 || size < 1 || sizes[1] % size != 0)
    throw Error(Code::UnsupportedForm, msg("groups of ", size, " of a tensor of rank ", sizes.size()));
  return rank_of(node, argument) == 2 ? numbers : b.reshape(numbers, {-1, sizes[1] / size}, false);
}

/// `type` is that of the whole numbers, `real` that of the others.
Parameters parameters_of(Node& node, Builder& b, ElementType type, ElementType real) {
  Parameters out;
  const bool several = is_given(node, "scales");
  out.scale = operand(node, b, several ? "scales" : "scale", real);
  const char* zero_point = several ? "zero_points" : "zero_point";
  if (is_given(node, zero_point)) out.zero_point = operand(node, b, zero_point, type);
  if (node.has("axis")) out.axis = axis_of(node, "axis", rank_of(node, "input"));
  if (!node.has("group_size")) return out;
  out.axis = 1;
  out.block = int_of(node, "group_size");
  // One group is all of a row.
  if (const Ints sizes = sizes_of(node, "input"); sizes.size() == 2 && sizes[1] > 0)
    out.block = std::min(out.block, sizes[1]);
  out.scale = of_groups(node, b, "scales", out.scale, out.block);
  if (out.zero_point) out.zero_point = of_groups(node, b, "zero_points", out.zero_point, out.block);
  return out;
}

struct Limits {
  double least, most;
};

/// Throws UnsupportedForm for limits that are tensors.
Limits limits_of(const Node& node) {
  for (const char* limit : {"quant_min", "quant_max"})
    if (input(node, limit)) throw Error(Code::UnsupportedForm, msg(limit, " is computed"));
  return {number_of(node, "quant_min"), number_of(node, "quant_max")};
}

/// All numbers of the type, as far as it has at most 16 bits.
std::optional<Limits> range_of(ElementType type) {
  switch (type) {
    case ElementType::U8: return Limits{0, 255};
    case ElementType::I8: return Limits{-128, 127};
    case ElementType::U16: return Limits{0, 65535};
    case ElementType::I16: return Limits{-32768, 32767};
    default: return std::nullopt;
  }
}

OutPort clamped(Builder& b, OutPort x, const Limits& limits) {
  return b.op("AttributedClamp", {x}, {{"min", limits.least}, {"max", limits.most}});
}

/// By the operations that say it, for scales that fit the data as they are.
void quantize_by_formula(Node& node, ElementType type, const Limits& limits) {
  Builder b(node);
  const ElementType real = type_of(node, "input");
  const Parameters by = parameters_of(node, b, real, real);
  OutPort y = b.op("Round", {b.op("Div", {required(node, "input"), by.scale})}, {{"mode", "half_to_even"}});
  if (by.zero_point) y = b.op("Add", {y, by.zero_point});
  give(node, {b.convert(clamped(b, y, limits), type)});
}

}  // namespace

void extract_quantize(Node& node) {
  const ElementType type = result_type(node);
  const Limits limits = limits_of(node);
  const std::optional<Limits> range = range_of(type);
  if (!range) {
    if (node.has("axis") || node.has("group_size"))
      throw Error(Code::UnsupportedType, msg(ir_name(type), " with a scale for each channel or group"));
    return quantize_by_formula(node, type, limits);
  }
  Builder b(node);
  const Parameters by = parameters_of(node, b, type, type_of(node, "input"));
  const OutPort y = b.op("QuantizeLinear", {required(node, "input"), by.scale, by.zero_point},
                         {{"axis", by.axis}, {"block_size", by.block}});
  if (limits.least <= range->least && limits.most >= range->most) return give(node, {y});
  give(node, {b.convert(clamped(b, b.convert(y, ElementType::F32), limits), type)});
}

void extract_dequantize(Node& node) {
  Builder b(node);
  const ElementType real = result_type(node);
  const Parameters by = parameters_of(node, b, type_of(node, "input"), real);
  std::vector<OutPort> sources{required(node, "input"), by.scale};
  if (by.zero_point) sources.push_back(by.zero_point);
  become(node, "DequantizeLinear", sources, {{"axis", by.axis}, {"block_size", by.block}, {"output_dtype", real}});
}

void extract_quantize_per_token(Node& node) { quantize_by_formula(node, result_type(node), limits_of(node)); }

void extract_dequantize_per_token(Node& node) {
  Builder b(node);
  const ElementType real = result_type(node);
  const Parameters by = parameters_of(node, b, real, real);
  OutPort x = b.convert(required(node, "input"), real);
  if (by.zero_point) x = b.op("Sub", {x, by.zero_point});
  give(node, {b.op("Mul", {x, by.scale})});
}

}  // namespace mo::pytorch
