#include "core/base/half.h"

#include <bit>
#include <cstddef>

#include "core/base/error.h"
#include "core/base/half_wasm.h"
#include "core/base/processors.h"

namespace mo {
namespace {

/// A type with a sign, an exponent and a mantissa; codes are without the sign.
struct SmallFloat {
  int mantissa_bits, bias;
  uint32_t sign, largest, overflow, nan;
};
constexpr SmallFloat kF16{10, 15, 0x8000, 0x7bff, 0x7c00, 0x7e00};
constexpr SmallFloat kBf16{7, 127, 0x8000, 0x7f7f, 0x7f80, 0x7fc0};
constexpr SmallFloat kF8E4M3{3, 7, 0x80, 0x7e, 0x7e, 0x7f};
constexpr SmallFloat kF8E5M2{2, 15, 0x80, 0x7b, 0x7b, 0x7e};
/// Has no NaN: one becomes the largest value.
constexpr SmallFloat kF4E2M1{1, 1, 0x8, 0x7, 0x7, 0x7};

/// Without infinities and -0, whose code is NaN.
constexpr SmallFloat kF8E4M3Fnuz{3, 8, 0x80, 0x7f, 0x7f, 0x80};
constexpr SmallFloat kF8E5M2Fnuz{2, 16, 0x80, 0x7f, 0x7f, 0x80};

/// The values of NF4, quantiles of the normal distribution as published with QLoRA.
constexpr float kNf4[16] = {-1.0f,
                            -0.6961928009986877f,
                            -0.5250730514526367f,
                            -0.39491748809814453f,
                            -0.28444138169288635f,
                            -0.18477343022823334f,
                            -0.09105003625154495f,
                            0.0f,
                            0.07958029955625534f,
                            0.16093020141124725f,
                            0.24611230194568634f,
                            0.33791524171829224f,
                            0.44070982933044434f,
                            0.5626170039176941f,
                            0.7229568362236023f,
                            1.0f};

constexpr uint64_t kDoubleFraction = (uint64_t{1} << 52) - 1;
int double_exponent(uint64_t bits) { return static_cast<int>(bits >> 52 & 0x7ff) - 1023; }

uint32_t encode_by(const SmallFloat& type, double value) {
  if (value != value) return type.nan;
  const auto bits = std::bit_cast<uint64_t>(value);
  const uint32_t sign = bits >> 63 ? type.sign : 0;
  const int exponent = double_exponent(bits);
  if (exponent == -1023) return sign;  // zero, or subnormal as a double: too small for every type here
  const int kept = exponent < 1 - type.bias ? 1 - type.bias : exponent;
  const int dropped = 52 - type.mantissa_bits + kept - exponent;
  if (dropped > 54) return sign;
  const uint64_t significand = (bits & kDoubleFraction) | (kDoubleFraction + 1);
  const uint64_t rest = significand & ((uint64_t{1} << dropped) - 1), half = uint64_t{1} << (dropped - 1);
  uint64_t code = significand >> dropped;
  code += rest > half || (rest == half && (code & 1));
  // The leading one of a normal number counts as one exponent step; rounding up may carry into the exponent.
  code += static_cast<uint64_t>(kept + type.bias - 1) << type.mantissa_bits;
  return sign | (code > type.largest ? type.overflow : static_cast<uint32_t>(code));
}

float decode_by(const SmallFloat& type, uint32_t bits) {
  const uint32_t code = bits & (type.sign - 1);
  const float sign = bits & type.sign ? -1.0f : 1.0f;
  const uint32_t fraction = code & ((1u << type.mantissa_bits) - 1);
  const int exponent = static_cast<int>(code >> type.mantissa_bits);
  const int power = (exponent ? exponent : 1) - type.bias - type.mantissa_bits + 127;
  const uint32_t significand = exponent ? fraction | 1u << type.mantissa_bits : fraction;
  return sign * static_cast<float>(significand) * std::bit_cast<float>(static_cast<uint32_t>(power) << 23);
}

uint32_t encode_fnuz(const SmallFloat& type, double value) {
  const uint32_t code = encode_by(type, value);
  return code == type.nan && value == value ? 0 : code;
}
float decode_fnuz(const SmallFloat& type, uint32_t bits) {
  return (bits & 0xff) == type.nan ? std::bit_cast<float>(kNanF32) : decode_by(type, bits);
}

/// An exponent alone: 2^(code - 127), 255 is NaN. Zero and negative values become the smallest.
uint32_t encode_e8m0(double value) {
  if (value != value) return 0xff;
  const auto bits = std::bit_cast<uint64_t>(value);
  if (bits >> 63) return 0;
  const uint64_t fraction = bits & kDoubleFraction, half = uint64_t{1} << 51;
  int code = double_exponent(bits) + 127;
  if (code < 0) return 0;
  code += fraction > half || (fraction == half && (code & 1));
  return static_cast<uint32_t>(code > 0xfe ? 0xfe : code);
}

float decode_e8m0(uint32_t bits) {
  bits &= 0xff;
  if (bits == 0xff) return std::bit_cast<float>(kNanF32);
  return std::bit_cast<float>(bits ? bits << 23 : uint32_t{1} << 22);
}

uint32_t encode_nf4(double value) {
  uint32_t code = 0;
  while (code < 15 && value > (static_cast<double>(kNf4[code]) + kNf4[code + 1]) / 2) ++code;
  return code;
}

Error not_a_small_float(ElementType type) {
  return Error(Code::Unexpected, msg(ir_name(type), " is no small floating-point type"));
}

// The bodies of the bulk loops. They have no branches, and compare as signed numbers, so that compilers turn them into
// few vector instructions.

constexpr int32_t exponent_field(int power) { return (power + 127) << 23; }

/// Elements of an array of bytes, at any address.
using LooseF32 [[gnu::aligned(1), gnu::may_alias]] = float;
using LooseU16 [[gnu::aligned(1), gnu::may_alias]] = uint16_t;

/// The f16 code of a positive f32 of at most 2^16, rounded to nearest even.
inline int32_t round_to_f16(int32_t magnitude) {
  const int32_t exponent = magnitude & 0x7f800000, smallest = exponent_field(-14);
  // The last bit of this number is worth four times the last bit that f16 keeps: the addition rounds.
  const auto unit = std::bit_cast<float>((exponent < smallest ? smallest : exponent) + (15 << 23));
  const auto sum = std::bit_cast<int32_t>(unit + std::bit_cast<float>(magnitude) * 4);
  return (sum >> 13 & 0x7c00) + (sum & 0xfff);
}

inline uint16_t narrow_f16(float value) {
  const auto bits = std::bit_cast<int32_t>(value);
  const int32_t magnitude = bits & 0x7fffffff, infinity = exponent_field(16);
  const int32_t code = round_to_f16(magnitude > infinity ? infinity : magnitude) | (bits >> 16 & 0x8000);
  return static_cast<uint16_t>(magnitude > 0x7f800000 ? 0x7e00 : code);
}

inline uint16_t narrow_f16_clamped(float value) {
  const auto bits = std::bit_cast<int32_t>(value);
  const int32_t magnitude = bits & 0x7fffffff, largest = 0x477fe000;  // 65504
  const int32_t kept = magnitude < exponent_field(-24) ? 0 : magnitude;
  const int32_t code = round_to_f16(kept > largest ? largest : kept) | (kept ? bits >> 16 & 0x8000 : 0);
  return static_cast<uint16_t>(magnitude > 0x7f800000 ? 0x7e00 : code);
}

inline float widen_f16(uint16_t bits) {
  const int32_t magnitude = (bits & 0x7fff) << 13;
  // A subnormal is the number 2^-14 + its fraction, minus 2^-14.
  const float tiny = std::bit_cast<float>(magnitude + (113 << 23)) - std::bit_cast<float>(113 << 23);
  int32_t code = magnitude < (1 << 23) ? std::bit_cast<int32_t>(tiny) : magnitude + (112 << 23);
  code = magnitude >= (31 << 23) ? 0x7f800000 : code;
  const uint32_t sign = (bits & 0x8000u) << 16;
  return std::bit_cast<float>(magnitude > (31 << 23) ? kNanF32 : static_cast<uint32_t>(code) | sign);
}

}  // namespace

float f16_to_f32(uint16_t bits) { return widen_f16(bits); }
uint16_t f32_to_f16(float value) { return narrow_f16(value); }

float bf16_to_f32(uint16_t bits) { return canonical(std::bit_cast<float>(static_cast<uint32_t>(bits) << 16)); }
uint16_t f32_to_bf16(float value) {
  if (value != value) return kBf16.nan;
  const auto bits = std::bit_cast<uint32_t>(value);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

float decode_small_float(ElementType type, uint32_t bits) {
  switch (type) {
    case ElementType::F16: return widen_f16(static_cast<uint16_t>(bits));
    case ElementType::BF16: return bf16_to_f32(static_cast<uint16_t>(bits));
    case ElementType::F8E5M2: return widen_f16(static_cast<uint16_t>(bits << 8));  // f16 without its low byte
    case ElementType::F8E4M3:
      return (bits & 0x7f) == kF8E4M3.nan ? std::bit_cast<float>(kNanF32) : decode_by(kF8E4M3, bits);
    case ElementType::F4E2M1: return decode_by(kF4E2M1, bits);
    case ElementType::F8E8M0: return decode_e8m0(bits);
    case ElementType::NF4: return kNf4[bits & 15];
    case ElementType::F8E4M3FNUZ: return decode_fnuz(kF8E4M3Fnuz, bits);
    case ElementType::F8E5M2FNUZ: return decode_fnuz(kF8E5M2Fnuz, bits);
    default: throw not_a_small_float(type);
  }
}

uint32_t encode_small_float(ElementType type, double value) {
  switch (type) {
    case ElementType::F16: return encode_by(kF16, value);
    case ElementType::BF16: return encode_by(kBf16, value);
    case ElementType::F8E5M2: return encode_by(kF8E5M2, value);
    case ElementType::F8E4M3: return encode_by(kF8E4M3, value);
    case ElementType::F4E2M1: return encode_by(kF4E2M1, value);
    case ElementType::F8E8M0: return encode_e8m0(value);
    case ElementType::NF4: return encode_nf4(value);
    case ElementType::F8E4M3FNUZ: return encode_fnuz(kF8E4M3Fnuz, value);
    case ElementType::F8E5M2FNUZ: return encode_fnuz(kF8E5M2Fnuz, value);
    default: throw not_a_small_float(type);
  }
}

void f32_to_f16(std::span<const float> from, std::span<uint16_t> to) {
  const float* const source = from.data();
  uint16_t* const target = to.data();
  for (size_t i = 0, n = from.size(); i < n; ++i) target[i] = narrow_f16(source[i]);
}

void f16_to_f32(std::span<const uint16_t> from, std::span<float> to) {
  const uint16_t* const source = from.data();
  float* const target = to.data();
  for (size_t i = 0, n = from.size(); i < n; ++i) target[i] = widen_f16(source[i]);
}

// This loop takes most of the time of a conversion to FP16.
MO_FOR_EACH_PROCESSOR
void f32_to_f16_clamped(const std::byte* from, std::byte* to, size_t n) {
  const auto* __restrict source = reinterpret_cast<const LooseF32*>(from);
  auto* __restrict target = reinterpret_cast<LooseU16*>(to);
#ifdef __wasm_simd128__
  const size_t done = narrow_f16_clamped_by_eight(from, to, n);
#else
  const size_t done = 0;
#endif
  for (size_t i = done; i < n; ++i) target[i] = narrow_f16_clamped(source[i]);
}

uint16_t f64_to_f16_clamped(double value) {
  const double magnitude = value < 0 ? -value : value;
  if (magnitude < kMinF16) return 0;
  if (magnitude > kMaxF16) value = value < 0 ? -kMaxF16 : kMaxF16;
  return static_cast<uint16_t>(encode_by(kF16, value));
}

}  // namespace mo
