// Floating-point types narrower than f32: conversions that give the same bits on every host.
//
// Rounding is to nearest, ties to even. A NaN becomes the type's canonical quiet NaN, without sign and payload. Values
// that are too large become infinity in f16 and bf16, and the largest finite value in the types below 16 bits
// ("saturate" in ONNX and OpenVINO).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/element_type.h"

namespace mo {

inline constexpr uint32_t kNanF32 = 0x7fc00000;
inline constexpr uint64_t kNanF64 = 0x7ff8000000000000;
/// The largest value of f16, and the smallest above 0.
inline constexpr float kMaxF16 = 65504.0f, kMinF16 = 0x1p-24f;

float f16_to_f32(uint16_t bits);
uint16_t f32_to_f16(float value);
float bf16_to_f32(uint16_t bits);
uint16_t f32_to_bf16(float value);

/// The value of one element of a type of at most 16 bits for which is_float() holds. Higher `bits` are ignored.
float decode_small_float(ElementType type, uint32_t bits);
/// Rounds once, also from the full precision of a double.
uint32_t encode_small_float(ElementType type, double value);

/// Bulk conversions. Both spans have the same length; they may not overlap.
void f32_to_f16(std::span<const float> from, std::span<uint16_t> to);
void f16_to_f32(std::span<const uint16_t> from, std::span<float> to);
/// `n` elements of f32, of any alignment, as compress_to_f16() in content.h: clamped to ±65504, 0 below the smallest
/// subnormal. The arrays may not overlap.
void f32_to_f16_clamped(const std::byte* from, std::byte* to, size_t n);
uint16_t f64_to_f16_clamped(double value);

/// `value`, or the canonical NaN: arithmetic gives NaNs whose sign and payload differ from host to host.
inline float canonical(float value) { return value == value ? value : std::bit_cast<float>(kNanF32); }
inline double canonical(double value) { return value == value ? value : std::bit_cast<double>(kNanF64); }

}  // namespace mo
