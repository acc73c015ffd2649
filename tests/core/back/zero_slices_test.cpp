#include "core/back/requested/zero_slices.h"

#include <gtest/gtest.h>

#include "tests/core/support/memory_files.h"

namespace mo::test {
namespace {

std::string zeros(const Constant& constant, size_t axis) {
  MemoryFiles set;
  Files files(set);
  std::string out;
  for (const bool zero : zero_slices(constant, axis, files)) out += zero ? '0' : 'x';
  return out;
}

TEST(ZeroSlices, AlongEveryAxis) {
  const Constant constant = make_f32({2, 3, 2}, {0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(zeros(constant, 0), "x0");
  EXPECT_EQ(zeros(constant, 1), "0x0");
  EXPECT_EQ(zeros(constant, 2), "x0");
}

TEST(ZeroSlices, ZeroHasASignAndWeightsATypeAndNoLeastNumber) {
  const Constant constant = make_f32({6}, {0.0F, -0.0F, 1e-45F, -1.0F, 0x1p127F, -0x1p-14F});
  EXPECT_EQ(zeros(constant, 0), "00xxxx");
  EXPECT_EQ(zeros(convert(constant, ElementType::F64), 0), "00xxxx");
  EXPECT_EQ(zeros(convert(constant, ElementType::BF16), 0), "000xxx");
  EXPECT_EQ(zeros(convert(make_f32({3}, {-0.0F, -0x1p-24F, -2.0F}), ElementType::F16), 0), "0xx");
}

TEST(ZeroSlices, NeedNotEndWithThePiecesThatAreRead) {
  // Rows of 100,000 bytes, pieces of 256 KiB; only the last element of row 5 and the first of row 8 are not 0.
  std::vector<float> values(12 * 25000, 0.0F);
  values[6 * 25000 - 1] = values[8 * 25000] = 1;
  const Constant constant = make_f32({12, 25000}, values);
  EXPECT_EQ(zeros(constant, 0), "00000x00x000");
  EXPECT_EQ(zeros(reshape(constant, {3, 4, 25000}), 1), "xx00");
  EXPECT_EQ(zeros(make_splat(ElementType::F32, {3, 1000000}, 0), 0), "000");
}

TEST(ZeroSlices, OfNothing) {
  EXPECT_EQ(zeros(make_f32({2, 0}, {}), 0), "00");
  EXPECT_EQ(zeros(make_f32({0, 2}, {}), 0), "");
}

}  // namespace
}  // namespace mo::test
