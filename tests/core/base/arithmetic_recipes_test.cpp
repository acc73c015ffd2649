// Convert, compress and scale, alone and combined with the recipes that move elements.
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "core/base/any_order.h"
#include "core/base/content.h"
#include "core/base/half.h"
#include "core/base/recipes/transpose.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

using test::Fixture;

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::bit_cast<float>(0xffc12345u);

template <typename From>
Constant as_constant(ElementType type, const std::vector<From>& values) {
  return owned(type, {static_cast<int64_t>(values.size())}, test::bytes_of(values));
}

template <typename To, typename From>
std::vector<To> converted(ElementType from, const std::vector<From>& values, ElementType to) {
  Fixture f;
  return f.read<To>(convert(as_constant(from, values), to));
}

/// Finite floats of all magnitudes, both signs.
std::vector<float> many_floats(size_t n) {
  std::vector<float> values;
  for (uint32_t random = 1; values.size() < n; random = random * 1664525 + 1013904223)
    if ((random >> 23 & 0xff) != 0xff) values.push_back(std::bit_cast<float>(random));
  return values;
}

TEST(Convert, FloatToIntegerTruncatesAndSaturates) {
  const std::vector<float> values = {1.9f, -1.9f, 300.0f, -300.0f, kInf, -kInf, kNan, 0x1p31f, -0x1p31f, 0x1p63f};
  EXPECT_EQ(converted<int8_t>(ElementType::F32, values, ElementType::I8),
            (std::vector<int8_t>{1, -1, 127, -128, 127, -128, 0, 127, -128, 127}));
  EXPECT_EQ(converted<uint8_t>(ElementType::F32, values, ElementType::U8),
            (std::vector<uint8_t>{1, 0, 255, 0, 255, 0, 0, 255, 0, 255}));
  EXPECT_EQ(converted<int32_t>(ElementType::F32, values, ElementType::I32),
            (std::vector<int32_t>{1, -1, 300, -300, INT32_MAX, INT32_MIN, 0, INT32_MAX, INT32_MIN, INT32_MAX}));
  EXPECT_EQ(converted<int64_t>(ElementType::F32, values, ElementType::I64),
            (std::vector<int64_t>{1, -1, 300, -300, INT64_MAX, INT64_MIN, 0, 1ll << 31, -(1ll << 31), INT64_MAX}));
  EXPECT_EQ(converted<uint64_t>(ElementType::F32, values, ElementType::U64),
            (std::vector<uint64_t>{1, 0, 300, 0, UINT64_MAX, 0, 0, 1ull << 31, 0, 1ull << 63}));
  EXPECT_EQ(converted<uint8_t>(ElementType::F32, std::vector<float>{7.9f, 8, -8.9f, -100}, ElementType::I4),
            (std::vector<uint8_t>{0x77, 0x88}));
}

TEST(Convert, ToBooleanIsNotZero) {
  EXPECT_EQ(converted<uint8_t>(ElementType::F32, std::vector<float>{0.5f, 0, -0.0f, kNan}, ElementType::Bool),
            (std::vector<uint8_t>{1, 0, 0, 1}));
  EXPECT_EQ(converted<uint8_t>(ElementType::I32, std::vector<int32_t>{256, 0, -1}, ElementType::Bool),
            (std::vector<uint8_t>{1, 0, 1}));
}

TEST(Convert, IntegerToIntegerKeepsTheLowBits) {
  EXPECT_EQ(converted<int8_t>(ElementType::I64, std::vector<int64_t>{300, -129}, ElementType::I8),
            (std::vector<int8_t>{44, 127}));
  EXPECT_EQ(converted<int64_t>(ElementType::I8, std::vector<int8_t>{-1}, ElementType::I64), std::vector<int64_t>{-1});
  EXPECT_EQ(converted<int64_t>(ElementType::U32, std::vector<uint32_t>{UINT32_MAX}, ElementType::I64),
            std::vector<int64_t>{UINT32_MAX});
  EXPECT_EQ(converted<uint8_t>(ElementType::I32, std::vector<int32_t>{1, 2, 0x13}, ElementType::U4),
            (std::vector<uint8_t>{0x21, 0x03}));
}

