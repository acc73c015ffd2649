// What is known about numbers and shapes: intervals, dimensions, partial shapes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mo {

/// The integers min..max, both included. kInfinity as max (and its negative as min) means unbounded. Arithmetic
/// saturates.
struct Interval {
  static constexpr int64_t kInfinity = INT64_MAX;

  int64_t min = -kInfinity, max = kInfinity;

  constexpr Interval() = default;
  constexpr Interval(int64_t exact) : min(exact), max(exact) {}  // NOLINT: a number is an interval
  constexpr Interval(int64_t lo, int64_t hi) : min(lo), max(hi) {}

  bool is_exact() const { return min == max; }
  bool operator==(const Interval&) const = default;
};
Interval operator+(Interval a, Interval b);
Interval operator-(Interval a, Interval b);
Interval operator*(Interval a, Interval b);
/// Rounded down. The unbounded interval if the divisor may be 0, or may be negative and is not exact.
Interval floor_div(Interval a, Interval b);
Interval ceil_div(Interval a, Interval b);
Interval min(Interval a, Interval b);
Interval max(Interval a, Interval b);
/// The values in both; nullopt when there are none.
std::optional<Interval> intersect(Interval a, Interval b);
/// The smallest interval that contains both.
Interval unite(Interval a, Interval b);

/// A dimension: an interval whose lower end is at least 0.
using Dimension = Interval;
inline constexpr Dimension kAnyDimension{0, Interval::kInfinity};
/// `value` as a dimension: a negative end becomes 0.
Dimension to_dimension(Interval value);

/// A shape whose dimensions are all known.
using Shape = std::vector<int64_t>;
/// The product. Throws SizeOverflow when it passes 2^62, BadValue for a negative dimension.
uint64_t element_count(const Shape& shape);

/// A shape of unknown rank, or of known rank with partly known dimensions.
class PartialShape {
 public:
  /// Of unknown rank.
  PartialShape() = default;
  PartialShape(std::vector<Dimension> dimensions) : dimensions_(std::move(dimensions)) {}  // NOLINT
  PartialShape(std::initializer_list<Dimension> dimensions) : dimensions_(dimensions) {}
  PartialShape(const Shape& shape) : dimensions_(std::in_place, shape.begin(), shape.end()) {}  // NOLINT
  static PartialShape of_rank(size_t rank) { return std::vector<Dimension>(rank, kAnyDimension); }

  bool has_rank() const { return dimensions_.has_value(); }
  /// The rank; -1 when it is unknown.
  int rank() const { return dimensions_ ? static_cast<int>(dimensions_->size()) : -1; }
  bool is_static() const;
  /// The rank has to be known.
  const std::vector<Dimension>& dimensions() const { return *dimensions_; }
  std::vector<Dimension>& dimensions() { return *dimensions_; }
  const Dimension& operator[](size_t axis) const { return (*dimensions_)[axis]; }
  Dimension& operator[](size_t axis) { return (*dimensions_)[axis]; }
  /// The dimensions; only if is_static().
  Shape to_shape() const;
  /// The number of elements, as far as it is known.
  Interval elements() const;
  bool operator==(const PartialShape&) const = default;

 private:
  std::optional<std::vector<Dimension>> dimensions_;
};

/// As IR's Parameter writes it: "1,3,?,8..16"; "..." for an unknown rank.
std::string to_string(const PartialShape& shape);
std::string to_string(Dimension dimension);

/// `axis` counted from the front, for a tensor of rank `rank`. Throws BadValue outside -rank..rank-1.
size_t normalize_axis(int64_t axis, int rank);

/// The NumPy broadcast of two shapes. Throws ShapeMismatch when they do not fit.
PartialShape broadcast(const PartialShape& a, const PartialShape& b);
/// What is known from both together. Throws ShapeMismatch when they contradict each other.
PartialShape merge(const PartialShape& a, const PartialShape& b);
/// What holds for both: where dimensions differ, an interval that contains both; an unknown rank if the ranks differ.
PartialShape unite(const PartialShape& a, const PartialShape& b);

}  // namespace mo
