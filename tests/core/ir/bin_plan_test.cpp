#include "core/ir/bin_plan.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "core/base/half.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

using test::Fixture;

/// The .bin as a host would assemble it, reading recipes in pieces of `piece` bytes.
std::vector<std::byte> carried_out(BinPlan& plan, Files& files, size_t piece = 1 << 20) {
  std::vector<std::byte> bin;
  for (const Segment& segment : plan.segments()) {
    std::vector<std::byte> bytes(static_cast<size_t>(segment.size));
    if (segment.kind == Segment::Kind::Bytes) {
      EXPECT_EQ(segment.bytes.size(), segment.size);
      bytes = segment.bytes;
    } else if (segment.kind == Segment::Kind::File) {
      files.read(segment.file, segment.offset, bytes);
    } else {
      for (size_t at = 0; at < bytes.size(); at += piece)
        plan.read_recipe(segment.recipe, at, std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
    }
    bin.insert(bin.end(), bytes.begin(), bytes.end());
  }
  EXPECT_EQ(bin.size(), plan.size());
  return bin;
}

/// Bytes of `n` floats, different for different seeds.
std::vector<std::byte> weights(size_t n, uint32_t seed) { return test::noise(4 * n, seed); }

Constant bytes_constant(std::vector<std::byte> bytes) {
  const auto n = static_cast<int64_t>(bytes.size());
  return owned(ElementType::U8, {n}, std::move(bytes));
}

std::vector<Segment::Kind> kinds(const BinPlan& plan) {
  std::vector<Segment::Kind> out;
  for (const Segment& segment : plan.segments()) out.push_back(segment.kind);
  return out;
}

TEST(BinPlan, PutsConstantsOneBehindTheOtherWithoutPadding) {
  Fixture f(test::noise(10000));
  BinPlan plan(f.files);
  const Constant a = bytes_constant(test::noise(3, 5)), b = f.slice_of(ElementType::F32, {100}, 1000);
  const Constant c = transpose(f.slice_of(ElementType::F32, {30, 20}, 2000), {1, 0});
  EXPECT_EQ(plan.add(a), (BinPlan::Range{0, 3}));
  EXPECT_EQ(plan.add(b), (BinPlan::Range{3, 400}));
  EXPECT_EQ(plan.add(c), (BinPlan::Range{403, 2400}));
  using Kind = Segment::Kind;
  EXPECT_EQ(kinds(plan), (std::vector<Kind>{Kind::Bytes, Kind::File, Kind::Recipe}));
  auto expected = *read_all(a, f.files, UINT64_MAX);
  for (const Constant& next : {b, c}) {
    const auto bytes = *read_all(next, f.files, UINT64_MAX);
    expected.insert(expected.end(), bytes.begin(), bytes.end());
  }
  EXPECT_EQ(carried_out(plan, f.files), expected);
  EXPECT_EQ(carried_out(plan, f.files, 4096 / 3), expected);
  std::vector<std::byte> part(1000);
  plan.read(300, part);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), expected.begin() + 300));
  EXPECT_CODE(Code::Unexpected, plan.read(plan.size() - 999, part));
}

TEST(BinPlan, RecipesAreReadInAnyPieces) {
  Fixture f(test::noise(10000));
  BinPlan plan(f.files);
  const Constant recipe = convert(f.slice_of(ElementType::I32, {1001}), ElementType::F64);
  plan.add(recipe);
  const auto all = *read_all(recipe, f.files, UINT64_MAX);
  for (const size_t piece : {1, 3, 7, 8, 100, 8001}) EXPECT_EQ(carried_out(plan, f.files, piece), all) << piece;
  std::vector<std::byte> out(9);
  EXPECT_CODE(Code::Unexpected, plan.read_recipe(0, 8000, out));
  EXPECT_CODE(Code::Unexpected, plan.read_recipe(1, 0, out));
}

TEST(BinPlan, OnlyF32OfAFileStoredAsF16SaysWhereItIs) {
  const size_t n = 40'000;
  Fixture f(test::noise(8 * n));
  BinPlan plan(f.files);
  const auto shape = static_cast<int64_t>(n);
  const Constant floats = f.slice_of(ElementType::F32, {shape}, 100);
  plan.add(compress_to_f16(floats));
  plan.add(compress_to_f16(f.slice_of(ElementType::F64, {shape / 2}, 0)));
  plan.add(compress_to_f16(transpose(f.slice_of(ElementType::F32, {2, shape / 2}, 40), {1, 0})));
  plan.add(convert(floats, ElementType::F16));
  plan.add(floats);
  std::vector<bool> compressed;
  for (const Segment& segment : plan.segments()) compressed.push_back(segment.compressed);
  EXPECT_EQ(compressed, (std::vector<bool>{true, false, false, false, false}));
  const Segment& first = plan.segments()[0];
  EXPECT_EQ(first.offset, 100u);
  std::vector<std::byte> there(4 * n), halves(2 * n), computed(2 * n);
  f.files.read(first.file, first.offset, there);
  f32_to_f16_clamped(there.data(), halves.data(), n);
  plan.read_recipe(first.recipe, 0, computed);
  EXPECT_EQ(halves, computed);
}

