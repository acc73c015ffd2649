#include "core/front/kaldi/time/times.h"

namespace mo::kaldi {

Times Times::shifted(int64_t by) const {
  Times out = *this;
  const auto count = static_cast<int64_t>(modulus());
  for (size_t r = 0; r < modulus(); ++r) {
    const int64_t from = from_[static_cast<size_t>(remainder(static_cast<int64_t>(r) + by, count))];
    out.from_[r] = is_finite(from) ? from - by : from;
  }
  return out;
}

Times Times::rounded(size_t multiple) const {
  Times out = *this;
  for (size_t r = 0; r < modulus(); ++r) {
    const size_t behind = r % multiple;
    const int64_t from = from_[r - behind];
    out.from_[r] = is_finite(from) ? from + static_cast<int64_t>(behind) : from;
  }
  return out;
}

Times Times::both(const Times& other) const {
  Times out = *this;
  for (size_t r = 0; r < modulus(); ++r) out.from_[r] = std::max(from_[r], other.from_[r]);
  return out;
}

Times Times::either(const Times& other) const {
  Times out = *this;
  for (size_t r = 0; r < modulus(); ++r) out.from_[r] = std::min(from_[r], other.from_[r]);
  return out;
}

Times Times::in_turn(const std::vector<Times>& parts) {
  Times out = parts.at(0);
  for (size_t r = 0; r < out.modulus(); ++r) out.from_[r] = parts[r % parts.size()].from_[r];
  return out;
}

int64_t Times::first(int64_t begin) const {
  const auto count = static_cast<int64_t>(modulus());
  int64_t out = kNever;
  for (size_t r = 0; r < modulus(); ++r) {
    if (from_[r] >= kNever) continue;
    const int64_t from = std::max(from_[r], begin);
    out = std::min(out, from + remainder(static_cast<int64_t>(r) - from, count));
  }
  return out;
}

std::vector<int64_t> Times::calls(int64_t begin, int64_t delay) const {
  const auto count = static_cast<int64_t>(modulus());
  // Inference n has frame t = n + begin - delay.
  const int64_t to_call = delay - begin;
  std::vector<int64_t> out(modulus());
  int64_t earliest = kNever;
  for (int64_t n = 0; n < count; ++n) {
    const int64_t from = from_[static_cast<size_t>(remainder(n - to_call, count))];
    int64_t call = from <= kAlways ? 0 : from >= kNever ? INT32_MAX : std::max<int64_t>(from + to_call, 0);
    call = std::min<int64_t>(call + remainder(n - call, count), INT32_MAX);
    out[static_cast<size_t>(n)] = call;
    earliest = std::min(earliest, call);
  }
  for (int64_t n = 0; n < count; ++n)
    if (out[static_cast<size_t>(n)] != earliest + remainder(n - earliest, count)) return out;
  return {earliest};
}

}  // namespace mo::kaldi
