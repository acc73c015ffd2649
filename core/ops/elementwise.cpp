#include "core/ops/elementwise.h"

#include <algorithm>
#include <cstring>

#include "core/base/half.h"

namespace mo {
namespace {

/// Integers of input `i`. A u64 value that int64_t cannot hold becomes an interval.
std::optional<IntTensor> ints_for_fold(const InferContext& c, int i) {
  const Constant* value = c.value(i);
  if (!value) return std::nullopt;
  const auto numbers = read_ints(*value, c.files(), Model::kFoldOne);
  if (!numbers) return std::nullopt;
  IntTensor out{value->shape, {numbers->begin(), numbers->end()}};
  if (value->type == ElementType::U64)
    for (Interval& e : out.elements)
      if (e.min == Interval::kInfinity) e = {0, Interval::kInfinity};
  return out;
}

IntTensor mapped(const IntTensor& a, UnaryInterval map, ElementType type) {
  IntTensor out{a.shape, {}};
  out.elements.reserve(a.elements.size());
  for (const Interval& e : a.elements) out.elements.push_back(fit_interval(map(e), type));
  return out;
}

IntTensor mapped(const IntTensor& a, const IntTensor& b, const Shape& shape, BinaryInterval map, ElementType type) {
  const std::vector<size_t> from_a = broadcast_sources(a.shape, shape), from_b = broadcast_sources(b.shape, shape);
  IntTensor out{shape, {}};
  out.elements.reserve(from_a.size());
  for (size_t i = 0; i < from_a.size(); ++i)
    out.elements.push_back(fit_interval(map(a.elements[from_a[i]], b.elements[from_b[i]]), type));
  return out;
}

void set_exact(InferContext& c, const IntTensor& known) {
  if (known.is_exact()) c.set_value(0, make_ints(c.node().out(0).tensor().type, known.shape, known.exact()));
}

bool is_integral(ElementType type) { return is_integer(type) || type == ElementType::Bool; }

std::optional<std::vector<double>> floats_for_fold(const InferContext& c, int i) {
  const Constant* value = c.value(i);
  if (!value || !is_float(value->type)) return std::nullopt;
  return read_doubles(*value, c.files(), Model::kFoldOne);
}

bool both_exact(Interval a, Interval b) { return a.is_exact() && b.is_exact(); }
/// Replaces INT64_MIN, which cannot be negated.
Interval above_least(Interval a) {
  return {std::max(a.min, -Interval::kInfinity), std::max(a.max, -Interval::kInfinity)};
}

/// The shape of output 0 and, for both inputs, which element goes where.
struct FoldPairs {
  Shape shape;
  std::vector<size_t> a, b;
};
FoldPairs fold_pairs(const InferContext& c) {
  const Shape shape = c.node().out(0).tensor().shape.to_shape();
  return {shape, broadcast_sources(c.value(0)->shape, shape), broadcast_sources(c.value(1)->shape, shape)};
}

}  // namespace

Interval fit_interval(Interval value, ElementType type) {
  constexpr int64_t kInf = Interval::kInfinity;
  if (type == ElementType::Bool) return {std::max<int64_t>(value.min, 0), std::min<int64_t>(value.max, 1)};
  const bool is_unsigned = is_integer(type) && !is_signed(type);
  const int width = bits(type);
  const int64_t most = width >= 64 ? kInf : (int64_t{1} << (is_unsigned ? width : width - 1)) - 1;
  const int64_t least = is_unsigned ? 0 : width >= 64 ? -kInf : -(int64_t{1} << (width - 1));
  const auto outside = [&](int64_t v) { return v != kInf && v != -kInf && (v < least || v > most); };
  const bool lost =
      outside(value.min) || outside(value.max) || (is_unsigned && value.min == -kInf) || value.max == -kInf;
  return lost ? Interval{least, most} : value;
}

void infer_same_as_input(InferContext& c) { c.set(0, c.shape(0), c.type(0)); }

ElementType common_type(const InferContext& c) {
  const ElementType a = c.type(0), b = c.type(1);
  if (a != b && a != ElementType::Unknown && b != ElementType::Unknown)
    c.fail(Code::UnsupportedType, msg("inputs of type ", ir_name(a), " and ", ir_name(b)));
  return a == ElementType::Unknown ? b : a;
}

void infer_numpy_broadcast(InferContext& c, bool predicate) {
  const ElementType type = common_type(c);
  if (type == ElementType::String) c.fail(Code::UnsupportedType, "strings");
  c.set(0, broadcast(c.shape(0), c.shape(1)), predicate ? ElementType::Bool : type);
}

void map_ints(InferContext& c, UnaryInterval map) {
  if (const auto& known = c.ints(0)) c.set_ints(0, mapped(*known, map, c.node().out(0).tensor().type));
}

void map_ints(InferContext& c, BinaryInterval map) {
  const auto &a = c.ints(0), &b = c.ints(1);
  if (!a || !b) return;
  const Shape shape = broadcast(PartialShape(a->shape), PartialShape(b->shape)).to_shape();
  if (element_count(shape) > Tensor::kMaxInts) return;
  c.set_ints(0, mapped(*a, *b, shape, map, c.node().out(0).tensor().type));
}

void fold_elements(InferContext& c, const UnaryFold& fold) {
  const ElementType type = c.node().out(0).tensor().type;
  if (is_integral(type) && fold.map) {
    if (const auto known = ints_for_fold(c, 0)) set_exact(c, mapped(*known, fold.map, type));
    return;
  }
  auto values = floats_for_fold(c, 0);
  if (!values || !is_float(type) || !fold.f32) return;
  for (double& v : *values)
    v = type == ElementType::F64 ? fold.f64(v) : static_cast<double>(fold.f32(static_cast<float>(v)));
  c.set_value(0, make_floats(type, c.value(0)->shape, *values));
}

void fold_elements(InferContext& c, const BinaryFold& fold) {
  const ElementType type = c.node().out(0).tensor().type;
  if (is_integral(type) && fold.map) {
    const auto a = ints_for_fold(c, 0), b = ints_for_fold(c, 1);
    if (a && b) set_exact(c, mapped(*a, *b, c.node().out(0).tensor().shape.to_shape(), fold.map, type));
    return;
  }
  const auto a = floats_for_fold(c, 0), b = floats_for_fold(c, 1);
  if (!a || !b || !is_float(type) || !fold.f32) return;
  const FoldPairs pairs = fold_pairs(c);
  std::vector<double> values(pairs.a.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = (*a)[pairs.a[i]], y = (*b)[pairs.b[i]];
    values[i] = type == ElementType::F64 ? fold.f64(x, y)
                                         : static_cast<double>(fold.f32(static_cast<float>(x), static_cast<float>(y)));
  }
  c.set_value(0, make_floats(type, pairs.shape, values));
}

void fold_predicate(InferContext& c, bool (*test)(double, double), BinaryInterval map) {
  if (is_integral(c.type(0))) return fold_elements(c, BinaryFold{nullptr, nullptr, map});
  const auto a = floats_for_fold(c, 0), b = floats_for_fold(c, 1);
  if (!a || !b) return;
  const FoldPairs pairs = fold_pairs(c);
  std::vector<int64_t> values(pairs.a.size());
  for (size_t i = 0; i < values.size(); ++i) values[i] = test((*a)[pairs.a[i]], (*b)[pairs.b[i]]);
  c.set_value(0, make_ints(ElementType::Bool, pairs.shape, values));
}

std::vector<size_t> broadcast_sources(const Shape& from, const Shape& to) {
  std::vector<size_t> out(static_cast<size_t>(element_count(to)), 0);
  const size_t missing = to.size() - from.size();
  size_t to_stride = 1, from_stride = 1;
  for (size_t axis = to.size(); axis-- > missing;) {
    const auto size = static_cast<size_t>(to[axis]);
    if (from[axis - missing] != 1)
      for (size_t i = 0; i < out.size(); ++i) out[i] += i / to_stride % size * from_stride;
    to_stride *= size;
    from_stride *= static_cast<size_t>(from[axis - missing]);
  }
  return out;
}

Constant make_floats(ElementType type, Shape shape, const std::vector<double>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(double));
  for (size_t i = 0; i < values.size(); ++i) {
    const double value = canonical(values[i]);
    std::memcpy(bytes.data() + i * sizeof(double), &value, sizeof value);
  }
  return convert(owned(ElementType::F64, std::move(shape), std::move(bytes)), type);
}

Constant make_ints(ElementType type, Shape shape, const std::vector<int64_t>& values) {
  return convert(reshape(make_i64(values), std::move(shape)), type);
}

Interval checked_add(Interval a, Interval b) {
  int64_t exact = 0;
  if (both_exact(a, b)) return __builtin_add_overflow(a.min, b.min, &exact) ? Interval{} : Interval(exact);
  return above_least(a) + above_least(b);
}

Interval checked_sub(Interval a, Interval b) {
  int64_t exact = 0;
  if (both_exact(a, b)) return __builtin_sub_overflow(a.min, b.min, &exact) ? Interval{} : Interval(exact);
  return above_least(a) - above_least(b);
}

Interval checked_mul(Interval a, Interval b) {
  int64_t exact = 0;
  if (both_exact(a, b)) return __builtin_mul_overflow(a.min, b.min, &exact) ? Interval{} : Interval(exact);
  return above_least(a) * above_least(b);
}

}  // namespace mo
