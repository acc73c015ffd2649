// Functions of operators.def for quantisation.

#include "core/build/builder.h"
#include "core/front/common/extracted.h"
#include "core/front/common/operands.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

/// num_bits, from 2 to 16. Throws BadAttribute.
int64_t read_bits(const Node& node) {
  const int64_t bits = node.get_int("num_bits", 8);
  if (bits < 2 || bits > 16) throw Error(Code::BadAttribute, msg("num_bits is ", bits));
  return bits;
}

bool is_const(const Node& node, int input) { return node.has_in(input) && node.source(input).node().op() == "Const"; }

}  // namespace

/// The range is inputs 1 and 2, or attributes.
void extract_fake_quant(Node& node) {
  require_input(node, 0);
  if (!node.has_in(1)) {
    const OutPort low = Builder(node).f32_scalar(static_cast<float>(node.get_float("min", -6))),
                  high = Builder(node).f32_scalar(static_cast<float>(node.get_float("max", 6)));
    node.add_in_ports(3);
    node.in(1).connect(low);
    node.in(2).connect(high);
  }
  set_fake_quant_steps(node, read_bits(node), node.get_bool("narrow_range"));
  node.set_op(is_const(node, 1) && is_const(node, 2) ? "FakeQuantWithMinMax" : "FakeQuantWithRanges");
}

void extract_quantize_and_dequantize(Node& node) {
  if (node.get_int("axis", -1) != -1) throw Error(Code::UnsupportedForm, "a range for each channel");
  if (node.get_string("round_mode", "HALF_TO_EVEN") != "HALF_TO_EVEN")
    throw Error(Code::UnsupportedForm, msg("round_mode ", node.get_string("round_mode")));
  if (node.has_in(3)) {
    const auto bits = number_of(node.source(3));
    if (!bits) throw Error(Code::UnsupportedForm, "num_bits that is not constant");
    node.set("num_bits", static_cast<int64_t>(*bits));
  }
  const bool is_signed = node.get_bool("signed_input", true), given = node.get_bool("range_given", node.has_in(3));
  const int64_t most = (int64_t{1} << (read_bits(node) - is_signed)) - 1;
  node.attributes.erase("num_bits");
  node.set("least", is_signed ? -most - !node.get_bool("narrow_range") : int64_t{0});
  node.set("most", most);
  for (int i = node.in_count() - 1; i > (given ? 2 : 0); --i) node.in(i).disconnect();
  node.set_op(given ? "QuantizeAndDequantize" : "QuantizeAndDequantizeInOwnRange");
}

namespace {

void extract_range(Node& node) {
  const ElementType type = type_of(node, "T");
  if (node.get_string("mode", "MIN_COMBINED") != "MIN_COMBINED" || node.get_int("axis", -1) != -1 || bits(type) > 16)
    throw Error(Code::UnsupportedForm, "quantisation other than in one range of 8 or 16 bits, MIN_COMBINED");
  const int64_t count = int64_t{1} << bits(type);
  node.set("steps", count - 1);
  node.set("half", is_signed(type) ? count / 2 : int64_t{0});
  node.set("dtype", type);
}

}  // namespace

void extract_quantize(Node& node) { extract_range(node), node.set_op("QuantizeV2"); }
void extract_dequantize(Node& node) { extract_range(node), node.set_op("Dequantize"); }

}  // namespace mo::tf
