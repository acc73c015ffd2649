#include <gtest/gtest.h>

#include "core/base/content.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

using test::Fixture;

void put_varint(std::vector<std::byte>& to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<std::byte>(value | 0x80));
  to.push_back(static_cast<std::byte>(value));
}

std::vector<std::byte> varints(const std::vector<int64_t>& values, uint32_t tag = 0) {
  std::vector<std::byte> bytes;
  for (const int64_t v : values) {
    if (tag != 0) put_varint(bytes, tag);
    put_varint(bytes, static_cast<uint64_t>(v));
  }
  return bytes;
}

TEST(Varints, ArePackedOrOneByOneOrBoth) {
  const std::vector<int64_t> values = {0, 1, 127, 128, -1, INT64_MAX, INT64_MIN, 300};
  auto bytes = varints(values);
  const uint64_t packed = bytes.size();
  const auto tagged = varints(values, 7 << 3);
  bytes.insert(bytes.end(), tagged.begin(), tagged.end());
  Fixture f(bytes);
  const VarintRun first{f.id, 0, packed, 0}, second{f.id, packed, tagged.size(), 7 << 3};
  EXPECT_EQ(f.read<int64_t>(decode_varints(ElementType::I64, {8}, {first})), values);
  EXPECT_EQ(f.read<int64_t>(decode_varints(ElementType::I64, {2, 4}, {second})), values);
  const Constant both = decode_varints(ElementType::I64, {2, 8}, {first, {f.id, 3, 0, 0}, second});
  std::vector<int64_t> twice = values;
  twice.insert(twice.end(), values.begin(), values.end());
  EXPECT_EQ(f.read<int64_t>(both), twice);
  EXPECT_NO_THROW(both.content->check(f.files));
}

TEST(Varints, AreNarrowed) {
  Fixture f(varints({-2, 256, 0x13c00}));
  const std::vector<VarintRun> runs = {{f.id, 0, f.file.size(), 0}};
  EXPECT_EQ(f.read<int8_t>(decode_varints(ElementType::I8, {3}, runs)), (std::vector<int8_t>{-2, 0, 0}));
  EXPECT_EQ(f.read<int32_t>(decode_varints(ElementType::I32, {3}, runs)), (std::vector<int32_t>{-2, 256, 0x13c00}));
  EXPECT_EQ(f.read<uint16_t>(decode_varints(ElementType::F16, {3}, runs)),
            (std::vector<uint16_t>{0xfffe, 256, 0x3c00}));
  EXPECT_EQ(f.read(decode_varints(ElementType::Bool, {3}, runs)), (std::vector<uint8_t>{1, 1, 1}));
  EXPECT_CODE(Code::UnsupportedType, decode_varints(ElementType::F32, {3}, runs));
  EXPECT_CODE(Code::UnsupportedType, decode_varints(ElementType::U4, {3}, runs));
  EXPECT_CODE(Code::UnsupportedType, decode_varints(ElementType::String, {3}, runs));
}

TEST(Varints, RestartWhenAnEarlierElementIsAskedFor) {
  std::vector<int64_t> values;
  for (int64_t i = 0; i < 60000; ++i) values.push_back(i * i * i);  // more than one buffer
  Fixture f(varints(values, 5 << 3));
  const Constant all = decode_varints(ElementType::I64, {60000}, {{f.id, 0, f.file.size(), 5 << 3}});
  EXPECT_EQ(f.read<int64_t>(all), values);
  test::expect_random_access(all, f.files, 8);
}

TEST(Varints, AnotherNumberOfThemIsAnError) {
  Fixture f(varints({1, 2, 300}));
  const std::vector<VarintRun> runs = {{f.id, 0, f.file.size(), 0}};
  for (const int64_t n : {0, 1, 2, 4, 1000}) {
    const Constant wrong = decode_varints(ElementType::I64, {n}, runs);
    EXPECT_CODE(Code::WrongTensorSize, wrong.content->check(f.files));
    EXPECT_CODE(Code::WrongTensorSize, read_all(wrong, f.files, UINT64_MAX));
  }
  EXPECT_CODE(Code::WrongTensorSize, decode_varints(ElementType::I64, {1}, {}).content->check(f.files));
  EXPECT_NO_THROW(decode_varints(ElementType::I64, {0}, {}).content->check(f.files));
  // Nothing is allocated for a claimed size.
  EXPECT_CODE(Code::WrongTensorSize,
              decode_varints(ElementType::I64, {int64_t{1} << 50}, runs).content->check(f.files));
}

TEST(Varints, BrokenOnesAreFoundWithTheirPlace) {
  Fixture cut({std::byte{1}, std::byte{0x80}});
  Fixture endless(std::vector<std::byte>(20, std::byte{0x80}));
  Fixture other(varints({1}, 6 << 3));
  const auto whole = [](Fixture& f, uint32_t tag) {
    return decode_varints(ElementType::I64, {2}, {{f.id, 0, f.file.size(), tag}});
  };
  EXPECT_CODE(Code::CorruptFile, whole(cut, 0).content->check(cut.files));
  EXPECT_CODE(Code::CorruptFile, whole(endless, 0).content->check(endless.files));
  EXPECT_CODE(Code::CorruptFile, whole(other, 7 << 3).content->check(other.files));
  try {
    whole(cut, 0).content->check(cut.files);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, "w");
    EXPECT_EQ(error.place().offset, 2);
  }
}

TEST(Varints, ARunOutsideTheFileIsAnError) {
  Fixture f(varints({1, 2}));
  EXPECT_CODE(Code::DataOutOfRange, decode_varints(ElementType::I64, {2}, {{f.id, 1, 2, 0}}).content->check(f.files));
  EXPECT_CODE(Code::DataOutOfRange, read_all(decode_varints(ElementType::I64, {2}, {{f.id, 1, 2, 0}}), f.files, 16));
}

TEST(Varints, IdentityIsTypeCountAndRuns) {
  const auto identity = [](ElementType type, int64_t n, std::vector<VarintRun> runs) {
    return decode_varints(type, {n}, std::move(runs)).content->identity();
  };
  const std::string one = identity(ElementType::I64, 3, {{0, 1, 2, 0}});
  EXPECT_EQ(one, identity(ElementType::I64, 3, {{0, 1, 2, 0}}));
  EXPECT_NE(one, identity(ElementType::I32, 3, {{0, 1, 2, 0}}));
  EXPECT_NE(one, identity(ElementType::I64, 4, {{0, 1, 2, 0}}));
  EXPECT_NE(one, identity(ElementType::I64, 3, {{0, 1, 2, 8}}));
  EXPECT_NE(one, identity(ElementType::I64, 3, {{1, 1, 2, 0}}));
}

}  // namespace
}  // namespace mo
