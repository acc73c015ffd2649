#include "core/base/proto/wire.h"

#include <gtest/gtest.h>

#include "onnx_messages.h"
#include "tests/core/support/proto_files.h"

namespace mo::proto {
namespace {

using namespace std::string_literals;
using test::WireFile;

/// `n` copies of `piece`.
std::string times(size_t n, const std::string& piece) {
  std::string out;
  for (size_t i = 0; i < n; ++i) out += piece;
  return out;
}

std::vector<WireField> fields_of(WireFile& file) {
  Window window(file.files, file.id);
  WireReader reader(window, 0, window.size());
  std::vector<WireField> out;
  for (WireField field; reader.next(field);) out.push_back(field);
  return out;
}
void walk(const std::string& bytes) {
  WireFile file(bytes);
  fields_of(file);
}
/// The byte named by the error of the walk.
int64_t error_place(const std::string& bytes) {
  try {
    walk(bytes);
  } catch (const Error& error) {
    return error.place().offset;
  }
  return -1;
}

TEST(WireReader, GivesNumberTypeAndPlace) {
  WireFile file(
      "\x08\x96\x01\x12\x03"
      "abc\x1d\x01\x02\x03\x04\x21\x01\0\0\0\0\0\0\x80\xf8\xff\xff\xff\x0f\x05"s);
  const auto fields = fields_of(file);
  ASSERT_EQ(fields.size(), 5u);
  EXPECT_EQ(fields[0].number, 1u);
  EXPECT_EQ(fields[0].value, 150u);
  EXPECT_EQ(fields[1].type, WireField::Bytes);
  EXPECT_EQ(fields[1].start, 3u);
  EXPECT_EQ(fields[1].offset, 5u);
  EXPECT_EQ(fields[1].size, 3u);
  EXPECT_EQ(fields[2].value, 0x04030201u);
  EXPECT_EQ(fields[3].value, 0x8000000000000001u);
  EXPECT_EQ(fields[4].number, 536870911u);
  EXPECT_EQ(fields[4].value, 5u);
}

TEST(WireReader, StepsOverGroups) {
  // 2 { 1: 5  3 { 4: "}" }  5: fixed }  then 6: 1
  WireFile file("\x13\x08\x05\x1b\x22\x01\x24\x1c\x2d\1\2\3\4\x14\x30\x01"s);
  const auto fields = fields_of(file);
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].type, WireField::Group);
  EXPECT_EQ(fields[0].offset, 1u);
  EXPECT_EQ(fields[0].size, 12u);
  EXPECT_EQ(fields[1].number, 6u);
  Window window(file.files, file.id);
  WireReader inner(window, fields[0]);
  WireField field;
  ASSERT_TRUE(inner.next(field));
  EXPECT_EQ(field.value, 5u);
  ASSERT_TRUE(inner.next(field));
  EXPECT_EQ(field.type, WireField::Group);
  ASSERT_TRUE(inner.next(field));
  EXPECT_FALSE(inner.next(field));
}

TEST(WireReader, BrokenGroupsAreErrors) {
  const size_t most = WireReader::kMaxGroups;
  EXPECT_NO_THROW(walk(times(most, "\x0b") + times(most, "\x0c")));
  EXPECT_CODE(Code::TooDeep, walk(times(most + 1, "\x0b") + times(most + 1, "\x0c")));
  EXPECT_CODE(Code::TooDeep, walk(std::string(5 << 20, '\x0b')));
  EXPECT_CODE(Code::CorruptFile, walk("\x0b\x08\x01"));      // no end
  EXPECT_CODE(Code::CorruptFile, walk("\x0b\x13\x0c\x14"));  // crossed
  EXPECT_CODE(Code::CorruptFile, walk("\x0c"));              // no begin
  EXPECT_CODE(Code::TruncatedFile, walk("\x0b\x12\x7f\x0c"));
  EXPECT_EQ(error_place("\x08\x01\x0b\x14"), 3);
}

