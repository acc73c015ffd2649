// Matrices and vectors of Kaldi's files as places and recipes.

#include <cmath>

#include "core/front/kaldi/load/matrix.h"
#include "tests/core/front/kaldi/kaldi_file.h"

namespace mo::test {
namespace {

struct ReadMatrix {
  explicit ReadMatrix(const std::string& content, bool is_vector = false) {
    file = &set.put("m", bytes_of(std::vector<char>(content.begin(), content.end())));
    kaldi::Stream stream(files, files.open_given("m"));
    constant = is_vector ? kaldi::read_vector(stream) : kaldi::read_matrix(stream);
    left = stream.left();
  }
  std::vector<float> values() { return values_of<float>(read_all(constant, files, 1 << 24).value()); }

  MemoryFiles set;
  Files files{set};
  MemoryFile* file = nullptr;
  Constant constant;
  uint64_t left = 0;
};

std::string refusal(const std::string& content, bool is_vector = false) {
  try {
    ReadMatrix read(content, is_vector);
  } catch (const Error& error) {
    const Place& at = error.place();
    return "MO" + std::to_string(static_cast<int>(error.code())) + " " + error.detail().text() + " @" +
           std::to_string(at.offset >= 0 ? at.offset : at.line * 100 + at.column);
  }
  return {};
}

TEST(KaldiMatrices, BinaryOnesAreSlices) {
  ReadMatrix read(KaldiFile(true).matrix(2, 3, {1, 2, 3, 4, 5, 6}).token("<End>").text());
  ASSERT_EQ(read.constant.content->kind(), Content::Kind::Slice);
  EXPECT_EQ(static_cast<const SliceContent&>(*read.constant.content).offset, 15u);
  EXPECT_EQ(read.constant.shape, (Shape{2, 3}));
  EXPECT_EQ(read.left, 6u);
  ReadMatrix wide(KaldiFile(true).token("DM").i(1).i(2).all(std::vector<double>{0.5, -3}).text());
  EXPECT_EQ(wide.constant.type, ElementType::F64);
  EXPECT_EQ(read_doubles(wide.constant, wide.files), (std::vector<double>{0.5, -3}));
  ReadMatrix vector(KaldiFile(true).token("DV").i(1).raw(2.5).text(), true);
  EXPECT_EQ(vector.constant.type, ElementType::F64);
  EXPECT_EQ(ReadMatrix(KaldiFile(true).matrix(0, 0, {}).text()).constant.shape, (Shape{0, 0}));
}

TEST(KaldiMatrices, CompressedOnesAreDecoded) {
  KaldiFile words(true);
  words.token("CM2").raw(-1.0f).raw(2.0f).raw<int32_t>(2).raw<int32_t>(2).all(
      std::vector<uint16_t>{0, 65535, 13107, 26214});
  const std::vector<float> expected{-1, 1, -0.6f, -0.2f};
  ReadMatrix two(words.text());
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(two.values()[i], expected[i], 1e-6) << i;
  EXPECT_EQ(two.left, 0u);
  KaldiFile bytes(true);
  bytes.token("CM3").raw(-1.0f).raw(2.0f).raw<int32_t>(1).raw<int32_t>(3).all(std::vector<uint8_t>{0, 255, 51});
  ReadMatrix one(bytes.text());
  EXPECT_NEAR(one.values()[1], 1, 1e-6);
  EXPECT_NEAR(one.values()[2], -0.6, 1e-6);
  // Two columns of three rows: those of a column follow each other.
  KaldiFile columns(true);
  columns.token("CM").raw(0.0f).raw(65535.0f).raw<int32_t>(3).raw<int32_t>(2);
  columns.all(std::vector<uint16_t>{0, 64, 192, 255, 1000, 2000, 4000, 10300});
  columns.all(std::vector<uint8_t>{10, 100, 255, 32, 128, 223});
  ReadMatrix each(columns.text());
  EXPECT_EQ(each.constant.shape, (Shape{3, 2}));
  const std::vector<float> by_rows{10, 1500, 100, 3000, 255, 4000 + 6300 * 31.0f / 63};
  for (size_t i = 0; i < 6; ++i) EXPECT_NEAR(each.values()[i], by_rows[i], 1e-2) << i;
  EXPECT_EQ(ReadMatrix(KaldiFile(true).token("CM").raw(0.0f).raw(0.0f).raw<int64_t>(0).text()).constant.elements(), 0u);
}

TEST(KaldiMatrices, TextsAreReadWhenTheyAreNeeded) {
  ReadMatrix read(" [\n  1 -2.5e-3\n  INF nan ]\n<Next>");
  EXPECT_EQ(read.constant.content->kind(), Content::Kind::Recipe);
  EXPECT_EQ(read.constant.shape, (Shape{2, 2}));
  EXPECT_EQ(read.values()[1], -2.5e-3f);
  EXPECT_TRUE(std::isinf(read.values()[2]));
  EXPECT_TRUE(std::isnan(read.values()[3]));
  EXPECT_EQ(ReadMatrix("[ 1 2; 3 4 ]").values(), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(ReadMatrix("[ 1 2\r\n 3 4\r\n]\r\n").values(), (std::vector<float>{1, 2, 3, 4}));
  for (const char* empty : {"[]", " [ ]\n", "[\n]"})
    EXPECT_EQ(ReadMatrix(empty).constant.shape, (Shape{0, 0})) << empty;
  EXPECT_EQ(ReadMatrix(" [ ]\n", true).constant.shape, Shape{0});
  EXPECT_EQ(ReadMatrix(" [ 1 -infinity ]", true).values()[1], -INFINITY);
}

TEST(KaldiMatrices, TextsAreReadFromAnyElementOnAndNotKept) {
  std::string text = "[";
  constexpr size_t kRows = 300, kColumns = 100;
  for (size_t i = 0; i < kRows * kColumns; ++i) text += (i % kColumns == 0 ? "\n " : " ") + std::to_string(i);
  ReadMatrix read(text + " ]");
  ASSERT_EQ(read.constant.shape, (Shape{kRows, kColumns}));
  const auto reader = read.constant.content->open(read.files);
  for (const size_t from : {20000u, 4095u, 4096u, 29999u, 0u, 17u, 12288u}) {
    float value = -1;
    reader->read(from * sizeof(float), std::as_writable_bytes(std::span(&value, 1)));
    EXPECT_EQ(value, static_cast<float>(from));
  }
  const Constant column = slice(read.constant, 1, 7, 8);
  EXPECT_EQ(values_of<float>(read_all(column, read.files, 1 << 20).value())[299], 29907);
  EXPECT_LE(read.file->largest_read, Window::kPageBytes);
}

TEST(KaldiMatrices, SizesAreCheckedBeforeTheyAreUsed) {
  const auto sized = [](const std::string& token, int32_t rows, int32_t columns) {
    return KaldiFile(true).token(token).i(rows).i(columns).raw(1.0f).text();
  };
  EXPECT_EQ(refusal(sized("FM", 1000, 1000)), "MO1004 [1000, 1000] has 1000000 elements @2");
  EXPECT_EQ(refusal(sized("FM", INT32_MAX, INT32_MAX)),
            "MO1004 [2147483647, 2147483647] has 4611686014132420609 elements @2");
  EXPECT_EQ(refusal(sized("DM", -1, 2)), "MO1005 a matrix of -1 rows and 2 columns @2");
  EXPECT_EQ(refusal(sized("FM", 0, 2)), "MO1005 a matrix of 0 rows and 2 columns @2");
  EXPECT_EQ(refusal(sized("FV", 1, 2)), "MO1005 FV is where a matrix should be @2");
  EXPECT_EQ(refusal(KaldiFile(true).token("FV").i(-1).text(), true), "MO1005 a vector of -1 elements @2");
  EXPECT_EQ(refusal(KaldiFile(true).token("FV").i(9).text(), true), "MO1004 [9] has 9 elements @2");
  EXPECT_EQ(refusal(KaldiFile(true).token("FM").raw<int8_t>(8).raw(1.0).text()),
            "MO1005 a whole number of 8 bytes, want 4 @5");
  const auto compressed = [](const std::string& token, float range, int32_t rows, int32_t columns) {
    return KaldiFile(true).token(token).raw(0.0f).raw(range).raw(rows).raw(columns).text();
  };
  EXPECT_EQ(refusal(compressed("CM", 1, 5, 5)), "MO1004 [5, 5] has 25 elements @2");
  EXPECT_EQ(refusal(compressed("CM2", 1, -5, 5)), "MO1005 a matrix of -5 rows and 5 columns @2");
  EXPECT_EQ(refusal(compressed("CM3", 1, INT32_MAX, INT32_MAX)),
            "MO1004 [2147483647, 2147483647] has 4611686014132420609 elements @2");
  EXPECT_EQ(refusal(compressed("CM3", NAN, 1, 1)), "MO1005 a compressed matrix without a range of its values @2");
  EXPECT_EQ(refusal(compressed("CM4", 1, 1, 1)), "MO1005 CM4 is where a matrix should be @2");
}

TEST(KaldiMatrices, TextsAreVerified) {
  EXPECT_EQ(refusal("[ 1 2\n 3 ]"), "MO1005 a row of 1 numbers in a matrix of 2 columns @203");
  EXPECT_EQ(refusal("[ 1 2\n 3 x ]"), "MO1005 x is where a number should be @204");
  EXPECT_EQ(refusal("[ 1 1e39 ]"), "MO1005 1e39 is where a number should be @105");
  EXPECT_EQ(refusal("[ 1 0x10 ]"), "MO1005 0x10 is where a number should be @105");
  EXPECT_EQ(refusal("[ 1 2"), "MO1004 the file ends before the model does @106");
  EXPECT_EQ(refusal("1 2 ]"), "MO1005 1 is where [ should be @101");
  EXPECT_EQ(refusal("[ 1 2\n 3 ]", true), "MO1005 a line ends in a vector @106");
  EXPECT_EQ(refusal(""), "MO1004 the file ends before the model does @101");
}

}  // namespace
}  // namespace mo::test
