// Functions of operators.def for quantisation.

#include "core/build/builder.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {
namespace {

/// num_bits, from 2 to 16. Throws BadAttribute.
int64_t read_bits(const Node& node) {
  const int64_t bits = node.get_int("num_bits", 8);
  if (bits < 2 || bits > 16) throw Error(Code::BadAttribute, cat("num_bits is ", bits));
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
  const int64_t least = node.get_bool("narrow_range") ? 1 : 0, most = (int64_t{1} << read_bits(node)) - 1;
  node.set("least", least);
  node.set("most", most);
  node.set("range", most - least);
  node.set("levels", most - least + 1);
  node.set_op(is_const(node, 1) && is_const(node, 2) ? "FakeQuantWithMinMax" : "FakeQuantWithRanges");
}

}  // namespace mo::tf