TEST(WireReader, LengthsAreChecked) {
  EXPECT_CODE(Code::TruncatedFile, walk("\x12\x04"
                                        "abc"));
  EXPECT_CODE(Code::TruncatedFile, walk("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
                                        "abc"));
  EXPECT_CODE(Code::CorruptFile, walk("\x12"));
  EXPECT_CODE(Code::CorruptFile, walk("\x12\x80"));
  EXPECT_CODE(Code::CorruptFile, walk("\x0d\1\2\3"));
  EXPECT_CODE(Code::CorruptFile, walk("\x09\1\2\3\4\5\6\7"));
  EXPECT_EQ(error_place("\x08\x01\x12\x04"
                        "abc"),
            2);
  // Beyond the end of the message, but not of the file.
  WireFile file("\x12\x03\x0a\x02\x61\x62\x63");
  Window window(file.files, file.id);
  WireReader outer(window, 0, window.size());
  WireField field;
  ASSERT_TRUE(outer.next(field));
  WireReader inner(window, field);
  EXPECT_CODE(Code::CorruptFile, inner.next(field));
}

TEST(WireReader, NumbersHaveAtMostTenBytes) {
  EXPECT_NO_THROW(walk("\x08" + times(9, "\xff") + "\x01"));
  EXPECT_CODE(Code::CorruptFile, walk("\x08" + times(10, "\x80") + "\x01"));
  EXPECT_CODE(Code::CorruptFile, walk(times(20, "\x80")));
  EXPECT_CODE(Code::CorruptFile, walk("\x00\x01"s));                 // field 0
  EXPECT_CODE(Code::CorruptFile, walk("\x80\x80\x80\x80\x10\x01"));  // field 2^29
  EXPECT_CODE(Code::CorruptFile, walk("\x0e"));                      // wire type 6
  const auto packed = [](const std::string& bytes) {
    WireFile file("\xa2\x01" + std::string(1, static_cast<char>(bytes.size())) + bytes);
    Window window(file.files, file.id);
    std::vector<int64_t> out;
    wire_ints(window, fields_of(file)[0], out);
  };
  EXPECT_NO_THROW(packed(times(9, "\x80") + "\x01"));
  EXPECT_CODE(Code::CorruptFile, packed(times(10, "\x80") + "\x01"));
  EXPECT_CODE(Code::CorruptFile, packed("\x01\x80"));
}

/// 5 TB of zeros with some other bytes.
class SparseFile final : public ByteSource {
 public:
  uint64_t size() const override { return uint64_t{5} << 40; }
  void read(uint64_t offset, std::span<std::byte> out) override {
    std::fill(out.begin(), out.end(), std::byte{0});
    bytes_read += out.size();
    for (const auto& [place, text] : pieces)
      for (size_t i = 0; i < text.size(); ++i)
        if (place + i >= offset && place + i - offset < out.size())
          out[static_cast<size_t>(place + i - offset)] = static_cast<std::byte>(text[i]);
  }
  std::map<uint64_t, std::string> pieces;
  uint64_t bytes_read = 0;
};
class SparseFiles final : public FileSet {
 public:
  ByteSource* open(std::string_view) override { return &file; }
  SparseFile file;
};

TEST(WireReader, OffsetsHave64Bits) {
  SparseFiles set;
  // 1: 2^42 bytes, the last of them in a message; 2: 7
  set.file.pieces[0] = "\x0a\x80\x80\x80\x80\x80\x80\x01";
  const uint64_t behind = 8 + (uint64_t{1} << 42);
  set.file.pieces[behind] = "\x10\x07\x1a";
  std::string rest;
  for (uint64_t left = set.file.size() - behind - 10; left > 0; left >>= 7)
    rest += static_cast<char>((left & 127) | (left > 127 ? 128 : 0));
  set.file.pieces[behind] += rest;
  Files files(set);
  const FileId id = files.open("m");
  Window window(files, id);
  WireReader reader(window, 0, behind + 2);
  WireField field;
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.size, uint64_t{1} << 42);
  ASSERT_TRUE(reader.next(field));
  EXPECT_EQ(field.start, behind);
  EXPECT_EQ(field.value, 7u);
  EXPECT_FALSE(reader.next(field));
  EXPECT_LE(set.file.bytes_read, 2 * Window::kPageBytes);
  WireReader last(window, behind + 2, window.size());
  ASSERT_TRUE(last.next(field));
  EXPECT_EQ(field.end(), set.file.size() - (10 - 3 - rest.size()));
}

}  // namespace
}  // namespace mo::proto
