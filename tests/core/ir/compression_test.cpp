#include "core/ir/compression.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/back/requested/zero_slices.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

using test::Fixture;

bool compressed(const std::vector<float>& values) {
  Fixture f;
  const Constant f32 = make_f32({static_cast<int64_t>(values.size())}, values);
  const bool result = should_compress(f32, f.files);
  EXPECT_EQ(should_compress(convert(f32, ElementType::F64), f.files), result);
  return result;
}

TEST(ShouldCompress, StaysF32FromThreeQuartersOutsideOn) {
  EXPECT_TRUE(compressed({1e6f, 1e6f, 1, 1}));
  EXPECT_FALSE(compressed({1e6f, -1e6f, 1e-9f, 1}));
  EXPECT_FALSE(compressed({1e6f}));
  EXPECT_TRUE(compressed({1}));
  std::vector<float> values(1000, 1e9f);
  std::fill(values.begin(), values.begin() + 251, 0.5f);
  EXPECT_TRUE(compressed(values));
  values[0] = 1e9f;
  EXPECT_FALSE(compressed(values));
}

TEST(ShouldCompress, TheRangeEndsAtTheLargestValueAndTheSmallestSubnormal) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  for (const float inside :
       {0.0f, -0.0f, 65504.0f, -65504.0f, 0x1p-24f, -0x1p-24f, std::numeric_limits<float>::quiet_NaN()})
    EXPECT_TRUE(compressed({inside})) << inside;
  for (const float outside : {65504.004f, -65505.0f, kInf, -kInf, 0x1.fffffep-25f, -0x1.fffffep-25f, 1e-45f})
    EXPECT_FALSE(compressed({outside})) << outside;
}

TEST(ShouldCompress, OtherTypesAndEmptyConstantsStay) {
  Fixture f;
  EXPECT_FALSE(should_compress(make_i64({1}), f.files));
  EXPECT_FALSE(should_compress(convert(make_f32({1}, {1}), ElementType::F16), f.files));
  EXPECT_FALSE(should_compress(make_f32({0}, {}), f.files));
}

TEST(ShouldCompress, ReadsOnAsLongAsTheVerdictIsOpen) {
  std::vector<float> values(1 << 20, 1.0f);
  Fixture inside(test::bytes_of(values));
  EXPECT_TRUE(should_compress(inside.slice_of(ElementType::F32, {1 << 20}), inside.files));
  EXPECT_LT(inside.file.bytes_read, inside.file.size() / 2);
  std::fill(values.begin(), values.begin() + (1 << 20) * 3 / 4, 1e9f);
  Fixture mixed(test::bytes_of(values));
  EXPECT_FALSE(should_compress(mixed.slice_of(ElementType::F32, {1 << 20}), mixed.files));
  EXPECT_EQ(mixed.file.bytes_read, mixed.file.size());
}

}  // namespace
TEST(ShouldCompress, DoesNotReadComputedBytesOutOfProportion) {
  Fixture f;
  const int64_t most = 1 << 30;
  EXPECT_CODE(Code::SizeOverflow, should_compress(make_splat(ElementType::F32, {most, most}, 0.5), f.files));
  EXPECT_CODE(Code::SizeOverflow, zero_slices(make_splat(ElementType::F32, {most, most}, 0), 0, f.files));
}

}  // namespace mo