TEST(BinPlan, EqualPlacesShareWithoutReading) {
  Fixture f(test::noise(100000));
  BinPlan plan(f.files);
  const auto recipe = [&] { return transpose(f.slice_of(ElementType::F32, {30, 20}, 2000), {1, 0}); };
  const BinPlan::Range a = plan.add(f.slice_of(ElementType::F32, {1000}, 50000)), b = plan.add(recipe());
  EXPECT_EQ(plan.add(f.slice_of(ElementType::U8, {40, 100}, 50000)), a);
  EXPECT_EQ(plan.add(recipe()), b);
  EXPECT_EQ(plan.segments().size(), 2u);
  EXPECT_EQ(f.file.reads, 0u);
}

TEST(BinPlan, EqualBytesShareWhateverTypeShapeAndPlace) {
  auto file = weights(500, 1);
  const auto copy = file;
  const auto other = weights(500, 2);
  file.insert(file.end(), other.begin(), other.end());
  file.insert(file.end(), copy.begin(), copy.end());
  Fixture f(file);
  BinPlan plan(f.files);
  const BinPlan::Range first = plan.add(f.slice_of(ElementType::F32, {500}));
  const BinPlan::Range second = plan.add(f.slice_of(ElementType::F32, {500}, 2000));
  EXPECT_EQ(second.offset, 2000u);
  EXPECT_EQ(plan.add(f.slice_of(ElementType::I64, {250}, 4000)), first);
  EXPECT_EQ(plan.add(owned(ElementType::U8, {2000}, other)), second);
  EXPECT_EQ(
      plan.add(reorder(
          reshape(concat({f.slice_of(ElementType::F32, {250}, 5000), f.slice_of(ElementType::F32, {250}, 4000)}, 0),
                  {2, 250}),
          0, {1, 0})),
      first);
  EXPECT_EQ(plan.size(), 4000u);
}

TEST(BinPlan, ARecipeThatGivesEqualBytesShares) {
  std::vector<float> values(400);
  std::iota(values.begin(), values.end(), 1.0f);
  auto file = test::bytes_of(values);
  for (float& v : values) v *= 2;
  const auto doubled = test::bytes_of(values);
  file.insert(file.end(), doubled.begin(), doubled.end());
  Fixture f(file);
  BinPlan plan(f.files);
  const BinPlan::Range recipe =
      plan.add(scale_shift(f.slice_of(ElementType::F32, {400}), 0, std::vector<float>(400, 2), {}));
  EXPECT_EQ(plan.add(f.slice_of(ElementType::F32, {400}, 1600)), recipe);
  EXPECT_EQ(plan.add(owned(ElementType::F32, {400}, doubled)), recipe);
  EXPECT_EQ(plan.size(), 1600u);
}

TEST(BinPlan, ConstantsThatDifferAnywhereDoNotShare) {
  const auto zeros = std::vector<std::byte>(5000);
  Fixture f(zeros);
  BinPlan plan(f.files);
  plan.add(bytes_constant(zeros));
  uint64_t expected = 5000;
  // The first byte, one in the sample, one outside the sample, the last.
  for (const size_t at : {size_t{0}, size_t{2500}, size_t{1234}, size_t{4321}, size_t{4999}}) {
    auto bytes = zeros;
    bytes[at] = std::byte{1};
    EXPECT_EQ(plan.add(bytes_constant(bytes)).offset, expected) << at;
    expected += 5000;
  }
  EXPECT_EQ(plan.add(f.slice_of(ElementType::U8, {5000})).offset, 0u);
  EXPECT_EQ(plan.add(bytes_constant(std::vector<std::byte>(4999))).offset, expected);
}

/// The state of the hash in core/base/hash.h after whole blocks, and the block that leads from one state to another.
/// The hash is made for speed, so it is easy to make two contents with the same hash.
struct HashState {
  static constexpr uint64_t kC1 = 0x87c37b91114253d5, kC2 = 0x4cf5ad432745937f;
  uint64_t h1 = 0, h2 = 0;

