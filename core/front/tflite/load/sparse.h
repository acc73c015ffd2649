// Sparse weights, which SparsityParameters of schema.fbs describe, as dense tensors.
#pragma once

#include "core/base/content.h"
#include "core/front/tflite/load/flat_buffer.h"

namespace mo::tflite {

/// A tensor of that type and shape, whose stored elements are `values`. It is decoded when it is read, and as a whole:
/// a sparse tensor has its elements in any order. Throws CorruptFile for lists that do not fit, UnsupportedForm beyond
/// 256 MB.
Constant sparse_constant(ElementType type, const Shape& shape, const SliceContent& values, const FlatTable& sparsity);

}  // namespace mo::tflite
