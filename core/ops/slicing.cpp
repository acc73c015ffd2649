#include "core/ops/slicing.h"

#include "core/ops/known.h"

namespace mo {
namespace {

/// Replaces INT64_MIN, which cannot be negated.
Interval tame(Interval x) {
  const auto at_least = [](int64_t v) { return std::max(v, -Interval::kInfinity); };
  return {at_least(x.min), at_least(x.max)};
}

/// A given index, counted from the front and clamped to [low, high].
Interval clamped_position(Interval given, Dimension dimension, Interval low, Interval high) {
  const Interval x = tame(given);
  const auto cut = [&](Interval v) { return max(min(v, high), low); };
  if (x.min >= 0) return cut(x);
  const Interval from_end = cut(Interval(x.min, std::min<int64_t>(x.max, -1)) + dimension);
  return x.max < 0 ? from_end : unite(from_end, cut({0, x.max}));
}

Interval first_position(const Stretch& s, Dimension d, bool forward) {
  if (forward) return s.from_first ? Interval(0) : clamped_position(s.begin, d, 0, d);
  const Interval last = d - 1;
  return s.from_first ? last : clamped_position(s.begin, d, min(last, 0), last);
}

Interval end_position(const Stretch& s, Dimension d, bool forward) {
  if (forward) return s.to_last ? d : clamped_position(s.end, d, 0, d);
  return s.to_last ? Interval(-1) : clamped_position(s.end, d, -1, max(d - 1, -1));
}

}  // namespace

Dimension Stretch::length(Dimension d) const {
  if (step == Interval(0)) throw Error(Code::BadValue, "a step of 0");
  const Interval pace = tame(step);
  if (pace.min <= 0 && pace.max >= 0) return {0, d.max};
  const bool forward = pace.min > 0;
  if (from_first && to_last && pace == Interval(1)) return d;
  const Interval from = first_position(*this, d, forward), to = end_position(*this, d, forward);
  const Interval span = forward ? to - from : from - to;
  const Interval count = ceil_div(max(span, 0), forward ? pace : Interval(0) - pace);
  return {std::max<int64_t>(count.min, 0), std::min(count.max, d.max)};
}

std::optional<int64_t> Stretch::first(Dimension d) const {
  if (!d.is_exact() || (step.min <= 0 && step.max >= 0)) return std::nullopt;
  const Interval from = first_position(*this, d, step.min > 0);
  return from.is_exact() ? std::optional(from.min) : std::nullopt;
}

void slice_known(InferContext& c, const std::vector<Stretch>& stretches) {
  const PartialShape& result = c.node().out().tensor().shape;
  if (!c.shape(0).is_static() || !result.is_static()) return;
  const Shape data = c.shape(0).to_shape();
  std::vector<int64_t> first, step, count;
  bool dense = true;
  for (size_t i = 0; i < data.size(); ++i) {
    const auto from = stretches[i].first(data[i]);
    const Dimension length = stretches[i].length(data[i]);
    if (!from || !length.is_exact() || !stretches[i].step.is_exact()) return;
    first.push_back(*from);
    step.push_back(stretches[i].step.min);
    count.push_back(length.min);
    dense &= length.min <= 1 || step.back() == 1;
  }
  if (const Constant* value = c.value(0); value && dense && value->content->size() > Model::kFoldOne) {
    return set_recipe(c, 0, [&] {
      Constant part = *value;
      for (size_t i = 0; i < data.size(); ++i)
        if (count[i] != data[i]) part = slice(part, i, first[i], first[i] + count[i]);
      return reshape(part, result.to_shape());
    });
  }
  arrange_known(c, 0, [&] {
    const std::vector<uint64_t> strides = strides_of(data);
    Offsets offsets(data.size());
    for (size_t i = 0; i < data.size(); ++i)
      for (int64_t k = 0; k < count[i]; ++k)
        offsets[i].push_back(static_cast<uint64_t>(first[i] + k * step[i]) * strides[i]);
    return offsets;
  });
}

}  // namespace mo
