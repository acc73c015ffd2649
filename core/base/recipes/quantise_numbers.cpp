// The arithmetic of quantised weights, in f32: true division, and rounding to nearest, ties to even, as NNCF computes
// it. A reciprocal or another rounding gives other codes here and there.
#include <bit>
#include <cmath>

#include "core/base/recipes/quantise.h"

namespace mo {
namespace {

/// NNCF's least scale: the difference between 1 and the next f32.
constexpr float kLeastScale = 0x1p-23f;
/// Numbers that are looked at together, each lane apart: compilers do not change the order of comparisons.
constexpr size_t kLanes = 16;

uint32_t magnitude_of(float number) { return std::bit_cast<uint32_t>(number) & 0x7fffffff; }

/// To nearest, ties to even, for numbers below 2^22: the sum has no bits for fractions.
float rounded(float number) {
  constexpr float kWhole = 0x1.8p23f;
  return number + kWhole - kWhole;
}

/// Not a number becomes the lowest.
float clamped(float number, float low, float high) {
  const float above = number > low ? number : low;
  return above < high ? above : high;
}

float lowest(int bits, bool symmetric) { return symmetric ? -static_cast<float>(1 << (bits - 1)) : 0.0f; }
float highest(int bits, bool symmetric) {
  return static_cast<float>(symmetric ? (1 << (bits - 1)) - 1 : (1 << bits) - 1);
}

void take(NumberRange& range, float number) {
  range.low = number < range.low ? number : range.low;
  range.high = number > range.high ? number : range.high;
  const uint32_t magnitude = magnitude_of(number);
  range.magnitude = magnitude > range.magnitude ? magnitude : range.magnitude;
}

uint8_t byte_of(float code) { return static_cast<uint8_t>(static_cast<int32_t>(code)); }

}  // namespace

void widen(NumberRange& range, const float* numbers, size_t n) {
  float low[kLanes], high[kLanes];
  int32_t magnitude[kLanes];
  for (size_t i = 0; i < kLanes; ++i) low[i] = range.low, high[i] = range.high, magnitude[i] = 0;
  size_t at = 0;
  for (; at + kLanes <= n; at += kLanes)
    for (size_t i = 0; i < kLanes; ++i) {
      const float number = numbers[at + i];
      low[i] = number < low[i] ? number : low[i];
      high[i] = number > high[i] ? number : high[i];
      const auto bits = static_cast<int32_t>(magnitude_of(number));
      magnitude[i] = bits > magnitude[i] ? bits : magnitude[i];
    }
  for (; at < n; ++at) take(range, numbers[at]);
  for (size_t i = 0; i < kLanes; ++i) {
    range.low = low[i] < range.low ? low[i] : range.low;
    range.high = high[i] > range.high ? high[i] : range.high;
    range.magnitude = std::max(range.magnitude, static_cast<uint32_t>(magnitude[i]));
  }
}

void widen_each(NumberRange* ranges, const float* numbers, size_t n) {
  for (size_t i = 0; i < n; ++i) take(ranges[i], numbers[i]);
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
  to.zero_points.push_back(clamped(0 - rounded(low / scale), 0, top));
}

void encode(const float* numbers, size_t n, float scale, float zero_point, int bits, bool symmetric, uint8_t* codes) {
  const float low = lowest(bits, symmetric), high = highest(bits, symmetric);
  for (size_t i = 0; i < n; ++i) codes[i] = byte_of(clamped(rounded(numbers[i] / scale + zero_point), low, high));
}

void encode_each(const float* numbers, size_t n, const float* scales, const float* zero_points, int bits,
                 bool symmetric, uint8_t* codes) {
  const float low = lowest(bits, symmetric), high = highest(bits, symmetric);
  if (zero_points)
    for (size_t i = 0; i < n; ++i)
      codes[i] = byte_of(clamped(rounded(numbers[i] / scales[i] + zero_points[i]), low, high));
  else
    for (size_t i = 0; i < n; ++i) codes[i] = byte_of(clamped(rounded(numbers[i] / scales[i]), low, high));
}

}  // namespace mo
