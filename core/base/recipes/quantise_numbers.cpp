// The arithmetic of quantised weights, in f32: true division, and rounding to nearest, ties to even, as NNCF computes
// it. A reciprocal or another rounding gives other codes here and there.
#include <bit>
#include <cmath>

#include "core/base/recipes/quantise.h"

namespace mo {
namespace {

/// NNCF's least scale: the difference between 1 and the next f32.
constexpr float kLeastScale = 0x1p-23f;
/// Numbers that are looked at together: compilers do not change the order of comparisons.
using Floats = float __attribute__((vector_size(16)));
using Ints = int32_t __attribute__((vector_size(16)));
constexpr size_t kLanes = 4;

/// Calls `use` with the place and the number of lanes of each group of n numbers; the last may have fewer.
template <typename Use>
void for_lanes(size_t n, Use use) {
  size_t at = 0;
  for (; at + kLanes <= n; at += kLanes) use(at, kLanes);
  if (at < n) use(at, n - at);
}

/// `lanes` elements, and zeros behind them.
template <typename Vector, typename T>
Vector load(const T* from, size_t lanes) {
  Vector out = {};
  std::memcpy(&out, from, lanes * sizeof(T));
  return out;
}
template <typename Vector, typename T>
void store_lanes(const Vector& vector, T* to, size_t lanes) {
  std::memcpy(to, &vector, lanes * sizeof(T));
}

Ints magnitude_of(Floats numbers) { return std::bit_cast<Ints>(numbers) & 0x7fffffff; }

template <typename T>
T least(T a, T b) {
  return a < b ? a : b;
}
template <typename T>
T largest(T a, T b) {
  return a > b ? a : b;
}

/// To nearest, ties to even, for numbers below 2^22: the sum has no bits for fractions.
float rounded(float number) {
  constexpr float kWhole = 0x1.8p23f;
  return number + kWhole - kWhole;
}

/// Not a number becomes the lowest.
float clamped(float number, float low, float high) { return least(largest(number, low), high); }

float lowest(int bits, bool symmetric) { return symmetric ? -static_cast<float>(1 << (bits - 1)) : 0.0f; }
float highest(int bits, bool symmetric) {
  return static_cast<float>(symmetric ? (1 << (bits - 1)) - 1 : (1 << bits) - 1);
}

Floats all(float number) { return Floats{number, number, number, number}; }

uint8_t byte_of(float code) { return static_cast<uint8_t>(static_cast<int32_t>(code)); }

}  // namespace

void NumberRanges::reset(size_t channels) {
  low_.assign(channels, std::numeric_limits<float>::infinity());
  high_.assign(channels, -std::numeric_limits<float>::infinity());
  magnitude_.assign(channels, 0);
}

void NumberRanges::widen(size_t channel, const float* numbers, size_t n) {
  if (n == 0) return;
  Floats low = all(low_[channel]), high = all(high_[channel]);
  Ints magnitude = {magnitude_[channel], 0, 0, 0};
  for_lanes(n, [&](size_t at, size_t lanes) {
    Floats group = all(numbers[at]);
    std::memcpy(&group, numbers + at, lanes * sizeof(float));
    low = least(group, low);
    high = largest(group, high);
    magnitude = largest(magnitude_of(group), magnitude);
  });
  for (size_t i = 0; i < kLanes; ++i) {
    low_[channel] = least(low[i], low_[channel]);
    high_[channel] = largest(high[i], high_[channel]);
    magnitude_[channel] = std::max(magnitude[i], magnitude_[channel]);
  }
}

void NumberRanges::widen_each(size_t first, const float* numbers, size_t n) {
  float* const low = low_.data() + first;
  float* const high = high_.data() + first;
  int32_t* const magnitude = magnitude_.data() + first;
  for_lanes(n, [&](size_t at, size_t lanes) {
    const Floats group = load<Floats>(numbers + at, lanes);
    store_lanes(least(group, load<Floats>(low + at, lanes)), low + at, lanes);
    store_lanes(largest(group, load<Floats>(high + at, lanes)), high + at, lanes);
    store_lanes(largest(magnitude_of(group), load<Ints>(magnitude + at, lanes)), magnitude + at, lanes);
  });
}

void add_scale(const NumberRange& range, int bits, bool symmetric, ChannelScales& to) {
  if (symmetric) {
    // Of two numbers of one magnitude the negative one becomes the lowest code: a positive one makes the scale
    // negative.
    const float below = std::fabs(range.low);
    const float scale = (below >= range.high ? below : -range.high) / static_cast<float>(1 << (bits - 1));
    to.scales.push_back(std::fabs(scale) < kLeastScale ? kLeastScale : scale);
    return;
  }
  const float top = highest(bits, false);
  const float low = range.low < 0 ? range.low : 0, high = range.high > 0 ? range.high : 0;
  float scale = (high - low) / top;
  if (std::fabs(scale) < kLeastScale) scale = kLeastScale;
  to.scales.push_back(scale);
  to.zero_points.push_back(byte_of(clamped(0 - rounded(low / scale), 0, top)));
}

void encode(const float* numbers, size_t n, float scale, uint8_t zero_point, int bits, bool symmetric, uint8_t* codes) {
  const auto shift = static_cast<float>(zero_point);
  const float low = lowest(bits, symmetric), high = highest(bits, symmetric);
  for (size_t i = 0; i < n; ++i) codes[i] = byte_of(clamped(rounded(numbers[i] / scale + shift), low, high));
}

void encode_each(const float* numbers, size_t n, const float* scales, const uint8_t* zero_points, int bits,
                 bool symmetric, uint8_t* codes) {
  const float low = lowest(bits, symmetric), high = highest(bits, symmetric);
  if (zero_points)
    for (size_t i = 0; i < n; ++i)
      codes[i] = byte_of(clamped(rounded(numbers[i] / scales[i] + static_cast<float>(zero_points[i])), low, high));
  else
    for (size_t i = 0; i < n; ++i) codes[i] = byte_of(clamped(rounded(numbers[i] / scales[i]), low, high));
}

}  // namespace mo
