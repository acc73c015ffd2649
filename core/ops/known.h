// Known values in operations that move data.
#pragma once

#include <functional>

#include "core/ops/op_def.h"

namespace mo {

/// Output `out` is input `in` in the output's shape: passes on its value, of any size, and its integers.
void pass_known(InferContext& c, int in, int out = 0);

/// Offsets into a tensor, one list for each dimension of the result: the element at [i, j, …] is the source's element
/// at offsets[0][i] + offsets[1][j] + …
using Offsets = std::vector<std::vector<uint64_t>>;
/// Output `out` consists of elements of input `in`. `offsets` is called only when the result is known and small.
void arrange_known(InferContext& c, int in, const std::function<Offsets()>& offsets, int out = 0);

/// The stride of each dimension, in elements.
std::vector<uint64_t> strides_of(const Shape& shape);

/// Sets the value that `make` gives; no value when its recipe nests too deeply or the type has no recipes.
template <typename Make>
void set_recipe(InferContext& c, int out, Make make) {
  try {
    c.set_value(out, make());
  } catch (const Error& error) {
    if (error.code() != Code::UnsupportedForm && error.code() != Code::UnsupportedType) throw;
  }
}

/// Throws MissingInput unless the first `count` inputs are connected.
void require_inputs(const InferContext& c, int count);

/// `axis` as an index into a tensor of that rank. Throws BadValue.
size_t axis_of(const InferContext& c, int64_t axis, int rank);

/// The elements of input `i` if their number is known; unknown elements are unbounded intervals.
std::optional<std::vector<Interval>> elements_of(const InferContext& c, int i);
/// The same of an input that is a shape. Throws RankMismatch if it has more than kMostDimensions.
std::optional<std::vector<Interval>> shape_elements_of(const InferContext& c, int i);

}  // namespace mo
