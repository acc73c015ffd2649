// Diagonals of matrices: taken, made to matrices, written.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

Attributes matrix_axes(const Node& node, int64_t rank) {
  const int64_t rows = axis_of(node, "dim1", rank), columns = axis_of(node, "dim2", rank);
  if (rows == columns) throw Error(Code::BadAttribute, msg("dim1 and dim2 are ", rows));
  return {{"axis1", rows}, {"axis2", columns}};
}

void take_diagonal(Node& node, std::string_view argument) {
  const OutPort x = required(node, argument), k = Builder(node).i64_scalar(int_of(node, "offset"));
  become(node, "Diagonal", {x, k}, matrix_axes(node, rank_of(node, argument)));
}

}  // namespace

void extract_diagonal(Node& node) { take_diagonal(node, "self"); }
/// Of a matrix its diagonal; of a list the matrix with that diagonal.
void extract_diag(Node& node) {
  const OutPort x = required(node, "self"), k = Builder(node).i64_scalar(int_of(node, "diagonal"));
  become(node, "DiagonalOrMatrix", {x, k});
}

void extract_diag_embed(Node& node) {
  const OutPort x = required(node, "self"), k = Builder(node).i64_scalar(int_of(node, "offset"));
  become(node, "EmbeddedDiagonal", {x, k}, matrix_axes(node, rank_of(node, "self") + 1));
}

/// The matrix whose diagonal has all elements.
void extract_diagflat(Node& node) {
  Builder b(node);
  const OutPort x = b.reshape(required(node, "self"), {-1}, false), k = b.i64_scalar(int_of(node, "offset"));
  become(node, "EmbeddedDiagonal", {x, k}, {{"axis1", int64_t{0}}, {"axis2", int64_t{1}}});
}

void extract_diagonal_scatter(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "self"), diagonal = operand(node, b, "src", result_type(node)),
                k = b.i64_scalar(int_of(node, "offset"));
  become(node, "WithDiagonal", {x, diagonal, k}, matrix_axes(node, rank_of(node, "self")));
}

void extract_trace(Node& node) {
  Builder b(node);
  const OutPort x = operand(node, b, "self", result_type(node));
  become(node, "Trace", {x}, {{"is_usual", true}});
}

/// The diagonal of all axes; with `wrap` that of a tall matrix goes on below.
void extract_fill_diagonal(Node& node) {
  const int64_t rank = rank_of(node, "self");
  if (rank < 2) throw Error(Code::UnsupportedForm, msg("a diagonal of ", rank, " dimensions"));
  const bool to_the_end = node.get_bool("wrap") || rank > 2;
  become(node, "FilledDiagonal", {required(node, "self")},
         {{"value", number_of(node, "fill_value")}, {"offset", int64_t{0}}, {"wrap", int64_t{to_the_end}}});
}

}  // namespace mo::pytorch