TEST(Convert, IntegerToFloatRoundsOnce) {
  EXPECT_EQ(converted<float>(ElementType::I64, std::vector<int64_t>{(1ll << 60) + 1, -3}, ElementType::F32),
            (std::vector<float>{0x1p60f, -3}));
  EXPECT_EQ(converted<double>(ElementType::U64, std::vector<uint64_t>{UINT64_MAX}, ElementType::F64),
            std::vector<double>{0x1p64});
  // A little over halfway between two bf16: rounding to f64 first would make it a tie.
  const int64_t over = (1ll << 62) + (1ll << 54) + 1;
  EXPECT_EQ(converted<uint16_t>(ElementType::I64, std::vector<int64_t>{over, -over, over - 1}, ElementType::BF16),
            (std::vector<uint16_t>{0x5e81, 0xde81, 0x5e80}));
  EXPECT_EQ(converted<uint16_t>(ElementType::U64, std::vector<uint64_t>{1ull << 63}, ElementType::BF16),
            std::vector<uint16_t>{0x5f00});
  EXPECT_EQ(converted<uint16_t>(ElementType::I32, std::vector<int32_t>{2049, 2051, 65504}, ElementType::F16),
            (std::vector<uint16_t>{0x6800, 0x6802, 0x7bff}));
}

TEST(Convert, FloatToFloatRoundsToNearestEvenWithOneNan) {
  EXPECT_EQ(converted<uint32_t>(ElementType::F64, std::vector<double>{1 + 0x1p-24, 1 + 3 * 0x1p-24, 1e300, kNan},
                                ElementType::F32),
            (std::vector<uint32_t>{0x3f800000, 0x3f800002, 0x7f800000, 0x7fc00000}));
  EXPECT_EQ(converted<uint64_t>(ElementType::F32, std::vector<float>{kNan, 1}, ElementType::F64),
            (std::vector<uint64_t>{0x7ff8000000000000, 0x3ff0000000000000}));
  EXPECT_EQ(converted<uint16_t>(ElementType::F64, std::vector<double>{1 + 0x1p-11 + 0x1p-40}, ElementType::F16),
            std::vector<uint16_t>{0x3c01});
}

TEST(Convert, LargeOnesReadTheirSourceInPieces) {
  const auto values = many_floats(700000);
  Fixture f(test::bytes_of(values));
  const Constant result = convert(f.slice_of(ElementType::F32, {700000}), ElementType::F16);
  EXPECT_EQ(result.content->depth(), 1);
  const auto halves = f.read<uint16_t>(result);
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(halves[i], f32_to_f16(values[i]));
  EXPECT_LE(f.file.largest_read, size_t{4} << 20);
  test::expect_random_access(result, f.files, 2);
}

TEST(Convert, PackedTypesReadFromTheMiddleOfAByte) {
  Fixture f(test::noise(50000));
  const Constant packed = f.slice_of(ElementType::I4, {99999});
  const Constant wide = convert(packed, ElementType::F32);
  const auto numbers = *read_doubles(packed, f.files, 100000);
  EXPECT_EQ(f.read<float>(wide), std::vector<float>(numbers.begin(), numbers.end()));
  test::expect_random_access(wide, f.files, 4);
  const Constant narrow = convert(wide, ElementType::I4);
  EXPECT_EQ(narrow.content->size(), 50000u);
  auto expected = f.read(packed);
  expected.back() &= 0x0f;
  EXPECT_EQ(f.read(narrow), expected);
  test::expect_random_access(narrow, f.files, 1);
}

TEST(Convert, ToTheSameTypeOrToNone) {
  Fixture f(test::noise(8));
  const Constant source = f.slice_of(ElementType::F32, {2});
  EXPECT_EQ(convert(source, ElementType::F32).content, source.content);
  EXPECT_CODE(Code::UnsupportedType, convert(source, ElementType::String));
  EXPECT_CODE(Code::UnsupportedType, convert(owned(ElementType::String, {1}, {}), ElementType::F32));
}

TEST(Compress, ClampsFlushesAndRounds) {
  Fixture f;
  const std::vector<float> values = {1e9f, -kInf, 0x1p-24f, 0x1.8p-25f, -0x1.8p-25f, 1 + 0x1p-11f, kNan, -0.0f};
  const std::vector<uint16_t> expected = {0x7bff, 0xfbff, 1, 0, 0, 0x3c00, 0x7e00, 0};
  EXPECT_EQ(f.read<uint16_t>(compress_to_f16(as_constant(ElementType::F32, values))), expected);
  const std::vector<double> doubles(values.begin(), values.end());
  const Constant result = compress_to_f16(as_constant(ElementType::F64, doubles));
  EXPECT_EQ(result.type, ElementType::F16);
  EXPECT_EQ(f.read<uint16_t>(result), expected);
  EXPECT_CODE(Code::UnsupportedType, compress_to_f16(make_i64({1})));
}

TEST(Compress, IsAnotherRecipeThanConvert) {
  Fixture f(test::noise(4000));
  const Constant source = f.slice_of(ElementType::F32, {1000});
  EXPECT_NE(compress_to_f16(source).content->identity(), convert(source, ElementType::F16).content->identity());
  test::expect_random_access(compress_to_f16(source), f.files, 2);
}

