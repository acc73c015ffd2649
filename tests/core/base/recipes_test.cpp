// Concat, slice, reorder, transpose, fill and varints. Recipes that compute are in arithmetic_recipes_test.cpp.
#include <gtest/gtest.h>

#include <numeric>

#include "core/base/any_order.h"
#include "core/base/content.h"
#include "core/base/repeat.h"
#include "core/base/scattered.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

using test::Fixture;

std::vector<std::byte> counted(size_t n) {
  std::vector<uint16_t> values(n);
  std::iota(values.begin(), values.end(), uint16_t{0});
  return test::bytes_of(values);
}

/// Element by element, by the definition.
std::vector<uint8_t> transposed_bytes(const std::vector<uint8_t>& bytes, size_t width, const Shape& shape,
                                      const std::vector<int64_t>& order) {
  const size_t rank = shape.size();
  std::vector<size_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;) strides[i - 1] = strides[i] * static_cast<size_t>(shape[i]);
  std::vector<uint8_t> out;
  std::vector<size_t> index(rank);
  while (out.size() < bytes.size()) {
    size_t from = 0;
    for (size_t i = 0; i < rank; ++i) from += index[i] * strides[static_cast<size_t>(order[i])];
    out.insert(out.end(), &bytes[from * width], &bytes[from * width] + width);
    for (size_t i = rank; i-- > 0;) {
      if (++index[i] < static_cast<size_t>(shape[static_cast<size_t>(order[i])])) break;
      index[i] = 0;
    }
  }
  return out;
}

std::vector<uint16_t> transposed(const std::vector<uint16_t>& values, const Shape& shape,
                                 const std::vector<int64_t>& order) {
  const auto bytes = transposed_bytes(test::values_of<uint8_t>(test::bytes_of(values)), 2, shape, order);
  return test::values_of<uint16_t>(test::bytes_of(bytes));
}

TEST(Concat, AlongTheFirstAxisPutsOneBehindTheOther) {
  Fixture f(counted(100));
  const Constant a = f.slice_of(ElementType::U16, {2, 3}, 100), b = f.slice_of(ElementType::U16, {1, 3}, 20);
  const Constant both = concat({a, b}, 0);
  EXPECT_EQ(both.shape, (Shape{3, 3}));
  EXPECT_EQ(f.read<uint16_t>(both), (std::vector<uint16_t>{50, 51, 52, 53, 54, 55, 10, 11, 12}));
  test::expect_random_access(both, f.files, 2);
}

TEST(Concat, AlongAnInnerAxisInterleaves) {
  Fixture f(counted(100));
  const Constant a = f.slice_of(ElementType::U16, {2, 2, 2}, 0), b = f.slice_of(ElementType::U16, {2, 1, 2}, 40);
  const Constant both = concat({a, b, a}, 1);
  EXPECT_EQ(both.shape, (Shape{2, 5, 2}));
  EXPECT_EQ(f.read<uint16_t>(both),
            (std::vector<uint16_t>{0, 1, 2, 3, 20, 21, 0, 1, 2, 3, 4, 5, 6, 7, 22, 23, 4, 5, 6, 7}));
  test::expect_random_access(both, f.files, 2);
}

TEST(Concat, NeighboursInAFileAreOnePlace) {
  Fixture f(counted(100));
  const Constant a = f.slice_of(ElementType::U16, {2, 3}, 10), b = f.slice_of(ElementType::U16, {4, 3}, 22);
  const Constant both = concat({a, b}, 0);
  EXPECT_EQ(both.content->kind(), Content::Kind::Slice);
  EXPECT_EQ(both.content->identity(), SliceContent(f.id, 10, 36).identity());
  EXPECT_EQ(concat({b, a}, 0).content->kind(), Content::Kind::Recipe);
}

TEST(Concat, OfConcatsStaysFlat) {
  Fixture f(counted(1000));
  Constant all = f.slice_of(ElementType::U16, {1}, 0);
  for (uint64_t i = 1; i < 20; ++i) all = concat({all, f.slice_of(ElementType::U16, {1}, i * 50)}, 0);
  EXPECT_EQ(all.content->depth(), 1);
  EXPECT_EQ(f.read<uint16_t>(all)[19], 475);
  const Constant some = slice(all, 0, 5, 7);
  EXPECT_EQ(some.content->depth(), 1);
  EXPECT_EQ(f.read<uint16_t>(some), (std::vector<uint16_t>{125, 150}));
  EXPECT_EQ(slice(all, 0, 5, 6).content->kind(), Content::Kind::Slice);
}

