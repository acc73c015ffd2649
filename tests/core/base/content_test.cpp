#include "core/base/content.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

TEST(Content, ASliceReadsItsRangeAndNoMore) {
  const auto bytes = test::noise(100);
  test::Fixture f(bytes);
  const SliceContent content(f.id, 10, 20);
  EXPECT_EQ(content.size(), 20u);
  EXPECT_EQ(content.depth(), 0);
  const auto reader = content.open(f.files);
  std::vector<std::byte> out(5);
  reader->read(15, out);
  EXPECT_TRUE(std::equal(out.begin(), out.end(), bytes.begin() + 25));
  EXPECT_CODE(Code::DataOutOfRange, reader->read(16, out));
  EXPECT_CODE(Code::DataOutOfRange, reader->read(UINT64_MAX - 1, out));
}

TEST(Content, ASliceOutsideItsFileIsFoundByCheck) {
  test::Fixture f(test::noise(100));
  EXPECT_NO_THROW(SliceContent(f.id, 90, 10).check(f.files));
  EXPECT_NO_THROW(SliceContent(f.id, 100, 0).check(f.files));
  EXPECT_CODE(Code::DataOutOfRange, SliceContent(f.id, 90, 11).check(f.files));
  EXPECT_CODE(Code::DataOutOfRange, SliceContent(f.id, 101, 0).check(f.files));
  EXPECT_CODE(Code::DataOutOfRange, SliceContent(f.id, 1, UINT64_MAX).check(f.files));
  std::vector<std::byte> out(11);
  EXPECT_CODE(Code::DataOutOfRange, SliceContent(f.id, 90, 11).open(f.files)->read(0, out));
}

TEST(Content, IdentityOfASliceIsItsPlace) {
  const SliceContent a(0, 10, 20);
  EXPECT_EQ(a.identity(), SliceContent(0, 10, 20).identity());
  for (const SliceContent& other : {SliceContent(1, 10, 20), SliceContent(0, 11, 20), SliceContent(0, 10, 21)})
    EXPECT_NE(a.identity(), other.identity());
  EXPECT_EQ(OwnedContent({}).identity(), "");
}

TEST(Content, OwnedBytesMustFitTypeAndShape) {
  EXPECT_CODE(Code::WrongTensorSize, owned(ElementType::F32, {2}, std::vector<std::byte>(7)));
  EXPECT_EQ(owned(ElementType::U4, {3}, std::vector<std::byte>(2)).content->size(), 2u);
  EXPECT_EQ(owned(ElementType::String, {1}, std::vector<std::byte>(9)).content->size(), 9u);
  std::vector<std::byte> out(2);
  test::Fixture f;
  EXPECT_CODE(Code::DataOutOfRange, OwnedContent(std::vector<std::byte>(1)).open(f.files)->read(0, out));
}

TEST(Content, SmallConstants) {
  test::Fixture f;
  EXPECT_EQ(make_i64({1, -2}).shape, Shape{2});
  EXPECT_EQ(f.read<int64_t>(make_i64({1, -2})), (std::vector<int64_t>{1, -2}));
  EXPECT_EQ(make_i64_scalar(7).shape, Shape{});
  EXPECT_EQ(f.read<int64_t>(make_i64_scalar(7)), std::vector<int64_t>{7});
  EXPECT_EQ(f.read<float>(make_f32_scalar(0.1f)), std::vector<float>{0.1f});
  EXPECT_EQ(f.read<float>(make_f32({1, 2}, {3, 4})), (std::vector<float>{3, 4}));
  EXPECT_CODE(Code::WrongTensorSize, make_f32({3}, {3, 4}));
}

TEST(Content, ScalarsOfEveryTypeHoldTheValue) {
  test::Fixture f;
  for (int i = 1; i <= static_cast<int>(ElementType::Bool); ++i) {
    const auto type = static_cast<ElementType>(i);
    const double one = 1;
    EXPECT_EQ(read_doubles(make_scalar(type, 1), f.files),
              type == ElementType::I4 ? std::vector{one} : std::vector{one})
        << ir_name(type);
    EXPECT_EQ(read_ints(make_splat(type, {2, 3}, 1), f.files), std::vector<int64_t>(6, 1)) << ir_name(type);
  }
  EXPECT_EQ(read_ints(make_scalar(ElementType::I32, -2.9), f.files), std::vector<int64_t>{-2});
  EXPECT_EQ(read_ints(make_scalar(ElementType::U8, 300), f.files), std::vector<int64_t>{255});
  EXPECT_EQ(f.read<uint16_t>(make_scalar(ElementType::F16, 1e9)), std::vector<uint16_t>{0x7c00});
  EXPECT_CODE(Code::UnsupportedType, make_scalar(ElementType::String, 1));
}

TEST(Content, NumbersOfOtherTypes) {
  test::Fixture f;
  const auto u64 = owned(ElementType::U64, {2}, test::bytes_of<uint64_t>({5, UINT64_MAX}));
  EXPECT_EQ(read_ints(u64, f.files), (std::vector<int64_t>{5, INT64_MAX}));
  EXPECT_EQ(read_doubles(u64, f.files), (std::vector<double>{5, 0x1p64}));
  const auto i4 = owned(ElementType::I4, {3}, {std::byte{0xf1}, std::byte{0x08}});
  EXPECT_EQ(read_ints(i4, f.files), (std::vector<int64_t>{1, -1, -8}));
  const float inf = std::numeric_limits<float>::infinity();
  const auto floats = make_f32({5}, {1.9f, -1.9f, inf, -inf, std::nanf("")});
  EXPECT_EQ(read_ints(floats, f.files), (std::vector<int64_t>{1, -1, INT64_MAX, INT64_MIN, 0}));
  EXPECT_CODE(Code::UnsupportedType, read_ints(owned(ElementType::String, {1}, {}), f.files));
}

TEST(Content, LargeConstantsAreNotReadAsNumbers) {
  test::Fixture f(test::noise(80));
  const Constant ten = f.slice_of(ElementType::I64, {10});
  EXPECT_FALSE(read_ints(ten, f.files, 9));
  EXPECT_FALSE(read_doubles(ten, f.files, 9));
  EXPECT_FALSE(read_all(ten, f.files, 79));
  EXPECT_EQ(f.file.reads, 0u);
  EXPECT_EQ(read_ints(ten, f.files, 10)->size(), 10u);
  Constant wrong = ten;
  wrong.shape = {9};
  EXPECT_CODE(Code::WrongTensorSize, read_ints(wrong, f.files));
}

TEST(Content, ReshapeSharesTheContent) {
  test::Fixture f(test::noise(24));
  const Constant source = f.slice_of(ElementType::F32, {6});
  const Constant other = reshape(source, {2, 3});
  EXPECT_EQ(other.content, source.content);
  EXPECT_EQ(other.shape, (Shape{2, 3}));
  EXPECT_CODE(Code::ShapeMismatch, reshape(source, {7}));
}

}  // namespace
}  // namespace mo