  void add(const uint64_t block[2]) {
    h1 = (std::rotl(h1 ^ std::rotl(block[0] * kC1, 31) * kC2, 27) + h2) * 5 + 0x52dce729;
    h2 = (std::rotl(h2 ^ std::rotl(block[1] * kC2, 33) * kC1, 31) + h1) * 5 + 0x38495ab5;
  }
  static uint64_t inverse(uint64_t odd) {
    uint64_t x = odd;
    for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
    return x;
  }
  void find_block(const HashState& to, uint64_t block[2]) const {
    const uint64_t s1 = std::rotr((to.h1 - 0x52dce729) * inverse(5) - h2, 27) ^ h1;
    const uint64_t s2 = std::rotr((to.h2 - 0x38495ab5) * inverse(5) - to.h1, 31) ^ h2;
    block[0] = std::rotr(s1 * inverse(kC2), 31) * inverse(kC1);
    block[1] = std::rotr(s2 * inverse(kC1), 33) * inverse(kC2);
  }
};

TEST(BinPlan, EqualHashesAreNotTakenForEqualBytes) {
  std::vector<uint64_t> one(1000), other(1000);  // 500 blocks; block 100 differs, and block 101 compensates for it
  HashState before, middle, end;
  for (size_t block = 0; block < 100; ++block) before.add(&one[2 * block]);
  end = middle = before;
  for (size_t block = 100; block < 102; ++block) end.add(&one[2 * block]);
  other[200] = 1;
  middle.add(&other[200]);
  middle.find_block(end, &other[202]);
  const auto a = test::bytes_of(one), b = test::bytes_of(other);
  ASSERT_NE(a, b);
  ASSERT_EQ(hash_of(a), hash_of(b));
  Fixture f;
  BinPlan plan(f.files);
  EXPECT_EQ(plan.add(bytes_constant(a)).offset, 0u);
  EXPECT_EQ(plan.add(bytes_constant(b)).offset, 8000u);
  EXPECT_EQ(plan.add(bytes_constant(a)).offset, 0u);
  auto expected = a;
  expected.insert(expected.end(), b.begin(), b.end());
  EXPECT_EQ(carried_out(plan, f.files), expected);
}

TEST(BinPlan, OnlyConstantsOfEqualSizeAndSampleAreReadWhole) {
  constexpr size_t kSize = 1 << 20;
  auto file = test::noise(3 * kSize);
  std::copy_n(file.begin(), kSize / 4, file.begin() + 2 * kSize);  // the beginnings of the first and third are equal
  Fixture f(file);
  BinPlan plan(f.files);
  plan.add(f.slice_of(ElementType::U8, {kSize}));
  EXPECT_EQ(f.file.bytes_read, 0u);
  plan.add(f.slice_of(ElementType::U8, {kSize}, kSize));
  plan.add(f.slice_of(ElementType::U8, {kSize}, 2 * kSize));
  EXPECT_LT(f.file.bytes_read, 4096u);
  EXPECT_EQ(plan.segments().size(), 1u);
}

TEST(BinPlan, NeighboursInAFileAreOneSegment) {
  Fixture f(test::noise(10000));
  BinPlan plan(f.files);
  plan.add(f.slice_of(ElementType::U8, {1000}, 100));
  plan.add(f.slice_of(ElementType::U8, {500}, 1100));
  plan.add(f.slice_of(ElementType::U8, {600}, 2000));
  ASSERT_EQ(plan.segments().size(), 2u);
  EXPECT_EQ(plan.segments()[0].offset, 100u);
  EXPECT_EQ(plan.segments()[0].size, 1500u);
  EXPECT_EQ(plan.segments()[0].file, f.id);
  EXPECT_EQ(plan.segments()[1].offset, 2000u);
}

TEST(BinPlan, BytesJoinUpToAMegabyte) {
  Fixture f(test::noise(100));
  BinPlan plan(f.files);
  for (uint32_t i = 0; i < 50; ++i) plan.add(bytes_constant(test::noise(50000, i + 1)));
  EXPECT_EQ(plan.size(), 2500000u);
  EXPECT_EQ(plan.segments().size(), 3u);
  for (const Segment& segment : plan.segments()) EXPECT_LE(segment.size, 1u << 20);
  EXPECT_EQ(carried_out(plan, f.files).size(), 2500000u);
}

TEST(BinPlan, SmallSlicesAndRecipesGoAsBytes) {
  Fixture f(test::noise(1000));
  BinPlan plan(f.files);
  const Constant slice_16 = f.slice_of(ElementType::F32, {4}, 100);
  const Constant recipe_32 = convert(slice_16, ElementType::F64);
  plan.add(slice_16);
  plan.add(recipe_32);
  ASSERT_EQ(kinds(plan), std::vector<Segment::Kind>{Segment::Kind::Bytes});
  auto expected = *read_all(slice_16, f.files, 100);
  const auto more = *read_all(recipe_32, f.files, 100);
  expected.insert(expected.end(), more.begin(), more.end());
  EXPECT_EQ(plan.segments()[0].bytes, expected);
  EXPECT_EQ(plan.add(f.slice_of(ElementType::F32, {2, 2}, 100)), (BinPlan::Range{0, 16}));
}

