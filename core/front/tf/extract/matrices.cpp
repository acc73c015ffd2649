// Functions of operators.def for matrices.

#include "core/build/builder.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

/// Factors of different types are converted to the result's.
void extract_batch_matmul_v3(Node& node) {
  const ElementType type = type_of(node, "Tout");
  for (const int i : {0, 1}) {
    require_input(node, i);
    if (type_of(node, i == 0 ? "Ta" : "Tb") == type) continue;
    const OutPort converted = Builder(node).convert(node.source(i), type);
    node.in(i).disconnect();
    node.in(i).connect(converted);
  }
  node.set("transpose_a", node.get_bool("adj_x"));
  node.set("transpose_b", node.get_bool("adj_y"));
  node.set_op("MatMul");
}

void extract_matrix_solve(Node& node) {
  if (node.get_bool("adjoint")) throw Error(Code::UnsupportedForm, "adjoint");
  node.set_op("MatrixSolve");
}

}  // namespace mo::tf