TEST(Concat, EmptyAndSingleSources) {
  Fixture f(counted(100));
  const Constant a = f.slice_of(ElementType::U16, {2, 3}, 0), none = f.slice_of(ElementType::U16, {2, 0}, 0);
  EXPECT_EQ(concat({a}, 1).content, a.content);
  EXPECT_EQ(concat({none, a, none}, 1).content, a.content);
  EXPECT_EQ(concat({none, none}, 1).content->size(), 0u);
  EXPECT_CODE(Code::BadValue, concat({}, 0));
}

TEST(Concat, DoublesAgainAndAgain) {
  Fixture f(counted(100));
  Constant all = f.slice_of(ElementType::U16, {3}, 20);
  for (int i = 0; i < 24; ++i) all = concat({all, all}, 0);
  ASSERT_EQ(all.shape, (Shape{3 << 24}));
  EXPECT_LE(all.content->depth(), Content::kMaxDepth);
  const auto reader = all.content->open(f.files);
  std::vector<std::byte> some(20);
  for (const uint64_t at : {uint64_t{0}, uint64_t{6} << 23, (uint64_t{6} << 24) - 60}) {
    reader->read(at + 2, some);
    EXPECT_EQ(test::values_of<uint16_t>(some), (std::vector<uint16_t>{11, 12, 10, 11, 12, 10, 11, 12, 10, 11})) << at;
  }
  const Constant part = slice(all, 0, 1000, 1004);
  EXPECT_EQ(f.read<uint16_t>(part), (std::vector<uint16_t>{11, 12, 10, 11}));
}

class Few final : public Scattering {
 public:
  explicit Few(std::vector<ScatteredElement> elements) : elements_(std::move(elements)) {}
  Scattered read(Files&) const override { return {elements_, counted(4)}; }
  std::string identity() const override { return "few"; }

 private:
  std::vector<ScatteredElement> elements_;
};

TEST(Scatter, PutsElementsInTheirPlaces) {
  Fixture f(counted(10));
  const auto few = [](std::vector<ScatteredElement> elements) { return std::make_shared<Few>(std::move(elements)); };
  const Constant all = scatter(ElementType::U16, {2, 5}, few({{7, 1}, {0, 3}, {9, 2}, {7, 3}}));
  EXPECT_EQ(f.read<uint16_t>(all), (std::vector<uint16_t>{3, 0, 0, 0, 0, 0, 0, 3, 0, 2}));
  test::expect_random_access(all, f.files, 2);
  EXPECT_CODE(Code::CorruptFile, scatter(ElementType::U16, {10}, few({{10, 1}})).content->check(f.files));
  EXPECT_CODE(Code::CorruptFile, scatter(ElementType::U16, {10}, few({{1, 4}})).content->check(f.files));
}

TEST(Concat, RefusesWhatDoesNotFit) {
  Fixture f(counted(100));
  const Constant a = f.slice_of(ElementType::U16, {2, 3});
  EXPECT_CODE(Code::ShapeMismatch, concat({a, f.slice_of(ElementType::U16, {2, 4})}, 0));
  EXPECT_CODE(Code::ShapeMismatch, concat({a, f.slice_of(ElementType::U16, {6})}, 0));
  EXPECT_CODE(Code::UnsupportedType, concat({a, f.slice_of(ElementType::I16, {2, 3})}, 0));
  EXPECT_CODE(Code::BadValue, concat({a, a}, 2));
  const Constant text = owned(ElementType::String, {1}, {});
  EXPECT_CODE(Code::UnsupportedType, concat({text, text}, 0));
  const Constant vast = fill(ElementType::U8, {int64_t{1} << 56}, {std::byte{0}});
  EXPECT_CODE(Code::SizeOverflow, concat({vast, vast, vast, vast, vast}, 0));
  Constant wrong = a;
  wrong.content = std::make_shared<SliceContent>(f.id, 0, 11);
  EXPECT_CODE(Code::WrongTensorSize, concat({a, wrong}, 0));
}

TEST(Slice, OfTheFirstAxisIsAPlace) {
  Fixture f(counted(100));
  const Constant some = slice(f.slice_of(ElementType::U16, {10, 5}, 20), 0, 2, 4);
  EXPECT_EQ(some.content->kind(), Content::Kind::Slice);
  EXPECT_EQ(some.content->identity(), SliceContent(f.id, 40, 20).identity());
  EXPECT_EQ(some.shape, (Shape{2, 5}));
  // So is a slice of an inner axis if there is nothing outside it.
  EXPECT_EQ(slice(f.slice_of(ElementType::U16, {1, 4, 5}), 1, 1, 3).content->kind(), Content::Kind::Slice);
  EXPECT_EQ(slice(f.slice_of(ElementType::U16, {3, 4}), 1, 0, 4).content->kind(), Content::Kind::Slice);
}

