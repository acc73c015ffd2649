// Functions of operators.def for matrices.

#include "core/build/builder.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

/// BatchMatMulV3 and SparseMatMul. Factors of different types are converted to the result's.
void extract_mixed_matmul(Node& node) {
  const bool sparse = node.op() == "SparseMatMul";
  const ElementType type = sparse ? ElementType::F32 : type_of(node, "Tout");
  for (const int i : {0, 1}) {
    require_input(node, i);
    if (type_of(node, i == 0 ? "Ta" : "Tb") == type) continue;
    const OutPort converted = Builder(node).convert(node.source(i), type);
    node.in(i).disconnect();
    node.in(i).connect(converted);
  }
  node.set("transpose_a", node.get_bool(sparse ? "transpose_a" : "adj_x"));
  node.set("transpose_b", node.get_bool(sparse ? "transpose_b" : "adj_y"));
  node.set_op("MatMul");
}

void extract_triangular_solve(Node& node) {
  node.set_op(node.get_bool("lower", true) ? "LowerTriangularSolve" : "UpperTriangularSolve");
}

}  // namespace mo::tf
