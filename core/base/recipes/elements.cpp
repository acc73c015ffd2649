#include "core/base/recipes/elements.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/base/error.h"
#include "core/base/half.h"
#include "core/base/recipes/recipe.h"

namespace mo {
namespace {

/// Elements converted at a time. A multiple of 8, so that packed types begin at a byte; the arrays stay in the cache.
constexpr size_t kElementBlock = 1024;

/// The bits of element `index`, in the low bits of the result.
uint32_t raw_element(int width, const std::byte* from, size_t index) {
  if (width == 16) return load<uint16_t>(from + 2 * index);
  if (width == 8) return static_cast<uint32_t>(from[index]);
  const size_t bit = index * static_cast<size_t>(width);
  return static_cast<uint32_t>(from[bit / 8]) >> bit % 8 & ((1u << width) - 1);
}

void put_raw_element(int width, uint32_t value, std::byte* to, size_t index) {
  if (width == 16) return store(to + 2 * index, static_cast<uint16_t>(value));
  if (width == 8) return store(to + index, static_cast<uint8_t>(value));
  const size_t bit = index * static_cast<size_t>(width);
  if (bit % 8 == 0) to[bit / 8] = std::byte{0};
  to[bit / 8] |= static_cast<std::byte>((value & ((1u << width) - 1)) << bit % 8);
}

template <typename T>
void load_integers(const std::byte* from, size_t first, std::span<int64_t> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<int64_t>(load<T>(from + (first + i) * sizeof(T)));
}

template <typename T>
void store_integers(std::span<const int64_t> values, std::byte* to) {
  for (size_t i = 0; i < values.size(); ++i) store(to + i * sizeof(T), static_cast<T>(values[i]));
}

void load_packed(ElementType type, const std::byte* from, size_t first, std::span<int64_t> out) {
  const int width = bits(type);
  const int64_t sign = is_signed(type) ? int64_t{1} << (width - 1) : 0;
  for (size_t i = 0; i < out.size(); ++i) out[i] = (raw_element(width, from, first + i) ^ sign) - sign;
}

/// Saturates to the type's range. The low bits of the result are the element.
int64_t saturate_to(ElementType type, double value) {
  if (value != value) return 0;
  const int width = bits(type);
  const double half = static_cast<double>(uint64_t{1} << (width - 1));
  const auto most = ~uint64_t{0} >> (64 - width);
  if (is_signed(type)) {
    if (value >= half) return static_cast<int64_t>(most >> 1);
    return value <= -half ? -static_cast<int64_t>(most >> 1) - 1 : static_cast<int64_t>(value);
  }
  if (value >= half * 2) return static_cast<int64_t>(most);
  return value <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(value));
}

/// Rounds to odd: if bits are lost, the last bit is set. Every narrower type then rounds the double as it would the
/// integer.
double to_odd_double(int64_t value, bool is_unsigned) {
  const bool negative = value < 0 && !is_unsigned;
  const uint64_t magnitude = negative ? -static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  const int excess = std::max(0, 11 - std::countl_zero(magnitude));
  const uint64_t kept = magnitude >> excess << excess;
  const uint64_t odd = kept != magnitude ? uint64_t{1} << excess : 0;
  return static_cast<double>(kept | odd) * (negative ? -1 : 1);
}

void integers_to_integers(ElementType type, std::span<const int64_t> values, std::byte* to) {
  if (type == ElementType::Bool) {
    for (size_t i = 0; i < values.size(); ++i) to[i] = std::byte{values[i] != 0};
    return;
  }
  switch (bits(type)) {
    case 64: return store_integers<int64_t>(values, to);
    case 32: return store_integers<int32_t>(values, to);
    case 16: return store_integers<int16_t>(values, to);
    case 8: return store_integers<int8_t>(values, to);
    default:
      for (size_t i = 0; i < values.size(); ++i) put_raw_element(bits(type), static_cast<uint32_t>(values[i]), to, i);
  }
}

void integers_to_floats(ElementType type, std::span<const int64_t> values, bool is_unsigned, std::byte* to) {
  for (size_t i = 0; i < values.size(); ++i) {
    const auto magnitude = static_cast<uint64_t>(values[i]);
    if (type == ElementType::F64)
      store(to + 8 * i, is_unsigned ? static_cast<double>(magnitude) : static_cast<double>(values[i]));
    else if (type == ElementType::F32)
      store(to + 4 * i, is_unsigned ? static_cast<float>(magnitude) : static_cast<float>(values[i]));
    else
      put_raw_element(bits(type), encode_small_float(type, to_odd_double(values[i], is_unsigned)), to, i);
  }
}

void doubles_to_floats(ElementType type, std::span<const double> values, std::byte* to) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (type == ElementType::F64)
      store(to + 8 * i, canonical(values[i]));
    else if (type == ElementType::F32)
      store(to + 4 * i, canonical(static_cast<float>(values[i])));
    else
      put_raw_element(bits(type), encode_small_float(type, values[i]), to, i);
  }
}

