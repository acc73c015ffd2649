// What an output port knows of its tensor.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/content.h"

namespace mo {

/// A small integer tensor known element by element; exact where an interval is. What shape sub-graphs compute.
struct IntTensor {
  Shape shape;
  std::vector<Interval> elements;  ///< row-major, element_count(shape) of them

  bool is_exact() const;
  /// The numbers; needs is_exact().
  std::vector<int64_t> exact() const;
};

/// Where a tensor stands in the change from NHWC to NCHW. Only the layout phase knows other than Free.
enum class LayoutMark : char {
  Free,      ///< the change may turn it
  Correct,   ///< keeps the framework's layout: so does the node that makes it
  Permuted,  ///< its record is to be turned by ApplyPermutation
};

struct Tensor {
  PartialShape shape;
  ElementType type = ElementType::Unknown;
  /// The value, when all of it is known.
  std::optional<Constant> value;
  /// The value of an integer or boolean tensor of at most kMaxInts elements, as far as it is known.
  std::optional<IntTensor> ints;
  /// The value hangs on a ShapeOf: known, but kept computable so that the model stays reshapable.
  bool from_shape = false;
  LayoutMark layout = LayoutMark::Free;
  /// Framework tensor names, in the order they were given.
  std::vector<std::string> names;

  static constexpr size_t kMaxInts = 1024;
  /// `ints` when all of it is known.
  std::optional<std::vector<int64_t>> exact_ints() const;
  /// The only element, when there is one and it is known.
  std::optional<int64_t> exact_int() const;
  /// Forgets shape, type and values; names and the mark stay.
  void forget() { shape = {}, type = ElementType::Unknown, value.reset(), ints.reset(), from_shape = false; }
};

}  // namespace mo
