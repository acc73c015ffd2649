// What OpenVINO's CPU plugin makes of integer weights in a product.
#pragma once

#include "core/base/element_type.h"
#include "core/base/shape.h"

namespace mo {

/// Const of integers -> Convert -> [Subtract zero] -> Multiply scale -> [Reshape] -> [Transpose] -> MatMul, by shapes.
struct IntegerMatrix {
  ElementType type = ElementType::Unknown;  ///< of the integers
  Shape integers;
  Shape scale, zero;  ///< may have fewer dimensions than the integers; empty for one number, or none
  Shape result;       ///< of the Reshape; as the integers' if there is none
  bool is_transposed = false;  ///< MatMul sums over the last axis of the result, else over the last but one
};

/// Numbers are wrong where few rows are multiplied, on processors and for sizes that have a fast form.
enum class MatrixFault { None, NotCompiled, WrongNumbers };

/// As release 2026.4.1 does it: tests/numeric/test_integer_matrices.py compares each answer with the runtime.
MatrixFault fault_of(const IntegerMatrix& matrix);

}  // namespace mo
