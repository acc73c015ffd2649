// Quantisation. A scale is the largest magnitude: a step is the scale over 2^(bits - 1) - 1.

#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
namespace {

constexpr int64_t kOneScale = -1;  ///< quant_axis: one scale for the tensor

int64_t most_of(int64_t bits) {
  if (bits < 2 || bits > 16) throw Error(Code::BadAttribute, msg("the number of bits is ", bits));
  return (int64_t{1} << (bits - 1)) - 1;
}

/// Rounding to even keeps the least number, too; halves are otherwise rounded away from 0.
Attributes steps_of(const Node& node, int64_t axis, bool real, int64_t round_type) {
  const bool even = node.get_int("round_type", round_type) == 0;
  const int64_t most = most_of(node.get_int("bit_length", 8));
  return Attributes({{"most", most},
                     {"least", node.get_int("qmin", even && round_type == 0 ? -most - 1 : -most)},
                     {"even", even},
                     {"axis", axis},
                     {"real", real}});
}

void become_steps(Node& node, OutPort scale, Attributes attributes) {
  become(node, "QuantizedByScale", {required(node, "X"), scale}, std::move(attributes), {"Out", "OutScale"});
}

/// The scale is a parameter of the program if training has found it.
void extract_own_range(Node& node, int64_t axis, bool real) {
  if (node.has("quant_axis")) axis = axis == kOneScale ? kOneScale : node.get_int("quant_axis");
  become_steps(node, input(node, "OutScale"), steps_of(node, axis, real, 1));
}

void extract_given_range(Node& node, bool real) {
  become_steps(node, required(node, "InScale"), steps_of(node, kOneScale, real, 1));
}

void become_dequantized(Node& node, OutPort scale, double steps, int64_t axis, std::string_view slot = "Out") {
  become(node, "DequantizedByScale", {required(node, "X"), scale}, {{"steps", steps}, {"axis", axis}}, {slot});
}

}  // namespace

void extract_fake_quantize_abs_max(Node& node) { extract_own_range(node, kOneScale, false); }
void extract_fake_quantize_dequantize_abs_max(Node& node) { extract_own_range(node, kOneScale, true); }
void extract_fake_channel_wise_quantize_abs_max(Node& node) { extract_own_range(node, 0, false); }
void extract_fake_channel_wise_quantize_dequantize_abs_max(Node& node) { extract_own_range(node, 0, true); }
void extract_fake_quantize_in_range(Node& node) { extract_given_range(node, false); }
void extract_fake_quantize_dequantize_in_range(Node& node) { extract_given_range(node, true); }

/// The zero point is not used.
void extract_quantize_linear(Node& node) {
  const OutPort x = required(node, "X"), scale = required(node, "Scale");
  if (node.get_bool("only_observer")) return become(node, "Identity", {x}, {}, {"Y"});
  become(node, "QuantizedByScale", {x, scale}, steps_of(node, node.get_int("quant_axis", 0), false, 0), {"Y"});
}

void extract_dequantize_linear(Node& node) {
  if (node.get_bool("only_observer")) return become(node, "Identity", {required(node, "X")}, {}, {"Y"});
  const int64_t most = node.get_int("qmax", most_of(node.get_int("bit_length", 8)));
  become_dequantized(node, required(node, "Scale"), static_cast<double>(most), node.get_int("quant_axis", 0), "Y");
}

void extract_fake_dequantize_max_abs(Node& node) {
  become_dequantized(node, required(node, "Scale"), node.get_float("max_range"), kOneScale);
}

/// A second scale is that of the whole tensor; then the first one is of the columns of a product.
void extract_fake_channel_wise_dequantize_max_abs(Node& node) {
  const std::vector<OutPort> scales = inputs(node, "Scales");
  const Ints bits = node.get_ints("quant_bits", Ints{8});
  if (scales.empty() || scales.size() > 2 || bits.size() < scales.size())
    throw Error(Code::BadAttribute, msg(scales.size(), " scales of ", bits.size(), " numbers of bits"));
  const auto most = static_cast<double>(most_of(bits[0]));
  if (scales.size() == 1) return become_dequantized(node, scales[0], most, node.get_int("quant_axis"));
  Builder b(node);
  const int64_t axis = node.get_int("x_num_col_dims", 1);
  const OutPort once = b.op("DequantizedByScale", {required(node, "X"), scales[0]}, {{"steps", most}, {"axis", axis}});
  become(node, "DequantizedByScale", {once, scales[1]},
         {{"steps", static_cast<double>(most_of(bits[1]))}, {"axis", kOneScale}});
}

void extract_dequantize_log(Node& node) {
  const OutPort x = required(node, "X"), numbers = required(node, "Dict");
  become(node, "DequantizeLog", {x, numbers});
}

void extract_moving_average_abs_max_scale(Node& node) { become(node, "Identity", {required(node, "X")}); }

}  // namespace mo::paddle