TEST(Slice, OfAnInnerAxis) {
  Fixture f(counted(60));
  const Constant some = slice(f.slice_of(ElementType::U16, {3, 4, 5}), 1, 1, 3);
  std::vector<uint16_t> expected;
  for (uint16_t i : {0, 20, 40})
    for (uint16_t j = 5; j < 15; ++j) expected.push_back(static_cast<uint16_t>(i + j));
  EXPECT_EQ(f.read<uint16_t>(some), expected);
  test::expect_random_access(some, f.files, 2);
}

TEST(Slice, ThatIsStridedReadsAheadInsteadOfOftenAndNotFarApart) {
  Fixture f(counted(1 << 20));
  const Constant column = slice(f.slice_of(ElementType::U16, {1 << 16, 16}), 1, 3, 4);
  EXPECT_EQ(f.read<uint16_t>(column)[1000], 16003);
  EXPECT_LE(f.file.reads, 4u);
  const uint64_t before = f.file.bytes_read;
  f.read(slice(f.slice_of(ElementType::U16, {4, 1 << 18}), 1, 0, 8));
  EXPECT_EQ(f.file.bytes_read - before, 64u);
}

TEST(Slice, EmptyAndWrongRanges) {
  Fixture f(counted(60));
  const Constant source = f.slice_of(ElementType::U16, {3, 4});
  EXPECT_EQ(slice(source, 1, 2, 2).content->size(), 0u);
  EXPECT_EQ(slice(source, 1, 2, 2).shape, (Shape{3, 0}));
  EXPECT_CODE(Code::BadValue, slice(source, 1, -1, 2));
  EXPECT_CODE(Code::BadValue, slice(source, 1, 3, 2));
  EXPECT_CODE(Code::BadValue, slice(source, 1, 0, 5));
  EXPECT_CODE(Code::BadValue, slice(source, 2, 0, 1));
}

TEST(Reorder, MovesBlocks) {
  Fixture f(counted(48));
  const Constant source = f.slice_of(ElementType::U16, {8, 3});
  EXPECT_EQ(
      f.read<uint16_t>(reorder(source, 0, {2, 0, 1, 3})),
      (std::vector<uint16_t>{12, 13, 14, 15, 16, 17, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23}));
  const Constant inner = reorder(f.slice_of(ElementType::U16, {2, 4, 2}), 1, {1, 0});
  EXPECT_EQ(f.read<uint16_t>(inner), (std::vector<uint16_t>{4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11}));
  test::expect_random_access(inner, f.files, 2);
}

TEST(Reorder, ThatChangesNothingIsThePlace) {
  Fixture f(counted(48));
  const Constant source = f.slice_of(ElementType::U16, {8, 3});
  EXPECT_EQ(reorder(source, 0, {0, 1, 2, 3}).content->identity(), source.content->identity());
  EXPECT_EQ(reorder(reorder(source, 0, {1, 0}), 0, {1, 0}).content->identity(), source.content->identity());
  EXPECT_CODE(Code::BadValue, reorder(source, 0, {0, 1, 2}));
  EXPECT_CODE(Code::BadValue, reorder(source, 0, {0, 4, 2, 3}));
  EXPECT_CODE(Code::BadValue, reorder(source, 0, {}));
}

TEST(Take, LeavesElementsOut) {
  Fixture f(counted(48));
  EXPECT_EQ(f.read<uint16_t>(take(f.slice_of(ElementType::U16, {8, 3}), 0, {1, 2, 5})),
            (std::vector<uint16_t>{3, 4, 5, 6, 7, 8, 15, 16, 17}));
  const Constant source = f.slice_of(ElementType::U16, {2, 4, 2}), inner = take(source, 1, {0, 3});
  EXPECT_EQ(inner.shape, (Shape{2, 2, 2}));
  EXPECT_EQ(f.read<uint16_t>(inner), (std::vector<uint16_t>{0, 1, 6, 7, 8, 9, 14, 15}));
  test::expect_random_access(inner, f.files, 2);
  EXPECT_EQ(f.read<uint16_t>(take(take(source, 0, {1}), 1, {2})), (std::vector<uint16_t>{12, 13}));
  EXPECT_EQ(take(source, 2, {}).shape, (Shape{2, 4, 0}));
  EXPECT_EQ(take(source, 0, {0, 1}).content->identity(), source.content->identity());
  EXPECT_EQ(f.read<uint16_t>(take(fill(ElementType::U16, {4}, {std::byte{7}, std::byte{0}}), 0, {1, 3})),
            (std::vector<uint16_t>{7, 7}));
  EXPECT_CODE(Code::BadValue, take(source, 1, {4}));
  EXPECT_CODE(Code::BadValue, take(source, 1, {-1}));
  EXPECT_CODE(Code::BadValue, take(source, 3, {0}));
}

