#include "core/base/json/json_reader.h"

#include <gtest/gtest.h>

#include "core/base/json/json_values.h"
#include "core/base/text.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// Writes down what it is told: "3:7" is line 3, column 7.
class Log final : public JsonEvents {
 public:
  explicit Log(size_t most = SIZE_MAX) : most_(most) {}
  bool scalar(const JsonScalar& value, const JsonPlace& place) override {
    const char* const kinds[] = {"null", "bool", "int", "uint", "float", "text"};
    std::string text = kinds[value.index()];
    if (const auto* integer = std::get_if<int64_t>(&value)) text += " " + std::to_string(*integer);
    if (const auto* number = std::get_if<double>(&value)) text += " " + format_double(*number);
    if (const auto* string = std::get_if<std::string_view>(&value)) text += " " + std::string(*string);
    return add(text, place);
  }
  bool key(std::string_view name, const JsonPlace& place) override { return add("key " + std::string(name), place); }
  bool begin(bool is_object, const JsonPlace& place) override { return add(is_object ? "{" : "[", place); }
  bool end(const JsonPlace& place) override { return add("end", place); }

  std::vector<std::string> lines;
  std::vector<uint64_t> offsets;

 private:
  bool add(const std::string& text, const JsonPlace& place) {
    lines.push_back(cat(text, " ", place.line, ":", place.column));
    offsets.push_back(place.offset);
    return lines.size() < most_;
  }
  size_t most_;
};

/// "TruncatedFile 1:5", or "" if it reads.
std::string failure(std::string_view text, JsonLimits limits = {}) {
  test::Fixture f(bytes_of(text));
  Window window(f.files, f.id);
  Log log;
  try {
    read_json(window, limits, log);
  } catch (const Error& error) {
    return cat(info(error.code()).name, " ", error.place().line, ":", error.place().column);
  }
  return "";
}

TEST(JsonReader, TellsEachTokenWithItsPlace) {
  test::Fixture f(bytes_of("{\"a\": [1, -2,\n  3.5, \"t\\n\\u00e9\"],\n \"b\":{}, \"c\":null,\"d\":true }\n"));
  Window window(f.files, f.id);
  Log log;
  EXPECT_TRUE(read_json(window, {}, log));
  EXPECT_EQ(log.lines,
            (std::vector<std::string>{"{ 1:1", "key a 1:2", "[ 1:7", "int 1 1:8", "int -2 1:11", "float 3.5 2:3",
                                      "text t\n\xC3\xA9 2:8", "end 2:19", "key b 3:2", "{ 3:6", "end 3:7", "key c 3:10",
                                      "null 3:14", "key d 3:19", "bool 3:23", "end 3:28"}));
  EXPECT_EQ(log.offsets[5], 16u);
}

TEST(JsonReader, ReadsAPartOfAFile) {
  test::Fixture f(bytes_of("{\"a\": [1, 18446744073709551615, 9223372036854775807]}"));
  Window window(f.files, f.id);
  Log log;
  EXPECT_TRUE(read_json(window, 6, 52, {}, log));
  EXPECT_EQ(log.lines,
            (std::vector<std::string>{"[ 1:1", "int 1 1:2", "uint 1:5", "int 9223372036854775807 1:27", "end 1:46"}));
}

TEST(JsonReader, StopsWhenItIsTold) {
  test::Fixture f(bytes_of("[1, 2, 3"));
  Window window(f.files, f.id);
  Log log(3);
  EXPECT_FALSE(read_json(window, {}, log));
  EXPECT_EQ(log.lines.size(), 3u);
}

TEST(JsonReader, SaysWhereATextIsNoJson) {
  EXPECT_EQ(failure("[1, 2]"), "");
  EXPECT_EQ(failure(""), "TruncatedFile 1:1");
  EXPECT_EQ(failure("{\"a\":\n [1, 2"), "TruncatedFile 2:7");
  EXPECT_EQ(failure("{\"a\": \"b"), "TruncatedFile 1:9");
  EXPECT_EQ(failure("[1,\n }"), "CorruptFile 2:2");
  EXPECT_EQ(failure("[1] 2"), "CorruptFile 1:5");
  EXPECT_EQ(failure("[nul]"), "CorruptFile 1:5");
  EXPECT_EQ(failure("[NaN]"), "CorruptFile 1:2");
  EXPECT_EQ(failure("[1e999]"), "CorruptFile 1:2");
  EXPECT_EQ(failure("[\"\xff\"]"), "CorruptFile 1:3");
  EXPECT_EQ(failure("{1: 2}"), "CorruptFile 1:3");
}

