#include "tests/toy/extract/extractor.h"

#include "core/build/builder.h"

namespace mo::toy {

#define MO_OPERATORS "tests/toy/extract/operators.def"
#include "core/front/common/operator_rows.inc"

const Operators& operators() {
  static const Operators all(kRows);
  return all;
}

/// The loader has made the factors an attribute.
void extract_scale(Node& node) {
  require_input(node, 0);
  const Constant* factors = node.get_constant("factors");
  if (!factors) throw Error(Code::MissingAttribute, "begin");
  const OutPort given = Builder(node).constant(*factors);
  node.attributes = {};
  node.add_in_ports(2);
  node.in(1).connect(given);
  node.set_op("Mul");
}

void extract_rectify(Node& node) { node.set_op(node.get_bool("linear") ? "Identity" : "ReLU"); }

}  // namespace mo::toy