/// scale_shift() computed by its definition.
std::vector<float> scaled(const std::vector<float>& values, size_t run, const std::vector<float>& scale,
                          const std::vector<float>& shift) {
  std::vector<float> out;
  for (size_t i = 0; i < values.size(); ++i) {
    const size_t channel = i / run % scale.size();
    const float product = values[i] * scale[channel];
    out.push_back(shift.empty() ? product : product + shift[channel]);
  }
  return out;
}

TEST(ScaleShift, AlongEveryAxisWithRunsOfEveryLength) {
  for (const Shape& shape : {Shape{7, 5, 3}, Shape{3, 5, 100}, Shape{600, 3, 3}, Shape{2, 3000, 70}}) {
    const auto values = many_floats(static_cast<size_t>(element_count(shape)));
    Fixture f(test::bytes_of(values));
    const Constant source = f.slice_of(ElementType::F32, shape);
    size_t run = values.size();
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto n = static_cast<size_t>(shape[axis]);
      run /= n;
      std::vector<float> scale, shift;
      for (size_t i = 0; i < n; ++i)
        scale.push_back(0.001f * static_cast<float>(i + 1)), shift.push_back(1e-3f * static_cast<float>(i));
      const Constant with = scale_shift(source, axis, scale, shift), without = scale_shift(source, axis, scale, {});
      ASSERT_EQ(f.read<float>(with), scaled(values, run, scale, shift)) << axis;
      ASSERT_EQ(f.read<float>(without), scaled(values, run, scale, {})) << axis;
      test::expect_random_access(with, f.files, 4);
      test::expect_random_access(without, f.files, 4);
    }
  }
}

TEST(ScaleShift, KeepsNegativeZeroWithoutAShiftAndHasOneNan) {
  Fixture f;
  const Constant source = make_f32({3}, {-0.0f, kInf, kNan});
  EXPECT_EQ(f.read<uint32_t>(scale_shift(source, 0, {1, 0, 1}, {})),
            (std::vector<uint32_t>{0x80000000, kNanF32, kNanF32}));
  EXPECT_EQ(f.read<uint32_t>(scale_shift(source, 0, {1, 1, 1}, {0, -kInf, 0})),
            (std::vector<uint32_t>{0, kNanF32, kNanF32}));
}

TEST(ScaleShift, OfHalvesIsComputedInSingle) {
  Fixture f;
  const Constant source = owned(ElementType::F16, {2}, test::bytes_of<uint16_t>({0x7bff, 0x3c00}));
  EXPECT_EQ(f.read<uint16_t>(scale_shift(source, 0, {2, 3}, {-65504, 0.5f})), (std::vector<uint16_t>{0x7bff, 0x4300}));
  Fixture g(test::noise(200000));
  test::expect_random_access(
      scale_shift(g.slice_of(ElementType::F16, {1000, 100}), 1, std::vector<float>(100, 0.5f), {}), g.files, 2);
}

TEST(ScaleShift, RefusesWhatDoesNotFit) {
  Fixture f(test::noise(24));
  const Constant source = f.slice_of(ElementType::F32, {2, 3});
  EXPECT_CODE(Code::ShapeMismatch, scale_shift(source, 1, {1, 2}, {}));
  EXPECT_CODE(Code::ShapeMismatch, scale_shift(source, 1, {1, 2, 3}, {1}));
  EXPECT_CODE(Code::BadValue, scale_shift(source, 2, {1}, {}));
  EXPECT_CODE(Code::UnsupportedType, scale_shift(f.slice_of(ElementType::F64, {3}), 0, {1, 2, 3}, {}));
}

/// The weights of a convolution as TensorFlow has them.
std::vector<float> kernel_values(const Shape& shape) {
  std::vector<float> values;
  for (uint64_t i = 0; i < element_count(shape); ++i) values.push_back(static_cast<float>(i % 1009) / 8 - 60);
  return values;
}

TEST(Composed, CompressionOfATransposeIsDoneBeforeIt) {
  const Shape shape = {3, 2, 37, 45};
  Fixture f(test::bytes_of(kernel_values(shape)));
  const Constant source = f.slice_of(ElementType::F32, shape), turned = transpose(source, {3, 2, 0, 1});
  const Constant result = compress_to_f16(turned);
  EXPECT_EQ(result.type, ElementType::F16);
  EXPECT_EQ(result.shape, turned.shape);
  EXPECT_EQ(result.content->identity(), transpose(compress_to_f16(source), {3, 2, 0, 1}).content->identity());
  const auto values = f.read<float>(turned);
  const auto halves = f.read<uint16_t>(result);
  ASSERT_EQ(values.size(), halves.size());
  for (size_t i = 0; i < values.size(); ++i) ASSERT_EQ(halves[i], f32_to_f16(values[i])) << i;
  test::expect_random_access(result, f.files, 2);
}

