// Products of matrices, and rows of tables.

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

/// alpha * A * B, each perhaps transposed, in the last two dimensions.
OutPort matrix_product(const Node& node, Builder& b, OutPort x, OutPort y, bool transpose_x, bool transpose_y) {
  if (int_of(node, "axis", -2) != -2)
    throw Error(Code::UnsupportedForm, msg("matrices with rows along axis ", int_of(node, "axis")));
  const double alpha = float_of(node, "alpha", 1);
  const OutPort out = b.op("MatMul", {x, y}, {{"transpose_a", transpose_x}, {"transpose_b", transpose_y}});
  return alpha == 1 ? out : b.op("Mul", {out, b.scalar_like(out, alpha)});
}

}  // namespace

/// Rows of x, or with `flatten` all that a sample has, times the transposed weights.
void extract_fully_connected(Node& node) {
  OutPort x = required(node, 0);
  const OutPort weights = required(node, 1);
  const OutPort bias = bool_of(node, "no_bias") ? OutPort() : required(node, 2);
  Builder b(node);
  if (bool_of(node, "flatten", true)) x = b.op("ReshapedAxes", {x}, {{"shape", Ints{-1}}, {"begin", 1}, {"end", -1}});
  if (!bias) return become(node, "MatMul", {x, weights}, {{"transpose_b", true}});
  const OutPort rows = b.matmul({x, weights}, true);
  become(node, "Add", {rows, bias});
}

/// Rows by their numbers, which are usually real; those outside the table are its first and its last row.
void extract_embedding(Node& node) {
  OutPort ids = required(node, 0);
  const OutPort table = required(node, 1);
  const int64_t rows = limited_int(node, "input_dim", 0, 1);
  Builder b(node);
  ids = b.op("AttributedClamp", {ids}, {{"min", 0.0}, {"max", static_cast<double>(rows - 1)}});
  ids = b.op("Cast", {ids}, {{"dst_type", ElementType::I32}});
  become(node, "Gather", {table, ids, b.i64_scalar(0)});
}

/// Along the last axis of the first factor and the first one of the second, unless they are transposed.
void extract_dot(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1);
  const bool transpose_x = bool_of(node, "transpose_a"), transpose_y = bool_of(node, "transpose_b");
  become(node, "TensorDot", {x, y}, {{"transpose_a", transpose_x}, {"transpose_b", transpose_y}});
}

/// Along the last axis of the first factor and the last one but one of the second.
void extract_np_dot(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1);
  become(node, "TensorDot", {x, y}, {{"numpy", true}});
}

void extract_batch_dot(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1);
  const bool transpose_x = bool_of(node, "transpose_a"), transpose_y = bool_of(node, "transpose_b");
  become(node, "MatMul", {x, y}, {{"transpose_a", transpose_x}, {"transpose_b", transpose_y}});
}

/// alpha * A * B + beta * C
void extract_gemm(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1), z = required(node, 2);
  const double beta = float_of(node, "beta", 1);
  Builder b(node);
  const OutPort xy = matrix_product(node, b, x, y, bool_of(node, "transpose_a"), bool_of(node, "transpose_b"));
  const OutPort summand = beta == 1 ? z : b.op("Mul", {z, b.scalar_like(z, beta)});
  become(node, "Add", {xy, summand});
}

void extract_gemm2(Node& node) {
  const OutPort x = required(node, 0), y = required(node, 1);
  Builder b(node);
  give(node, {matrix_product(node, b, x, y, bool_of(node, "transpose_a"), bool_of(node, "transpose_b"))});
}

/// alpha * A * transposed A, or the other way round
void extract_syrk(Node& node) {
  const OutPort x = required(node, 0);
  const bool transposed = bool_of(node, "transpose");
  Builder b(node);
  give(node, {matrix_product(node, b, x, x, transposed, !transposed)});
}

void extract_slogdet(Node& node) {
  Builder b(node);
  const OutPort det = b.op("Det", {required(node, 0)});
  give(node, {b.op("Sign", {det}), b.op("Log", {b.op("Abs", {det})})});
}

}  // namespace mo::mxnet
