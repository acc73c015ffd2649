// f32 to f16 in vector instructions of WebAssembly, in half the time of what the compiler makes of the loop in
// half.cpp. Not for use outside half.cpp.
#pragma once

#ifdef __wasm_simd128__
#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace mo {

/// The f16 codes of four f32, without signs: as round_to_f16() of the magnitude, at most 65504.
inline v128_t round_to_f16_clamped(v128_t bits) {
  const v128_t magnitude = wasm_v128_and(bits, wasm_i32x4_const_splat(0x7fffffff));
  const v128_t kept = wasm_i32x4_min(magnitude, wasm_i32x4_const_splat(0x477fe000));  // 65504
  const v128_t exponent = wasm_v128_and(kept, wasm_i32x4_const_splat(0x7f800000));
  const v128_t bounded = wasm_i32x4_max(exponent, wasm_i32x4_const_splat((127 - 14) << 23));
  const v128_t unit = wasm_i32x4_add(bounded, wasm_i32x4_const_splat(15 << 23));
  const v128_t sum = wasm_f32x4_add(unit, wasm_f32x4_mul(kept, wasm_f32x4_const_splat(4)));
  return wasm_i32x4_add(wasm_v128_and(wasm_u32x4_shr(sum, 13), wasm_i32x4_const_splat(0x7c00)),
                        wasm_v128_and(sum, wasm_i32x4_const_splat(0xfff)));
}

/// Whether each of four f32 is NaN.
inline v128_t is_nan(v128_t bits) {
  return wasm_i32x4_gt(wasm_v128_and(bits, wasm_i32x4_const_splat(0x7fffffff)), wasm_i32x4_const_splat(0x7f800000));
}

/// Converts elements as f32_to_f16_clamped(), eight at a time. Returns how many it has converted.
inline size_t narrow_f16_clamped_by_eight(const std::byte* from, std::byte* to, size_t n) {
  size_t done = 0;
  for (; done + 8 <= n; done += 8) {
    const v128_t low = wasm_v128_load(from + 4 * done), high = wasm_v128_load(from + 4 * done + 16);
    const v128_t codes = wasm_u16x8_narrow_i32x4(round_to_f16_clamped(low), round_to_f16_clamped(high));
    // The upper halves are enough to see whether a value is too small, because the lower half of the limit is 0, and
    // whether it may be NaN.
    const v128_t tops = wasm_i16x8_shuffle(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
    const v128_t magnitudes = wasm_v128_and(tops, wasm_i16x8_const_splat(0x7fff));
    const v128_t is_kept = wasm_i16x8_gt(magnitudes, wasm_i16x8_const_splat(0x337f));  // at least 2^-24
    const v128_t signs = wasm_v128_and(tops, wasm_u16x8_const_splat(0x8000));
    v128_t result = wasm_v128_and(wasm_v128_or(codes, signs), is_kept);
    if (wasm_v128_any_true(wasm_i16x8_gt(magnitudes, wasm_i16x8_const_splat(0x7f7f)))) {
      const v128_t nans = wasm_i16x8_narrow_i32x4(is_nan(low), is_nan(high));
      result = wasm_v128_bitselect(wasm_i16x8_const_splat(0x7e00), result, nans);
    }
    wasm_v128_store(to + 2 * done, result);
  }
  return done;
}

}  // namespace mo
#endif
