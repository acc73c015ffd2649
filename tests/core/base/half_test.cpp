#include "core/base/half.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

constexpr float kInfF32 = std::numeric_limits<float>::infinity();
const float kSomeNan = std::bit_cast<float>(0xffc12345u);

uint32_t bits_of(float value) { return std::bit_cast<uint32_t>(value); }

/// By the definition of the format, with exact arithmetic.
double f16_by_definition(uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = bits & 0x3ff;
  const double magnitude = exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(Half, EveryF16ValueWidensAsTheFormatDefines) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = f16_to_f32(static_cast<uint16_t>(bits));
    const uint32_t magnitude = bits & 0x7fff;
    if (magnitude > 0x7c00)
      ASSERT_EQ(bits_of(value), kNanF32) << bits;
    else if (magnitude == 0x7c00)
      ASSERT_EQ(value, bits & 0x8000 ? -kInfF32 : kInfF32);
    else
      ASSERT_EQ(bits_of(value), bits_of(static_cast<float>(f16_by_definition(bits)))) << bits;
  }
}

TEST(Half, EveryF16ValueComesBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool nan = (bits & 0x7fff) > 0x7c00;
    ASSERT_EQ(f32_to_f16(f16_to_f32(static_cast<uint16_t>(bits))), nan ? 0x7e00 : bits);
    ASSERT_EQ(encode_small_float(ElementType::F16, f16_to_f32(static_cast<uint16_t>(bits))), nan ? 0x7e00 : bits);
  }
}

TEST(Half, RoundsHalfwayToEvenAndTheRestToNearest) {
  for (uint32_t bits = 0; bits < 0x7bff; ++bits) {
    const auto low = static_cast<float>(f16_by_definition(bits)),
               high = static_cast<float>(f16_by_definition(bits + 1));
    const float middle = (low + high) / 2;  // exact: f32 has 13 bits more
    ASSERT_EQ(f32_to_f16(middle), bits & 1 ? bits + 1 : bits);
    ASSERT_EQ(f32_to_f16(std::nextafter(middle, 0.0f)), bits);
    ASSERT_EQ(f32_to_f16(std::nextafter(middle, kInfF32)), bits + 1);
    ASSERT_EQ(f32_to_f16(-middle), 0x8000 | (bits & 1 ? bits + 1 : bits));
  }
}

TEST(Half, F16OverflowsToInfinityFromHalfwayOn) {
  EXPECT_EQ(f32_to_f16(65504.0f), 0x7bff);
  EXPECT_EQ(f32_to_f16(std::nextafter(65520.0f, 0.0f)), 0x7bff);
  EXPECT_EQ(f32_to_f16(65520.0f), 0x7c00);
  EXPECT_EQ(f32_to_f16(-kInfF32), 0xfc00);
  EXPECT_EQ(f32_to_f16(kSomeNan), 0x7e00);
}

TEST(Half, DoublesRoundOnce) {
  // As f32 the value is exactly halfway between 1 and the next f16; as a double it is larger.
  const double above = 1 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(f32_to_f16(static_cast<float>(above)), 0x3c00);
  EXPECT_EQ(encode_small_float(ElementType::F16, above), 0x3c01u);
  EXPECT_EQ(f64_to_f16_clamped(above), 0x3c01u);
}

TEST(Half, BulkGivesTheSameAsOneByOne) {
  std::vector<float> values;
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 65521)
    values.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  std::vector<uint16_t> halves(values.size());
  f32_to_f16(values, halves);
  std::vector<float> back(values.size());
  f16_to_f32(halves, back);
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(halves[i], encode_small_float(ElementType::F16, values[i])) << bits_of(values[i]);
    ASSERT_EQ(bits_of(back[i]), bits_of(decode_small_float(ElementType::F16, halves[i])));
  }
}

/// f32_to_f16_clamped() with source and target at odd addresses, to which no vector is aligned.
std::vector<uint16_t> clamped(const std::vector<float>& values) {
  const size_t n = values.size();
  std::vector<std::byte> from(4 * n + 3), to(2 * n + 1);
  std::memcpy(from.data() + 3, values.data(), 4 * n);
  f32_to_f16_clamped(from.data() + 3, to.data() + 1, n);
  std::vector<uint16_t> halves(n);
  std::memcpy(halves.data(), to.data() + 1, 2 * n);
  return halves;
}

TEST(Half, ClampedInBulkIsWhatEachValueGives) {
  std::vector<float> values;
  for (uint32_t top = 0; top < 0x10000; ++top)
    for (const uint32_t rest : {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x3000u, 0x9000u, 0xefffu, 0xffffu})
      values.push_back(std::bit_cast<float>(top << 16 | rest));
  const std::vector<uint16_t> halves = clamped(values);
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(halves[i], f64_to_f16_clamped(values[i])) << std::hex << bits_of(values[i]);
}

TEST(Half, ClampedKeepsFiniteAndFlushesBelowTheSmallestSubnormal) {
  const std::vector<float> values = {1.0f,     65504.0f,  65505.0f,        1e30f,       -kInfF32, kSomeNan,
                                     0x1p-24f, -0x1p-24f, 0x1.fffffep-25f, -0x1.8p-25f, 0.0f,     -0.0f};
  const std::vector<uint16_t> expected = {0x3c00, 0x7bff, 0x7bff, 0x7bff, 0xfbff, 0x7e00, 1, 0x8001, 0, 0, 0, 0};
  EXPECT_EQ(clamped(values), expected);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(f64_to_f16_clamped(values[i]), expected[i]) << values[i];
}