TEST(BinPlan, EmptyConstantsTakeNoRoom) {
  Fixture f(test::noise(100));
  BinPlan plan(f.files);
  EXPECT_EQ(plan.add(make_i64({})), (BinPlan::Range{0, 0}));
  plan.add(make_i64({1}));
  EXPECT_EQ(plan.add(f.slice_of(ElementType::F32, {0, 3}, 50)), (BinPlan::Range{8, 0}));
  EXPECT_EQ(plan.add(make_i64({2})), (BinPlan::Range{8, 8}));
  EXPECT_EQ(plan.segments().size(), 1u);
}

TEST(BinPlan, RefusesPlacesOutsideTheirFile) {
  Fixture f(test::noise(1000));
  BinPlan plan(f.files);
  EXPECT_CODE(Code::DataOutOfRange, plan.add(f.slice_of(ElementType::U8, {100}, 901)));
  EXPECT_CODE(Code::DataOutOfRange, plan.add(f.slice_of(ElementType::U8, {10}, 991)));
  EXPECT_CODE(Code::DataOutOfRange, plan.add(convert(f.slice_of(ElementType::U8, {100}, 901), ElementType::F32)));
  EXPECT_EQ(plan.size(), 0u);
  EXPECT_EQ(plan.add(f.slice_of(ElementType::U8, {100}, 900)), (BinPlan::Range{0, 100}));
}

TEST(BinPlan, RefusesContentsOfAnotherSizeThanTypeAndShapeSay) {
  Fixture f(test::noise(1000));
  BinPlan plan(f.files);
  Constant wrong = f.slice_of(ElementType::F32, {10});
  wrong.shape = {11};
  EXPECT_CODE(Code::WrongTensorSize, plan.add(wrong));
  const Constant varints = decode_varints(ElementType::I64, {5}, {{f.id, 0, 1000, 0}});
  EXPECT_CODE(Code::WrongTensorSize, plan.add(varints));
  // Strings are packed, so their size does not follow from the shape.
  EXPECT_EQ(plan.add(owned(ElementType::String, {2}, test::noise(70))).size, 70u);
}

TEST(BinPlan, RefusesComputedBytesOutOfProportion) {
  Fixture f(test::noise(1000));
  BinPlan plan(f.files);
  const int64_t most = 1 << 30;
  EXPECT_EQ(plan.add(make_splat(ElementType::U8, {most - 1000000}, 1)).size, static_cast<uint64_t>(most - 1000000));
  EXPECT_EQ(plan.add(make_splat(ElementType::U8, {1000000}, 2)).size, 1000000u);
  EXPECT_CODE(Code::LargeOutput, plan.add(make_splat(ElementType::U8, {1000001}, 3)));
  EXPECT_CODE(Code::SizeOverflow, plan.add(make_splat(ElementType::F32, {most, most}, 3)));
}

TEST(BinPlan, RefusesALargeResultUnlessItIsAllowed) {
  Fixture f(test::noise(1000));
  const int64_t most = (1 << 30) + 4 * 1000;
  {
    BinPlan plan(f.files);
    // Each of these constants is nearly the whole file.
    for (int64_t i = 0; i < 100; ++i) plan.add(f.slice_of(ElementType::U8, {900 + i}));
    EXPECT_EQ(plan.size(), 94950u);
    plan.add(owned(ElementType::U8, {1}, {std::byte{77}}));
  }
  f.files.count_output(static_cast<uint64_t>(most) - 94951);
  EXPECT_CODE(Code::LargeOutput, BinPlan(f.files).add(owned(ElementType::U32, {1}, test::noise(4))));
  f.files.allow_large_output();
  BinPlan plan(f.files);
  EXPECT_EQ(plan.add(owned(ElementType::U32, {1}, test::noise(4))).size, 4u);
  EXPECT_EQ(plan.add(make_splat(ElementType::U8, {most, 100}, 1)).size, static_cast<uint64_t>(most) * 100);
}

TEST(BinPlan, ManySmallConstantsAreFewSegments) {
  Fixture f;
  BinPlan plan(f.files);
  for (int64_t i = 0; i < 100000; ++i) ASSERT_EQ(plan.add(make_i64_scalar(i)).offset, static_cast<uint64_t>(8 * i));
  for (int64_t i = 0; i < 100000; i += 997) EXPECT_EQ(plan.add(make_i64({i})).offset, static_cast<uint64_t>(8 * i));
  EXPECT_EQ(plan.segments().size(), 1u);
  EXPECT_EQ(plan.size(), 800000u);
}

}  // namespace
}  // namespace mo
