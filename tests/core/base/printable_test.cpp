// Text that is safe for people and in JSON. The package has the same functions: tests/js/printable.test.ts.
#include <gtest/gtest.h>

#include "core/base/json_text.h"
#include "core/base/text.h"

namespace mo {
namespace {

struct Case {
  std::string_view hex, people, lines, json;
};
constexpr Case kCases[] = {
#define MO_UNSAFE(first, last)
#define MO_TEXT(hex, people, lines, json) {hex, people, lines, json},
#include "tests/core/base/unsafe_text.def"
#undef MO_TEXT
#undef MO_UNSAFE
};
constexpr uint32_t kUnsafe[][2] = {
#define MO_UNSAFE(first, last) {first, last},
#define MO_TEXT(hex, people, lines, json)
#include "tests/core/base/unsafe_text.def"
};

std::string bytes_of(std::string_view hex) {
  std::string out;
  for (size_t i = 0; i < hex.size(); i += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return out;
}

TEST(Printable, EscapesWhatIsUnsafe) {
  for (const Case& row : kCases) {
    const std::string text = bytes_of(row.hex);
    EXPECT_EQ(printable(text), row.people) << row.hex;
    EXPECT_EQ(printable_lines(text), row.lines) << row.hex;
    EXPECT_EQ(printable_json(text), row.json) << row.hex;
    EXPECT_EQ(printable(printable(text)), printable(text)) << row.hex;
  }
}

TEST(Printable, KnowsEachCharacter) {
  for (uint32_t code = 0; code <= 0x10ffff; ++code) {
    bool listed = false;
    for (const auto& [first, last] : kUnsafe) listed |= code >= first && code <= last;
    ASSERT_EQ(is_unsafe(code), listed) << std::hex << code;
  }
}

TEST(Printable, NamesOfFilesLoseWhatIsUnsafe) {
  EXPECT_EQ(without_unsafe("a\xE2\x80\xAE"
                           "b\x1b"
                           "c"),
            "a_b_c");
  EXPECT_TRUE(has_unsafe("a\xC2\x9B"));
  EXPECT_FALSE(has_unsafe("a\xFF ä"));
}

TEST(Printable, JsonKeepsTheNamesOfTheIr) {
  EXPECT_EQ(json_text("a\xE2\x80\xAE\"\\"), R"("a\u202e\"\\")");
  EXPECT_EQ(json_text("a\x1b"), "\"a\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace mo
