// Norms of vectors and matrices.

#include <cmath>

#include "core/base/text.h"
#include "core/front/pytorch/extract/elementwise.h"
#include "core/front/pytorch/extract/reductions.h"

namespace mo::pytorch {

/// The sum of powers of magnitudes, and its root.
OutPort norm_along(Builder& b, OutPort x, double p, const Ints& axes, bool keep, ElementType type) {
  if (p == 2 && !axes.empty()) return reduced(b, "ReduceL2", x, axes, keep);
  if (p == 1 && !axes.empty()) return reduced(b, "ReduceL1", x, axes, keep);
  if (p == 0) {
    const OutPort ones = b.convert(b.op("NotEqual", {x, number_as(b, type, 0)}), type);
    return reduced(b, "ReduceSum", ones, axes, keep);
  }
  const OutPort magnitude = b.op("Abs", {x});
  if (std::isinf(p)) return reduced(b, p > 0 ? "ReduceMax" : "ReduceMin", magnitude, axes, keep);
  if (axes.empty()) return magnitude;
  const OutPort sum = reduced(b, "ReduceSum", b.op("Pow", {magnitude, number_as(b, type, p)}), axes, keep);
  return b.op("Pow", {sum, number_as(b, type, 1 / p)});
}

namespace {

/// The order of a norm that is a number or a word: of the words only Frobenius's is read, which is 2.
double order_of(const Node& node, const char* argument) {
  const auto* word = node.attributes.get_if<std::string>(argument);
  if (!word) return node.has(argument) ? number_of(node, argument) : 2;
  if (*word == "fro") return 2;
  throw Error(Code::UnsupportedForm, msg(argument, " is '", printable(*word), "'"));
}

/// The largest sum of magnitudes of a column (1) or of a row (infinity), or with a negative order the least one.
OutPort norm_of_matrix(Builder& b, OutPort x, double order, const Ints& axes, bool keep) {
  if (std::abs(order) != 1 && !std::isinf(order)) throw Error(Code::UnsupportedForm, msg("ord is ", order));
  const bool of_columns = std::abs(order) == 1;
  const OutPort sums = reduced(b, "ReduceL1", x, {axes[of_columns ? 0 : 1]}, true);
  const OutPort y = reduced(b, order > 0 ? "ReduceMax" : "ReduceMin", sums, {axes[of_columns ? 1 : 0]}, true);
  return keep ? y : b.squeeze(y, axes);
}

/// Of the matrices that two axes are. Frobenius's norm is that of all elements as a vector.
void matrix_norm(Node& node, const Ints& axes) {
  Builder b(node);
  const ElementType type = result_type(node);
  const bool keep = node.get_bool("keepdim"), is_word = node.attributes.get_if<std::string>("ord") != nullptr;
  const double order = order_of(node, "ord");
  const OutPort x = operand(node, b, "self", type);
  if (axes.size() != 2 || axes[0] == axes[1]) throw Error(Code::BadAttribute, msg(axes.size(), " axes of a matrix"));
  give(node,
       {is_word || !node.has("ord") ? norm_along(b, x, 2, axes, keep, type) : norm_of_matrix(b, x, order, axes, keep)});
}

void vector_norm(Node& node, double order) {
  Builder b(node);
  const ElementType type = result_type(node);
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  const OutPort x = operand(node, b, "self", type);
  give(node, {norm_along(b, x, order, axes, node.get_bool("keepdim"), type)});
}

}  // namespace

void extract_norm(Node& node) { vector_norm(node, order_of(node, is_given(node, "ord") ? "ord" : "p")); }
void extract_frobenius_norm(Node& node) { vector_norm(node, 2); }

void extract_matrix_norm(Node& node) { matrix_norm(node, reduced_axes(node, rank_of(node, "self"))); }

/// Without an order, or along one axis, that of vectors.
void extract_linalg_norm(Node& node) {
  const Ints axes = reduced_axes(node, rank_of(node, "self"));
  if (node.has("ord") && axes.size() == 2) return matrix_norm(node, axes);
  vector_norm(node, order_of(node, "ord"));
}

/// Slices whose norm is larger get that norm.
void extract_renorm(Node& node) {
  const double p = number_of(node, "p"), most = number_of(node, "maxnorm");
  if (!(p > 0)) throw Error(Code::UnsupportedForm, msg("p is ", p));
  const int64_t axis = axis_of(node, "dim", rank_of(node, "self"));
  become(node, "Renorm", {required(node, "self")}, {{"p", p}, {"root", 1 / p}, {"axis", axis}, {"most", most}});
}

}  // namespace mo::pytorch
