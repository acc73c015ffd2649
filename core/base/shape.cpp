#include "core/base/shape.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/text.h"

namespace mo {
namespace {

constexpr int64_t kInf = Interval::kInfinity;

int64_t saturate(__int128 value) {
  return value >= kInf ? kInf : value <= -static_cast<__int128>(kInf) ? -kInf : static_cast<int64_t>(value);
}
bool infinite(int64_t v) { return v == kInf || v <= -kInf; }

int64_t add(int64_t a, int64_t b) {
  if (infinite(a)) return a;
  if (infinite(b)) return b;
  return saturate(static_cast<__int128>(a) + b);
}
int64_t negate(int64_t a) { return a == INT64_MIN ? kInf : -a; }
int64_t multiply(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return 0;
  if (infinite(a) || infinite(b)) return (a < 0) == (b < 0) ? kInf : -kInf;
  return saturate(static_cast<__int128>(a) * b);
}
int64_t divide_down(int64_t a, int64_t b) {
  if (infinite(a)) return a;
  if (infinite(b)) return a < 0 ? -1 : 0;
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

}  // namespace

Interval operator+(Interval a, Interval b) { return {add(a.min, b.min), add(a.max, b.max)}; }
Interval operator-(Interval a, Interval b) { return {add(a.min, negate(b.max)), add(a.max, negate(b.min))}; }
Interval operator*(Interval a, Interval b) {
  const int64_t corners[] = {multiply(a.min, b.min), multiply(a.min, b.max), multiply(a.max, b.min),
                             multiply(a.max, b.max)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}
Interval floor_div(Interval a, Interval b) {
  if (b.is_exact() && b.min < 0) return floor_div(Interval(0) - a, Interval(negate(b.min)));
  if (b.min <= 0) return {};
  const int64_t corners[] = {divide_down(a.min, b.min), divide_down(a.min, b.max), divide_down(a.max, b.min),
                             divide_down(a.max, b.max)};
  return {*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}
Interval ceil_div(Interval a, Interval b) { return Interval(0) - floor_div(Interval(0) - a, b); }
Interval min(Interval a, Interval b) { return {std::min(a.min, b.min), std::min(a.max, b.max)}; }
Interval max(Interval a, Interval b) { return {std::max(a.min, b.min), std::max(a.max, b.max)}; }
std::optional<Interval> intersect(Interval a, Interval b) {
  const Interval both{std::max(a.min, b.min), std::min(a.max, b.max)};
  if (both.min > both.max) return std::nullopt;
  return both;
}
Interval unite(Interval a, Interval b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }

Dimension to_dimension(Interval value) { return {std::max<int64_t>(value.min, 0), std::max<int64_t>(value.max, 0)}; }

uint64_t element_count(const Shape& shape) {
  uint64_t count = 1;
  bool zero = false;
  for (const int64_t d : shape) {
    if (d < 0) throw Error(Code::BadValue, msg("a dimension is ", d));
    zero |= d == 0;
    if (__builtin_mul_overflow(count, static_cast<uint64_t>(std::max<int64_t>(d, 1)), &count) ||
        count > (uint64_t{1} << 62))
      throw Error(Code::SizeOverflow, msg("[", join(shape), "]"));
  }
  return zero ? 0 : count;
}

bool PartialShape::is_static() const {
  return dimensions_ && std::all_of(dimensions_->begin(), dimensions_->end(), [](Dimension d) { return d.is_exact(); });
}

Shape PartialShape::to_shape() const {
  Shape shape;
  for (const Dimension& d : *dimensions_) shape.push_back(d.min);
  return shape;
}

Interval PartialShape::elements() const {
  if (!dimensions_) return kAnyDimension;
  Interval product = 1;
  for (const Dimension& d : *dimensions_) product = product * d;
  return product;
}

std::string to_string(Dimension d) {
  if (d.is_exact()) return std::to_string(d.min);
  if (d.min == 0 && d.max == kInf) return "?";
  return cat(d.min, "..", d.max == kInf ? "" : std::to_string(d.max));
}

std::string to_string(const PartialShape& shape) {
  if (!shape.has_rank()) return "...";
  return join(
      shape.dimensions(), [](Dimension d) { return to_string(d); }, ",");
}

size_t normalize_axis(int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) throw Error(Code::BadValue, msg("axis ", axis, " of a tensor of rank ", rank));
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

PartialShape broadcast(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return {};
  const auto rank = static_cast<size_t>(std::max(a.rank(), b.rank()));
  std::vector<Dimension> out(rank);
  for (size_t i = 0; i < rank; ++i) {
    const auto at = [&](const PartialShape& s) {
      const size_t missing = rank - s.dimensions().size();
      return i < missing ? Dimension(1) : s[i - missing];
    };
    const Dimension x = at(a), y = at(b);
    if (x == Dimension(1)) {
      out[i] = y;
    } else if (y == Dimension(1)) {
      out[i] = x;
    } else if (x.min > 1 || x.max == 0) {
      const bool fits = intersect(y, 1) || intersect(x, y);
      if (!fits)
        throw Error(Code::ShapeMismatch, msg("[", to_string(a), "] and [", to_string(b), "] do not broadcast"));
      out[i] = y.min > 1 ? *intersect(x, y) : x;
    } else if (y.min > 1 || y.max == 0) {
      out[i] = y;
    } else {
      out[i] = {std::min(x.min, y.min), std::max(x.max, y.max)};
    }
  }
  return out;
}

PartialShape merge(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank()) return b;
  if (!b.has_rank()) return a;
  const auto differ = [&] {
    return Error(Code::ShapeMismatch, msg("[", to_string(a), "] is not [", to_string(b), "]"));
  };
  if (a.rank() != b.rank()) throw differ();
  std::vector<Dimension> out;
  for (size_t i = 0; i < a.dimensions().size(); ++i) {
    const auto both = intersect(a[i], b[i]);
    if (!both) throw differ();
    out.push_back(*both);
  }
  return out;
}

PartialShape unite(const PartialShape& a, const PartialShape& b) {
  if (a.rank() != b.rank() || !a.has_rank()) return {};
  std::vector<Dimension> out;
  for (size_t i = 0; i < a.dimensions().size(); ++i) out.push_back(unite(a[i], b[i]));
  return out;
}

}  // namespace mo