TEST(Repeat, GivesTheSourceAgainAndAgain) {
  Fixture f(counted(100'000));
  const Constant source = f.slice_of(ElementType::U16, {2, 2}, 14), out = repeat(source, 3);
  EXPECT_EQ(out.shape, (Shape{3, 2, 2}));
  EXPECT_EQ(f.read<uint16_t>(out), (std::vector<uint16_t>{7, 8, 9, 10, 7, 8, 9, 10, 7, 8, 9, 10}));
  EXPECT_EQ(f.read<uint16_t>(take(out, 2, {1})), (std::vector<uint16_t>{8, 10, 8, 10, 8, 10}));
  EXPECT_EQ(repeat(source, 0).elements(), 0u);
  EXPECT_EQ(repeat(source, 1).content->identity(), source.content->identity());
  // More than is read at once, from within a row on.
  const Constant large = repeat(f.slice_of(ElementType::U16, {50'000}), 40);
  const auto reader = large.content->open(f.files);
  std::vector<uint16_t> piece(150'000);
  reader->read(2 * 1'234'567, std::as_writable_bytes(std::span(piece)));
  for (size_t i = 0; i < piece.size(); ++i) ASSERT_EQ(piece[i], static_cast<uint16_t>((1'234'567 + i) % 50'000));
  // One element, a thousand million times: in no time and memory.
  const Constant many = repeat(f.slice_of(ElementType::U16, {1}, 18), 1'000'000'000);
  piece.resize(2);
  many.content->open(f.files)->read(1'999'999'996, std::as_writable_bytes(std::span(piece)));
  EXPECT_EQ(piece, (std::vector<uint16_t>{9, 9}));
}

TEST(Take, OfElementsThatShareBytes) {
  Fixture f({std::byte{0x21}, std::byte{0x43}, std::byte{0x65}});
  const Constant taken = take(f.slice_of(ElementType::U4, {2, 3}), 1, {0, 2});
  EXPECT_EQ(f.read<uint8_t>(taken), (std::vector<uint8_t>{0x31, 0x64}));
}

TEST(Transpose, OfEveryOrderOfFourDimensions) {
  const Shape shape = {3, 4, 2, 5};
  Fixture f(counted(120));
  const Constant source = f.slice_of(ElementType::U16, shape);
  const auto values = f.read<uint16_t>(source);
  std::vector<int64_t> order = {0, 1, 2, 3};
  do {
    const Constant result = transpose(source, order);
    ASSERT_EQ(f.read<uint16_t>(result), transposed(values, shape, order));
    test::expect_random_access(result, f.files, 2);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(Transpose, OfEveryRankAndElementIsWhatTheDefinitionSays) {
  // Lines, vectors and panels are full in some dimensions, and begun in others.
  const std::vector<Shape> shapes = {{67, 131},          {64, 128},        {1, 515},         {300, 3},
                                     {33, 9, 65},        {7, 64, 17},      {3, 3, 21, 70},   {1, 1, 130, 67},
                                     {5, 2, 16, 33},     {2, 3, 5, 7, 35}, {3, 1, 2, 40, 9}, {2, 3, 4, 3, 2, 19},
                                     {1, 2, 1, 5, 3, 67}};
  for (const ElementType type : {ElementType::U8, ElementType::F16, ElementType::F32, ElementType::F64})
    for (const Shape& shape : shapes) {
      const auto width = static_cast<size_t>(bits(type)) / 8;
      Fixture f(test::noise(static_cast<size_t>(element_count(shape)) * width));
      const Constant source = f.slice_of(type, shape);
      const auto bytes = f.read(source);
      std::vector<int64_t> order(shape.size());
      std::iota(order.begin(), order.end(), 0);
      // Of the 720 orders of six dimensions every eleventh.
      for (int turn = 0; std::next_permutation(order.begin(), order.end()); ++turn) {
        if (shape.size() == 6 && turn % 11 != 0) continue;
        ASSERT_EQ(f.read(transpose(source, order)), transposed_bytes(bytes, width, shape, order))
            << width << " bytes, " << testing::PrintToString(shape) << " by " << testing::PrintToString(order);
      }
    }
}

TEST(Transpose, ReadsRowsThatAreLargerThanAStrip) {
  const Shape shape = {5, 70'001};
  Fixture f(test::noise(5 * 70'001 * 4));
  const Constant source = f.slice_of(ElementType::F32, shape);
  EXPECT_EQ(f.read(transpose(source, {1, 0})), transposed_bytes(f.read(source), 4, shape, {1, 0}));
}

TEST(Transpose, OfElementsOfEverySize) {
  for (const ElementType type : {ElementType::U8, ElementType::U16, ElementType::F32, ElementType::I64}) {
    Fixture f(test::noise(70 * 90 * 8));
    const Constant source = f.slice_of(type, {70, 90});
    const auto bytes = f.read(source), result = f.read(transpose(source, {1, 0}));
    const auto width = static_cast<size_t>(bits(type)) / 8;
    for (size_t r = 0; r < 70; ++r)
      for (size_t c = 0; c < 90; ++c)
        for (size_t b = 0; b < width; ++b) ASSERT_EQ(result[(c * 70 + r) * width + b], bytes[(r * 90 + c) * width + b]);
  }
}

TEST(Transpose, OfAConvolutionsWeights) {
  constexpr size_t kKernel = 6, kIn = 45, kOut = 70;
  for (const ElementType type : {ElementType::U8, ElementType::F16, ElementType::F32, ElementType::F64}) {
    const auto width = static_cast<size_t>(bits(type)) / 8;
    Fixture f(test::noise(kKernel * kIn * kOut * width));
    const Constant source = f.slice_of(type, {3, 2, kIn, kOut}), result = transpose(source, {3, 2, 0, 1});
    const auto from = f.read(source), to = f.read(result);
    for (size_t k = 0; k < kKernel; ++k)
      for (size_t i = 0; i < kIn; ++i)
        for (size_t o = 0; o < kOut; ++o)
          for (size_t b = 0; b < width; ++b)
            ASSERT_EQ(to[((o * kIn + i) * kKernel + k) * width + b], from[((k * kIn + i) * kOut + o) * width + b]);
    test::expect_random_access(result, f.files, width);
  }
}

TEST(Transpose, ThatMovesNothingSharesTheContent) {
  Fixture f(counted(60));
  const Constant source = f.slice_of(ElementType::U16, {1, 5, 12});
  EXPECT_EQ(transpose(source, {1, 0, 2}).content, source.content);
  EXPECT_EQ(transpose(source, {1, 0, 2}).shape, (Shape{5, 1, 12}));
  EXPECT_EQ(transpose(f.slice_of(ElementType::U16, {}), {}).content->kind(), Content::Kind::Slice);
  EXPECT_EQ(transpose(f.slice_of(ElementType::U16, {0, 4}), {1, 0}).shape, (Shape{4, 0}));
}

TEST(Transpose, OfATransposeIsOneStep) {
  Fixture f(counted(60));
  const Constant source = f.slice_of(ElementType::U16, {3, 4, 5});
  const Constant twice = transpose(transpose(source, {2, 0, 1}), {1, 0, 2});
  EXPECT_EQ(twice.content->depth(), 1);
  EXPECT_EQ(f.read<uint16_t>(twice), transposed(f.read<uint16_t>(source), {3, 4, 5}, {0, 2, 1}));
  EXPECT_EQ(transpose(transpose(source, {2, 0, 1}), {1, 2, 0}).content, source.content);
  // After a reshape the dimensions differ.
  const Constant reshaped = reshape(transpose(source, {2, 0, 1}), {15, 4});
  EXPECT_EQ(f.read<uint16_t>(transpose(reshaped, {1, 0})), transposed(f.read<uint16_t>(reshaped), {15, 4}, {1, 0}));
}

TEST(Transpose, OfAConversionIsDoneBeforeIt) {
  Fixture f(counted(60));
  const Constant source = f.slice_of(ElementType::U16, {3, 4, 5});
  const Constant converted = transpose(convert(source, ElementType::I64), {2, 0, 1});
  EXPECT_EQ(converted.content->identity(), convert(transpose(source, {2, 0, 1}), ElementType::I64).content->identity());
}

TEST(Transpose, OfALargeMatrixReadsItInFewPassesAndSmallPieces) {
  constexpr int64_t kRows = 1500, kColumns = 1100;
  Fixture f(test::noise(kRows * kColumns * 4));
  const Constant source = f.slice_of(ElementType::F32, {kRows, kColumns});
  const auto from = f.read<uint32_t>(source);
  const uint64_t before = f.file.bytes_read;
  f.file.largest_read = 0;
  const Constant result = transpose(source, {1, 0});
  const auto to = f.read<uint32_t>(result);
  EXPECT_EQ(f.file.bytes_read - before, result.content->size());
  EXPECT_LE(f.file.largest_read, size_t{4} << 20);
  for (size_t r = 0; r < kRows; r += 7)
    for (size_t c = 0; c < kColumns; ++c) ASSERT_EQ(to[c * kRows + r], from[r * kColumns + c]);
}

TEST(Transpose, InItsBestPiecesReadsTheSourceOnce) {
  for (const Shape& shape : {Shape{3, 3, 70, 320}, Shape{1, 1, 900, 401}, Shape{2, 3, 4, 5}}) {
    Fixture f(test::noise(static_cast<size_t>(element_count(shape)) * 4));
    const Constant source = f.slice_of(ElementType::F32, shape), turned = transpose(source, {3, 2, 0, 1});
    for (const Constant& result : {turned, compress_to_f16(turned)}) {
      const auto whole = f.read(result);
      const uint64_t before = f.file.bytes_read, piece = result.content->best_piece();
      const auto reader = result.content->open(f.files);
      std::vector<std::byte> out(whole.size());
      for (size_t at = 0; at < out.size(); at += piece)
        reader->read(at, std::span(out).subspan(at, std::min<size_t>(piece, out.size() - at)));
      EXPECT_EQ(f.file.bytes_read - before, source.content->size());
      ASSERT_TRUE(std::equal(out.begin(), out.end(), std::as_bytes(std::span(whole)).begin()));
    }
  }
}

TEST(Transpose, InAnyOrderIsTheSource) {
  Fixture f(test::noise(240));
  const Constant source = f.slice_of(ElementType::F32, {3, 4, 5});
  EXPECT_EQ(in_any_order(transpose(source, {2, 0, 1}).content), source.content);
  EXPECT_EQ(in_any_order(source.content), source.content);
  const Constant other = convert(transpose(source, {2, 0, 1}), ElementType::F64);
  EXPECT_EQ(in_any_order(other.content)->identity(), convert(source, ElementType::F64).content->identity());
  const Constant plain = convert(source, ElementType::F64);
  EXPECT_EQ(in_any_order(plain.content), plain.content);
}

TEST(Transpose, ConvertedInOneLargePieceReadsTheSourceOnce) {
  const Shape shape{8192, 640};  // 20 MB, of which no reader keeps all
  Fixture f(test::noise(static_cast<size_t>(element_count(shape)) * 4));
  const Constant result = compress_to_f16(transpose(f.slice_of(ElementType::F32, shape), {1, 0}));
  const auto in_pieces = [&](uint64_t piece) {
    const auto reader = result.content->open(f.files);
    const uint64_t before = f.file.bytes_read;
    std::vector<std::byte> out(static_cast<size_t>(result.content->size()));
    for (size_t at = 0; at < out.size(); at += piece)
      reader->read(at, std::span(out).subspan(at, std::min<size_t>(piece, out.size() - at)));
    return std::pair(f.file.bytes_read - before, out);
  };
  const auto [often, expected] = in_pieces(result.content->best_piece());
  const auto [once, out] = in_pieces(result.content->size());
  EXPECT_GT(often, 4 * f.file.size());
  EXPECT_LE(once, f.file.size());
  ASSERT_TRUE(out == expected);
}

TEST(Transpose, OfWideRowsReadsOnlyTheColumnsItNeeds) {
  constexpr int64_t kColumns = 1 << 16;
  Fixture f(test::noise(16 * kColumns));
  const Constant result = transpose(f.slice_of(ElementType::U8, {16, kColumns}), {1, 0});
  std::vector<std::byte> out(160);
  result.content->open(f.files)->read(1600, out);
  EXPECT_EQ(f.file.bytes_read, 160u);
}

TEST(Transpose, RefusesWhatIsNoPermutation) {
  Fixture f(counted(60));
  const Constant source = f.slice_of(ElementType::U16, {3, 4});
  EXPECT_CODE(Code::BadValue, transpose(source, {0}));
  EXPECT_CODE(Code::BadValue, transpose(source, {0, 0}));
  EXPECT_CODE(Code::BadValue, transpose(source, {0, 2}));
  EXPECT_CODE(Code::BadValue, transpose(source, {-1, 0}));
}

TEST(Packed, ElementsMoveAcrossBytes) {
  Fixture f({std::byte{0x21}, std::byte{0x43}, std::byte{0x65}});  // 1 2 3 4 5 6
  const Constant source = f.slice_of(ElementType::U4, {2, 3});
  const auto ints = [&](const Constant& c) { return *read_ints(c, f.files); };
  EXPECT_EQ(ints(transpose(source, {1, 0})), (std::vector<int64_t>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(ints(slice(source, 1, 1, 3)), (std::vector<int64_t>{2, 3, 5, 6}));
  EXPECT_EQ(ints(slice(source, 0, 1, 2)), (std::vector<int64_t>{4, 5, 6}));
  EXPECT_EQ(f.read(slice(source, 0, 0, 1)), (std::vector<uint8_t>{0x21, 0x03}));
  EXPECT_EQ(ints(concat({slice(source, 0, 0, 1), source}, 0)), (std::vector<int64_t>{1, 2, 3, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(ints(reorder(source, 1, {2, 1, 0})), (std::vector<int64_t>{3, 2, 1, 6, 5, 4}));
  EXPECT_EQ(slice(transpose(source, {1, 0}), 1, 0, 1).content->depth(), 4);  // unpack, move, move, pack
  Constant quantiles = source;
  quantiles.type = ElementType::NF4;
  EXPECT_EQ(transpose(quantiles, {1, 0}).type, ElementType::NF4);
  EXPECT_EQ(f.read(transpose(quantiles, {1, 0})), f.read(transpose(source, {1, 0})));
}

TEST(Packed, WholeBytesStayAPlace) {
  Fixture f(test::noise(12));
  const Constant source = f.slice_of(ElementType::I4, {4, 6});
  EXPECT_EQ(slice(source, 0, 1, 3).content->kind(), Content::Kind::Slice);
  EXPECT_EQ(concat({slice(source, 0, 0, 1), slice(source, 0, 1, 3)}, 0).content->kind(), Content::Kind::Slice);
}

TEST(Fill, RepeatsTheElement) {
  Fixture f;
  const Constant small = fill(ElementType::U16, {2, 2}, {std::byte{1}, std::byte{2}});
  EXPECT_EQ(small.content->kind(), Content::Kind::Owned);
  EXPECT_EQ(f.read<uint16_t>(small), std::vector<uint16_t>(4, 0x0201));
  const Constant large = fill(ElementType::F32, {1 << 20}, test::bytes_of<float>({1.5f}));
  EXPECT_EQ(large.content->kind(), Content::Kind::Recipe);
  EXPECT_EQ(f.read<float>(large), std::vector<float>(1 << 20, 1.5f));
  test::expect_random_access(large, f.files, 4);
}

TEST(Fill, OfPackedTypesLeavesNothingBehindTheLastElement) {
  Fixture f;
  EXPECT_EQ(f.read(fill(ElementType::U4, {3}, {std::byte{0x0a}})), (std::vector<uint8_t>{0xaa, 0x0a}));
  EXPECT_EQ(f.read(fill(ElementType::U1, {10}, {std::byte{1}})), (std::vector<uint8_t>{0xff, 0x03}));
  EXPECT_EQ(f.read(fill(ElementType::U2, {5}, {std::byte{2}})), (std::vector<uint8_t>{0xaa, 0x02}));
}

TEST(Fill, StaysAFillThroughOtherRecipes) {
  Fixture f;
  const Constant large = fill(ElementType::F32, {1000, 1000}, test::bytes_of<float>({2}));
  EXPECT_EQ(transpose(large, {1, 0}).content, large.content);
  EXPECT_EQ(convert(large, ElementType::I64).content->depth(), 1);
  EXPECT_EQ(f.read<int64_t>(slice(convert(large, ElementType::I64), 0, 0, 1)), std::vector<int64_t>(1000, 2));
  EXPECT_EQ(slice(large, 1, 0, 500).content->identity(),
            fill(ElementType::F32, {500000}, test::bytes_of<float>({2})).content->identity());
}

TEST(Fill, RefusesElementsOfAnotherSize) {
  EXPECT_CODE(Code::WrongTensorSize, fill(ElementType::F32, {1}, {std::byte{0}}));
  EXPECT_CODE(Code::UnsupportedType, fill(ElementType::String, {1}, {}));
  EXPECT_CODE(Code::SizeOverflow, fill(ElementType::F64, {int64_t{1} << 62}, std::vector<std::byte>(8)));
  EXPECT_CODE(Code::BadValue, fill(ElementType::U8, {-1}, {std::byte{0}}));
}

TEST(Recipe, SmallOwnedSourcesAreComputedAtOnce) {
  const Constant a = make_f32({2, 2}, {1, 2, 3, 4});
  Fixture f;
  for (const Constant& result : {concat({a, a}, 1), slice(a, 1, 0, 1), transpose(a, {1, 0}), reorder(a, 0, {1, 0}),
                                 convert(a, ElementType::I8), compress_to_f16(a), scale_shift(a, 0, {1, 2}, {})})
    EXPECT_EQ(result.content->kind(), Content::Kind::Owned);
  const Constant large = make_f32({1 << 15}, std::vector<float>(1 << 15, 1));
  EXPECT_EQ(convert(large, ElementType::F64).content->kind(), Content::Kind::Recipe);
  EXPECT_EQ(convert(large, ElementType::F16).content->kind(), Content::Kind::Owned);
}

TEST(Recipe, IsNotBuiltTooDeep) {
  Fixture f(test::noise(4000));
  Constant deep = f.slice_of(ElementType::F32, {1000});
  for (int i = 0; i < Content::kMaxDepth; ++i) deep = scale_shift(deep, 0, std::vector<float>(1000, 2), {});
  EXPECT_EQ(deep.content->depth(), Content::kMaxDepth);
  EXPECT_CODE(Code::UnsupportedForm, convert(deep, ElementType::F16));
}

TEST(Recipe, CheckReachesTheSources) {
  Fixture f(test::noise(100));
  const Constant bad = convert(transpose(f.slice_of(ElementType::F32, {5, 6}), {1, 0}), ElementType::F16);
  EXPECT_CODE(Code::DataOutOfRange, bad.content->check(f.files));
  EXPECT_NO_THROW(convert(f.slice_of(ElementType::F32, {25}), ElementType::F16).content->check(f.files));
}

TEST(Recipe, IdentitiesAreEqualExactlyForEqualRecipes) {
  Fixture f(test::noise(4000));
  const auto make = [&](uint64_t offset, ElementType type = ElementType::F16) {
    const Constant a = f.slice_of(type, {4, 6}, offset), b = f.slice_of(type, {4, 6}, 1000);
    const Constant big = make_f32({20000}, std::vector<float>(20000, static_cast<float>(offset)));
    return std::vector<Constant>{concat({a, b}, 0),
                                 concat({a, b}, 1),
                                 slice(a, 1, 0, 3),
                                 slice(a, 1, 1, 4),
                                 reorder(a, 0, {1, 0}),
                                 reorder(a, 1, {1, 0}),
                                 transpose(a, {1, 0}),
                                 convert(a, ElementType::F64),
                                 convert(a, ElementType::BF16),
                                 convert(f.slice_of(type, {4, 5}, offset), ElementType::BF16),
                                 scale_shift(a, 0, {1, 2, 3, 4}, {}),
                                 scale_shift(a, 0, {1, 2, 3, 5}, {}),
                                 scale_shift(a, 0, {1, 2, 3, 4}, {1, 2, 3, 4}),
                                 scale_shift(reshape(a, {6, 4}), 1, {1, 2, 3, 4}, {}),
                                 convert(big, ElementType::F64)};
  };
  std::map<std::string, int> seen;
  for (const auto& all : {make(0), make(0), make(2)})
    for (const Constant& c : all) ++seen[c.content->identity()];
  EXPECT_EQ(seen.size(), 2 * make(0).size());
  int twice = 0;
  for (const auto& [text, count] : seen) twice += count == 2;
  EXPECT_EQ(twice, static_cast<int>(make(0).size()));
}

TEST(Recipe, ALongReorderHasAShortIdentity) {
  Fixture f(test::noise(2000));
  std::vector<int64_t> order(1000);
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i * 7 % 1000);
  const Constant source = f.slice_of(ElementType::U16, {1000});
  const std::string one = reorder(source, 0, order).content->identity();
  EXPECT_LT(one.size(), 600u);
  EXPECT_EQ(one, reorder(source, 0, order).content->identity());
  std::swap(order[3], order[500]);
  EXPECT_NE(one, reorder(source, 0, order).content->identity());
}

}  // namespace
}  // namespace mo