void convert_block(ElementType from_type, const std::byte* from, size_t first, ElementType to_type, std::byte* to,
                   size_t n) {
  if (!is_float(from_type)) {
    std::array<int64_t, kElementBlock> integers;
    decode_integers(from_type, from, first, {integers.data(), n});
    if (!is_float(to_type)) return integers_to_integers(to_type, {integers.data(), n}, to);
    return integers_to_floats(to_type, {integers.data(), n}, from_type == ElementType::U64, to);
  }
  std::array<double, kElementBlock> numbers;
  decode_doubles(from_type, from, first, {numbers.data(), n});
  if (is_float(to_type)) return doubles_to_floats(to_type, {numbers.data(), n}, to);
  std::array<int64_t, kElementBlock> integers;
  for (size_t i = 0; i < n; ++i)
    integers[i] = to_type == ElementType::Bool ? numbers[i] != 0 : saturate_to(to_type, numbers[i]);
  integers_to_integers(to_type, {integers.data(), n}, to);
}

void widen_bf16(std::span<const uint16_t> from, std::span<float> to) {
  for (size_t i = 0; i < from.size(); ++i)
    to[i] = canonical(std::bit_cast<float>(static_cast<uint32_t>(from[i]) << 16));
}

/// Converts a block through aligned arrays with one of the bulk conversions of half.h.
template <typename From, typename To>
void bulk_block(void (*convert)(std::span<const From>, std::span<To>), const std::byte* from, std::byte* to, size_t n) {
  std::array<From, kElementBlock> source;
  std::array<To, kElementBlock> target;
  std::memcpy(source.data(), from, n * sizeof(From));
  convert({source.data(), n}, {target.data(), n});
  std::memcpy(to, target.data(), n * sizeof(To));
}

}  // namespace

void decode_integers(ElementType type, const std::byte* from, size_t first, std::span<int64_t> out) {
  if (is_float(type)) {
    std::array<double, kElementBlock> numbers;
    for (size_t i = 0; i < out.size(); ++i) {
      if (i % kElementBlock == 0)
        decode_doubles(type, from, first + i, {numbers.data(), std::min(kElementBlock, out.size() - i)});
      out[i] = saturate_to(ElementType::I64, numbers[i % kElementBlock]);
    }
    return;
  }
  const bool sign = is_signed(type);
  switch (bits(type)) {
    case 64: return load_integers<int64_t>(from, first, out);
    case 32: return sign ? load_integers<int32_t>(from, first, out) : load_integers<uint32_t>(from, first, out);
    case 16: return sign ? load_integers<int16_t>(from, first, out) : load_integers<uint16_t>(from, first, out);
    case 8: return sign ? load_integers<int8_t>(from, first, out) : load_integers<uint8_t>(from, first, out);
    case 0: throw Error(Code::UnsupportedType, msg("elements of type ", ir_name(type), " are no numbers"));
    default: return load_packed(type, from, first, out);
  }
}

void decode_doubles(ElementType type, const std::byte* from, size_t first, std::span<double> out) {
  if (type == ElementType::F64) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = load<double>(from + 8 * (first + i));
  } else if (type == ElementType::F32) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = load<float>(from + 4 * (first + i));
  } else if (is_float(type)) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = decode_small_float(type, raw_element(bits(type), from, first + i));
  } else {
    int64_t value;
    for (size_t i = 0; i < out.size(); ++i) {
      decode_integers(type, from, first + i, {&value, 1});
      out[i] =
          type == ElementType::U64 ? static_cast<double>(static_cast<uint64_t>(value)) : static_cast<double>(value);
    }
  }
}

void convert_elements(ElementType from_type, const std::byte* from, size_t first, ElementType to_type, std::byte* to,
                      size_t n) {
  for (size_t done = 0; done < n; done += kElementBlock) {
    const size_t block = std::min(kElementBlock, n - done), at = first + done;
    std::byte* const target = to + done * static_cast<size_t>(bits(to_type)) / 8;
    if (from_type == ElementType::F32 && to_type == ElementType::F16)
      bulk_block<float, uint16_t>(f32_to_f16, from + 4 * at, target, block);
    else if (from_type == ElementType::F16 && to_type == ElementType::F32)
      bulk_block<uint16_t, float>(f16_to_f32, from + 2 * at, target, block);
    else if (from_type == ElementType::BF16 && to_type == ElementType::F32)
      bulk_block<uint16_t, float>(widen_bf16, from + 2 * at, target, block);
    else
      convert_block(from_type, from, at, to_type, target, block);
  }
}

void compress_elements(ElementType from_type, const std::byte* from, std::byte* to, size_t n) {
  if (from_type == ElementType::F32) return f32_to_f16_clamped(from, to, n);
  for (size_t i = 0; i < n; ++i) store(to + 2 * i, f64_to_f16_clamped(load<double>(from + 8 * i)));
}

}  // namespace mo
