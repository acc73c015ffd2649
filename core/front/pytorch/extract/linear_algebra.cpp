// Functions of square matrices, and products of vectors in space.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

OutPort matrix(Node& node) { return required(node, input(node, "A") ? "A" : "self"); }

}  // namespace

void extract_matrix_power(Node& node) { become(node, "MatrixPower", {matrix(node)}, {{"n", int_of(node, "n")}}); }

/// The second output of inv_ex says which matrices have no inverse.
void extract_inverse(Node& node) { become(node, "Inverse", {matrix(node)}); }

void extract_det(Node& node) { become(node, "Det", {matrix(node)}); }
void extract_slogdet(Node& node) { become(node, "LogMatrixDeterminant", {matrix(node)}, {}, 2); }
void extract_logdet(Node& node) {
  Builder b(node);
  const OutPort determinant = b.op("Det", {matrix(node)});
  become(node, "Log", {determinant});
}

/// B is a vector, or vectors of a batch, if it has a dimension less than A, or as many as A has without its last one.
void extract_solve(Node& node) {
  Builder b(node);
  const Operand a = operands_of(node, "A")[0], x = operands_of(node, "B")[0];
  const Ints rows(a.sizes.begin(), a.sizes.end() - (a.sizes.empty() ? 0 : 1));
  const bool is_vector = x.rank() == 1 || (x.rank() + 1 == a.rank() && x.sizes == rows);
  if (a.rank() < 2 || x.rank() < 1) throw Error(Code::RankMismatch, msg("a matrix of rank ", a.rank()));
  const OutPort inverse = b.op("Inverse", {a.port});
  if (!node.get_bool("left", true)) return become(node, "MatMul", {x.port, inverse});
  if (!is_vector) return become(node, "MatMul", {inverse, x.port});
  const OutPort column = b.unsqueeze(x.port, {x.rank()});
  give(node, {b.squeeze(b.matmul({inverse, column}), {-1})});
}

/// By the elements on one side of the diagonal.
void extract_solve_triangular(Node& node) {
  if (node.get_bool("unitriangular")) throw Error(Code::UnsupportedForm, "unitriangular matrices");
  Builder b(node);
  const OutPort side = b.op("Trilu", {matrix(node), b.i64_scalar(0)}, {{"upper", node.get_bool("upper")}});
  const OutPort inverse = b.op("Inverse", {side}), x = required(node, "B");
  node.get_bool("left", true) ? become(node, "MatMul", {inverse, x}) : become(node, "MatMul", {x, inverse});
}

void extract_kron(Node& node) {
  const ElementType type = result_type(node);
  Builder b(node);
  const OutPort x = operand(node, b, "self", type), y = operand(node, b, "other", type);
  become(node, "Kron", {x, y});
}

/// Along the first axis of 3 elements, unless it is given.
void extract_cross(Node& node) {
  const ElementType type = result_type(node);
  Attributes attributes;
  if (node.has("dim")) attributes.set("axis", axis_of(node, "dim", rank_of(node, "self")));
  Builder b(node);
  const OutPort x = operand(node, b, "self", type), y = operand(node, b, "other", type);
  become(node, "CrossAlong", {x, y}, std::move(attributes));
}

void extract_linalg_diagonal(Node& node) {
  const int64_t rank = rank_of(node, "A"), first = axis_of(node, "dim1", rank), second = axis_of(node, "dim2", rank);
  const OutPort x = matrix(node), k = Builder(node).i64_scalar(int_of(node, "offset"));
  become(node, "Diagonal", {x, k}, {{"axis1", first}, {"axis2", second}});
}

}  // namespace mo::pytorch
