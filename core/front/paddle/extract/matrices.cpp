// Products and functions of matrices.

#include "core/base/text.h"
#include "core/front/paddle/extract/activation.h"
#include "core/front/paddle/extract/extractor.h"

namespace mo::paddle {
/// x and y as matrices, whose rows are the first dimensions.
void extract_mul(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(
      node, "FlatMatMul", {x, y},
      {{"x_num_col_dims", node.get_int("x_num_col_dims", 1)}, {"y_num_col_dims", node.get_int("y_num_col_dims", 1)}});
}

/// The form of 1.x: alpha times the product; vectors can be transposed, too.
void extract_matmul(Node& node) {
  if (node.get_int("head_number", 1) > 1) throw Error(Code::UnsupportedForm, "head_number above 1");
  const OutPort x = required(node, "X"), y = required(node, "Y");
  Builder b(node);
  const OutPort product =
      b.op("VectorMatMul", {x, y},
           {{"transpose_a", node.get_bool("transpose_X")}, {"transpose_b", node.get_bool("transpose_Y")}});
  give(node, {{"Out", scaled(b, product, node.get_float("alpha", 1))}});
}

void extract_matmul_v2(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(node, "MatMul", {x, y},
         {{"transpose_a", node.get_bool("trans_x")}, {"transpose_b", node.get_bool("trans_y")}});
}

void extract_bmm(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(node, "MatMul", {x, y});
}

void extract_mv(Node& node) {
  const OutPort x = required(node, "X"), vector = required(node, "Vec");
  become(node, "MatMul", {x, vector});
}

void extract_dot(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(node, "Dot", {x, y});
}

void extract_addmm(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y"), added = required(node, "Input");
  become(node, "Gemm", {x, y, added}, {{"alpha", node.get_float("Alpha", 1)}, {"beta", node.get_float("Beta", 1)}});
}

void extract_multi_dot(Node& node) {
  const std::vector<OutPort> factors = inputs(node, "X");
  if (factors.empty()) throw Error(Code::MissingInput, "X");
  Builder b(node);
  OutPort product = factors[0];
  for (size_t i = 1; i < factors.size(); ++i) product = b.matmul({product, factors[i]});
  give(node, {{"Out", product}});
}

void extract_einsum(Node& node) {
  const std::string equation = node.get_string("equation");
  if (equation.empty()) throw Error(Code::MissingAttribute, "equation");
  become(node, "Einsum", inputs(node, "Operands"), {{"equation", equation}});
}

void extract_kron(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(node, "Kron", {x, y});
}

/// Without dim the axis is the first of three elements.
void extract_cross(Node& node) {
  constexpr int64_t kNone = 9;
  const OutPort x = required(node, "X"), y = required(node, "Y");
  const int64_t axis = node.get_int("dim", kNone);
  Attributes attributes;
  if (axis != kNone) attributes.set("axis", axis);
  become(node, "CrossAlong", {x, y}, std::move(attributes));
}

void extract_inverse(Node& node) { become(node, "Inverse", {required(node, "Input")}, {}, {"Output"}); }
void extract_determinant(Node& node) { become(node, "Det", {required(node, "Input")}); }
void extract_slogdeterminant(Node& node) { become(node, "SignAndLogDet", {required(node, "Input")}); }

/// The sign and the logarithm are two results.
void extract_slogdet_v2(Node& node) {
  Builder b(node);
  const OutPort det = b.op("Det", {required(node, "x")});
  const OutPort sign = b.op("Sign", {det}), size = b.op("Log", {b.op("Abs", {det})});
  give(node, {{"sign", sign}, {"logdet", size}});
}

void extract_matrix_power(Node& node) {
  become(node, "MatrixPower", {required(node, "X")}, {{"n", node.get_int("n")}});
}

void extract_trace(Node& node) {
  Attributes attributes{
      {"offset", node.get_int("offset")}, {"axis1", node.get_int("axis1", 0)}, {"axis2", node.get_int("axis2", 1)}};
  if (node.get_bool("is_usual")) attributes.set("is_usual", true);
  become(node, "Trace", {required(node, "Input")}, std::move(attributes));
}

/// b may be a vector.
void extract_solve(Node& node) {
  const OutPort a = required(node, "X"), y = required(node, "Y");
  const OutPort inverse = Builder(node).op("Inverse", {a});
  become(node, "MatMul", {inverse, y});
}

void extract_triangular_solve(Node& node) {
  if (node.get_bool("unitriangular")) throw Error(Code::UnsupportedForm, "unitriangular");
  const bool upper = node.get_bool("upper", true);
  const OutPort a = required(node, "X"), y = required(node, "Y");
  become(node, upper ? "UpperTriangularSolve" : "LowerTriangularSolve", {a, y},
         {{"adjoint", node.get_bool("transpose")}});
}

/// The x for which the product of a triangular matrix and its transposed one, times x, is X.
void extract_cholesky_solve(Node& node) {
  const bool upper = node.get_bool("upper");
  const OutPort y = required(node, "X"), a = required(node, "Y");
  const char* solve = upper ? "UpperTriangularSolve" : "LowerTriangularSolve";
  const OutPort half = Builder(node).op(solve, {a, y}, {{"adjoint", upper}});
  become(node, solve, {a, half}, {{"adjoint", !upper}});
}

void extract_fsp(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(node, "PairedChannels", {x, y});
}

/// The cosine of the angle of rows; the norms are other outputs.
void extract_cos_sim(Node& node) {
  const OutPort x = required(node, "X"), y = required(node, "Y");
  become(node, "CosineSimilarity", {x, y}, {}, {"Out", "XNorm", "YNorm"});
}

}  // namespace mo::paddle