TEST(Half, Bf16) {
  EXPECT_EQ(f32_to_bf16(1.0f), 0x3f80);
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x3f808000u)), 0x3f80);  // a tie, down to even
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x3f818000u)), 0x3f82);  // a tie, up to even
  EXPECT_EQ(f32_to_bf16(std::bit_cast<float>(0x3f808001u)), 0x3f81);
  EXPECT_EQ(f32_to_bf16(std::numeric_limits<float>::max()), 0x7f80);
  EXPECT_EQ(f32_to_bf16(kSomeNan), 0x7fc0);
  EXPECT_EQ(bits_of(bf16_to_f32(0xff81)), kNanF32);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool nan = (bits & 0x7fff) > 0x7f80;
    ASSERT_EQ(f32_to_bf16(bf16_to_f32(static_cast<uint16_t>(bits))), nan ? 0x7fc0 : bits);
    ASSERT_EQ(encode_small_float(ElementType::BF16, bf16_to_f32(static_cast<uint16_t>(bits))), nan ? 0x7fc0 : bits);
  }
}

TEST(Half, SmallTypesComeBackBitForBit) {
  const ElementType types[] = {ElementType::F8E4M3, ElementType::F8E5M2, ElementType::F8E8M0, ElementType::F4E2M1,
                               ElementType::NF4};
  for (const ElementType type : types)
    for (uint32_t code = 0; code < 1u << bits(type); ++code) {
      const float value = decode_small_float(type, code);
      if (std::isnan(value) || std::isinf(value)) continue;
      EXPECT_EQ(encode_small_float(type, value), code) << ir_name(type) << " " << code;
    }
}

TEST(Half, SmallTypesRoundToTheNearestValueAndSaturate) {
  struct {
    ElementType type;
    float largest;
  } const rows[] = {{ElementType::F8E4M3, 448}, {ElementType::F8E5M2, 57344}, {ElementType::F4E2M1, 6}};
  for (const auto& [type, largest] : rows) {
    for (uint32_t code = 0; decode_small_float(type, code) < largest; ++code) {
      const float low = decode_small_float(type, code), high = decode_small_float(type, code + 1),
                  middle = (low + high) / 2;
      ASSERT_LT(low, high);
      EXPECT_EQ(encode_small_float(type, middle), code & 1 ? code + 1 : code) << ir_name(type) << " " << middle;
      EXPECT_EQ(encode_small_float(type, std::nextafter(middle, 0.0f)), code);
      EXPECT_EQ(encode_small_float(type, std::nextafter(middle, kInfF32)), code + 1);
    }
    EXPECT_EQ(decode_small_float(type, encode_small_float(type, 1e30)), largest);
    EXPECT_EQ(decode_small_float(type, encode_small_float(type, -kInfF32)), -largest);
  }
}

TEST(Half, SmallTypesNan) {
  EXPECT_EQ(encode_small_float(ElementType::F8E4M3, kSomeNan), 0x7fu);
  EXPECT_EQ(encode_small_float(ElementType::F8E5M2, kSomeNan), 0x7eu);
  EXPECT_EQ(encode_small_float(ElementType::F8E8M0, kSomeNan), 0xffu);
  EXPECT_EQ(bits_of(decode_small_float(ElementType::F8E4M3, 0xff)), kNanF32);
  EXPECT_EQ(bits_of(decode_small_float(ElementType::F8E5M2, 0xfd)), kNanF32);
  EXPECT_EQ(bits_of(decode_small_float(ElementType::F8E8M0, 0xff)), kNanF32);
  EXPECT_EQ(decode_small_float(ElementType::F8E5M2, 0xfc), -kInfF32);
}

TEST(Half, E8M0IsThePowerOfTwoThatIsNearest) {
  EXPECT_EQ(decode_small_float(ElementType::F8E8M0, 127), 1.0f);
  EXPECT_EQ(decode_small_float(ElementType::F8E8M0, 0), 0x1p-127f);
  EXPECT_EQ(decode_small_float(ElementType::F8E8M0, 254), 0x1p127f);
  EXPECT_EQ(encode_small_float(ElementType::F8E8M0, 1.5), 128u);  // a tie: the even exponent
  EXPECT_EQ(encode_small_float(ElementType::F8E8M0, 3.0), 128u);
  EXPECT_EQ(encode_small_float(ElementType::F8E8M0, 1.4999), 127u);
  EXPECT_EQ(encode_small_float(ElementType::F8E8M0, -5), 0u);
  EXPECT_EQ(encode_small_float(ElementType::F8E8M0, kInfF32), 254u);
}

TEST(Half, Nf4TakesTheNearestQuantile) {
  EXPECT_EQ(encode_small_float(ElementType::NF4, 0.03979014), 7u);
  EXPECT_EQ(encode_small_float(ElementType::NF4, 0.03979016), 8u);
  EXPECT_EQ(encode_small_float(ElementType::NF4, -9), 0u);
  EXPECT_EQ(encode_small_float(ElementType::NF4, 9), 15u);
}

TEST(Half, OtherTypesAreRefused) {
  EXPECT_CODE(Code::Unexpected, decode_small_float(ElementType::F32, 0));
  EXPECT_CODE(Code::Unexpected, encode_small_float(ElementType::I8, 0));
}

}  // namespace
}  // namespace mo