TEST(JsonReader, LimitsLengthDepthAndTokens) {
  EXPECT_EQ(failure("[1, 2]", {.bytes = 5}), "CorruptFile 1:1");
  EXPECT_EQ(failure("[[[]]]", {.depth = 3}), "");
  EXPECT_EQ(failure("[[[1]], [[\n[[]]]]]", {.depth = 4}), "TooDeep 2:2");
  EXPECT_EQ(failure(std::string(1'000'000, '[')), "TooDeep 1:1001");
  EXPECT_EQ(failure("[\"" + std::string(100, 'x') + "\"]", {.token = 102}), "");
  EXPECT_EQ(failure("[\"" + std::string(200, 'x') + "\"]", {.token = 102}), "CorruptFile 1:2");
  EXPECT_EQ(failure("[" + std::string(200, '1') + "]", {.token = 102}), "CorruptFile 1:2");
  EXPECT_EQ(failure("[1" + std::string(200, ' ') + "]", {.token = 102}), "CorruptFile 1:2");
}

/// A text without an end must not be read to the file's.
TEST(JsonReader, ReadsNoMoreThanAToken) {
  std::string text = "[\"" + std::string(4 << 20, 'x');
  test::Fixture f(bytes_of(text));
  Window window(f.files, f.id);
  Log log;
  EXPECT_THROW(read_json(window, {.token = 1 << 16}, log), Error);
  EXPECT_LE(f.file.bytes_read, 3 * Window::kPageBytes);
}

TEST(JsonValues, GiveBackWhatWasRead) {
  const std::string longer(300, 'x');
  test::Fixture f(bytes_of(cat("{\"a\": [1, -2147483649, 2.5,\n 9223372036854775808, true, null],\n\n \"\": \"", longer,
                               "\", \"", longer, "\": {\"z\": -7}}")));
  Window window(f.files, f.id);
  JsonValues values = read_json_values(window, 0, window.size(), {}, 100);
  const JsonValue root(values, 0), list = root["a"];
  ASSERT_EQ(list.count(), 6u);
  EXPECT_EQ(list.at(0).integer(), 1);
  EXPECT_EQ(list.at(1).integer(), -2147483649);
  EXPECT_EQ(list.at(2).number(), 2.5);
  EXPECT_EQ(list.at(3).number(), 9223372036854775808.0);
  EXPECT_EQ(list.at(4).boolean(), true);
  EXPECT_TRUE(list.at(5).is(JsonValues::Kind::Null));
  EXPECT_FALSE(list.at(6));
  EXPECT_EQ(root[""].text(), longer);
  EXPECT_EQ(root[longer]["z"].integer(), -7);
  EXPECT_EQ(list.at(2).line(), 1);
  EXPECT_EQ(list.at(3).line(), 2);
  EXPECT_EQ(list.at(3).column(), 2);
  EXPECT_EQ(root[longer].line(), 4);
  // Cut back to before the second number, and go on in another line.
  values.cut(3);
  EXPECT_EQ(values.size(), 3u);
  values.add(int64_t{1} << 40, "k", {.offset = 0, .line = 9, .column = 5});
  values.add(0.5, "", {.offset = 0, .line = 9, .column = 8});
  values.close(1);
  values.close(0);
  EXPECT_EQ(list.count(), 3u);
  EXPECT_EQ(list.at(0).integer(), 1);
  EXPECT_EQ(list.at(0).line(), 1);
  EXPECT_EQ(list.at(1).integer(), int64_t{1} << 40);
  EXPECT_EQ(list.at(1).key(), "k");
  EXPECT_EQ(list.at(1).line(), 9);
  EXPECT_EQ(list.at(2).number(), 0.5);
}

}  // namespace
}  // namespace mo
