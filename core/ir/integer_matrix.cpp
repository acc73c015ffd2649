#include "core/ir/integer_matrix.h"

namespace mo {
namespace {

/// Whether numbers that broadcast to `rank` axes have several along `axis`.
bool varies(const Shape& numbers, size_t rank, size_t axis) {
  return numbers.size() + axis >= rank && numbers[numbers.size() + axis - rank] != 1;
}

}  // namespace

MatrixFault fault_of(const IntegerMatrix& matrix) {
  const size_t rank = matrix.integers.size();
  if (matrix.scale.size() > rank || matrix.zero.size() > rank) return MatrixFault::None;
  if (matrix.result.size() > 3 && rank > 3) return MatrixFault::NotCompiled;
  if (matrix.result.size() != 2) return MatrixFault::None;
  const size_t column = matrix.is_transposed ? 0 : rank - 1, row = matrix.is_transposed ? rank - 1 : rank - 2;
  const int64_t columns = matrix.result[matrix.is_transposed ? 0 : 1];
  if (rank == 3) {
    // The plugin takes each Reshape of three axes to two for one that joins the groups of the axis that is summed.
    if (matrix.integers[column] != columns) return MatrixFault::NotCompiled;
    if (columns == 1 && bits(matrix.type) == 4) return MatrixFault::NotCompiled;
  } else if (rank != 2 || matrix.integers != matrix.result) {
    return MatrixFault::None;
  }
  if (columns == 1) return MatrixFault::None;
  for (const Shape* numbers : {&matrix.scale, &matrix.zero}) {
    const bool by_column = varies(*numbers, rank, column), by_row = varies(*numbers, rank, row);
    const bool by_group = rank == 3 && varies(*numbers, rank, matrix.is_transposed ? 1 : 0);
    if (*numbers != matrix.integers && (by_row || (by_group && !by_column))) return MatrixFault::WrongNumbers;
  }
  return MatrixFault::None;
}

}  // namespace mo
