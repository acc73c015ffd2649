// What is known about the tensor of an output port.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/content.h"
#include "core/graph/name_list.h"

namespace mo {

/// A small integer tensor, known element by element; an element is exact if its interval has one value. Shape
/// sub-graphs compute such tensors.
struct IntTensor {
  Shape shape;
  std::vector<Interval> elements;  ///< row-major, element_count(shape) of them

  bool is_exact() const;
  /// The numbers; needs is_exact().
  std::vector<int64_t> exact() const;
};

/// How the change from NHWC to NCHW treats a tensor. Outside the layout phase it is always Free.
enum class LayoutMark : char {
  Free,      ///< not decided: the change may permute it
  Correct,   ///< keeps the framework's layout, as does the node that makes it
  Permuted,  ///< ApplyPermutation will permute it
};

/// An optional value, shared by its copies and never changed. Absent, as most are, it takes two words.
template <typename T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : value_(std::make_shared<const T>(std::move(value))) {}  // NOLINT: like an optional
  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_.get(); }
  void reset() { value_.reset(); }

 private:
  std::shared_ptr<const T> value_;
};

struct Tensor {
  PartialShape shape;
  ElementType type = ElementType::Unknown;
  /// The value, if all of it is known.
  Boxed<Constant> value;
  /// The value of an integer or boolean tensor of at most kMaxInts elements, as far as it is known.
  Boxed<IntTensor> ints;
  /// The value depends on a ShapeOf: it is known, but stays computable so that the model can be reshaped.
  bool from_shape = false;
  LayoutMark layout = LayoutMark::Free;
  NameList names;

  bool has_name(std::string_view name) const { return names.has(name); }
  void add_name(std::string name) { names.add(std::move(name)); }

  static constexpr size_t kMaxInts = 1024;
  /// `ints`, if all elements are known.
  std::optional<std::vector<int64_t>> exact_ints() const;
  /// The only element, if there is exactly one and it is known.
  std::optional<int64_t> exact_int() const;
  /// Forgets shape, type and values, but not names and mark.
  void forget() { shape = {}, type = ElementType::Unknown, value.reset(), ints.reset(), from_shape = false; }
};

}  // namespace mo