TEST(Composed, ScalesOfATransposeAreAppliedBeforeIt) {
  const Shape shape = {3, 2, 37, 45};
  Fixture f(test::bytes_of(kernel_values(shape)));
  const Constant source = f.slice_of(ElementType::F32, shape), turned = transpose(source, {3, 2, 0, 1});
  const auto values = f.read<float>(turned);
  // The channels of the result as they are, and the other dimensions as one.
  for (const Constant& weights : {turned, reshape(turned, {45, 37 * 6}), reshape(turned, {45, 37, 6})}) {
    std::vector<float> scale, shift;
    for (int i = 0; i < 45; ++i) scale.push_back(static_cast<float>(i) / 7), shift.push_back(static_cast<float>(i) / 3);
    const Constant result = scale_shift(weights, 0, scale, shift);
    EXPECT_EQ(result.shape, weights.shape);
    EXPECT_EQ(in_any_order(result.content)->identity(), scale_shift(source, 3, scale, shift).content->identity());
    const auto scaled = f.read<float>(result);
    for (size_t i = 0; i < scaled.size(); ++i)
      ASSERT_EQ(scaled[i], values[i] * scale[i / (37 * 6)] + shift[i / (37 * 6)]) << i;
  }
  // An axis that is none of the source's: it is of two of them.
  const Constant flat = reshape(turned, {45 * 37, 6});
  const std::vector<float> scale(45 * 37, 3);
  const Constant result = scale_shift(flat, 0, scale, {});
  EXPECT_EQ(in_any_order(result.content), result.content);
  const auto scaled = f.read<float>(result);
  for (size_t i = 0; i < scaled.size(); ++i) ASSERT_EQ(scaled[i], values[i] * 3) << i;
}

TEST(Composed, WhatIsReadInPartsIsChangedInTheOrderOfTheResult) {
  Fixture f(test::noise(8));
  // More than is kept: every part of the result reads all rows, with what is between.
  const Constant turned = transpose(f.slice_of(ElementType::F32, {4096, 4096}), {1, 0});
  const Constant compressed = compress_to_f16(turned), scaled = scale_shift(turned, 0, std::vector<float>(4096, 2), {});
  EXPECT_FALSE(as_recipe<TransposeContent>(compressed.content));
  EXPECT_EQ(in_any_order(scaled.content), scaled.content);
}

TEST(Composed, SliceOfTransposeOfConvertOfScale) {
  constexpr int64_t kRows = 300, kColumns = 200;
  std::vector<float> values, scale;
  for (int i = 0; i < kRows * kColumns; ++i) values.push_back(static_cast<float>(i % 1000) / 8);
  for (int i = 0; i < kColumns; ++i) scale.push_back(static_cast<float>(1 + i % 3));
  Fixture f(test::bytes_of(values));
  const Constant scaled_down = scale_shift(f.slice_of(ElementType::F32, {kRows, kColumns}), 1, scale, {});
  const Constant result = slice(transpose(convert(scaled_down, ElementType::F16), {1, 0}), 1, 10, 290);
  EXPECT_EQ(result.content->depth(), 4);
  EXPECT_EQ(result.shape, (Shape{kColumns, 280}));
  const auto halves = f.read<uint16_t>(result);
  for (size_t c = 0; c < kColumns; ++c)
    for (size_t r = 0; r < 280; ++r)
      ASSERT_EQ(halves[c * 280 + r], f32_to_f16(values[(r + 10) * kColumns + c] * scale[c])) << r << " " << c;
  test::expect_random_access(result, f.files, 2);
}

TEST(Composed, ConcatOfTransposesInterleaved) {
  Fixture f(test::noise(60000));
  std::vector<Constant> parts;
  for (uint64_t i = 0; i < 5; ++i)
    parts.push_back(transpose(f.slice_of(ElementType::U16, {60, 100}, i * 12000), {1, 0}));
  const Constant all = concat(parts, 1);
  const auto bytes = f.read<uint16_t>(all);
  for (size_t i = 0; i < 5; ++i) {
    const auto part = f.read<uint16_t>(parts[i]);
    for (size_t r = 0; r < 100; ++r)
      ASSERT_TRUE(std::equal(part.begin() + static_cast<ptrdiff_t>(r * 60),
                             part.begin() + static_cast<ptrdiff_t>(r * 60 + 60),
                             bytes.begin() + static_cast<ptrdiff_t>(r * 300 + i * 60)));
  }
  test::expect_random_access(all, f.files, 2);
}

}  // namespace
}  // namespace mo
