#include "core/base/name_pattern.h"

#include <gtest/gtest.h>

#include "tests/core/front/config_graphs.h"

namespace mo {
namespace {

bool matches(std::string_view pattern, std::string_view name) { return NamePattern(pattern).matches(name); }

TEST(NamePattern, MatchesFromTheStartOn) {
  EXPECT_TRUE(matches("ab", "abc"));
  EXPECT_FALSE(matches("bc", "abc"));
  EXPECT_TRUE(matches(".*bc", "abc"));
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("a", ""));
}

TEST(NamePattern, ReadsWhatPythonReads) {
  EXPECT_TRUE(matches("a$", "a"));
  EXPECT_TRUE(matches("a$", "a\n"));
  EXPECT_FALSE(matches("a\\Z", "a\n"));
  EXPECT_FALSE(matches("a$", "ab"));
  EXPECT_TRUE(matches("(a|bc)d$", "bcd"));
  EXPECT_FALSE(matches("(a|bc)d$", "bd"));
  EXPECT_TRUE(matches("a|b|c$", "c"));
  EXPECT_TRUE(matches("(?:a)(?P<n>b)$", "ab"));
  EXPECT_TRUE(matches("a{2,3}$", "aaa"));
  EXPECT_FALSE(matches("a{2,3}$", "aaaa"));
  EXPECT_FALSE(matches("a{2,3}$", "a"));
  EXPECT_TRUE(matches("a{2,}$", "aaaaa"));
  EXPECT_TRUE(matches("a{,1}b", "b"));
  EXPECT_TRUE(matches("a{2}$", "aa"));
  EXPECT_TRUE(matches("a{x}$", "a{x}"));
  EXPECT_TRUE(matches("{}$", "{}"));
  EXPECT_TRUE(matches("a+?b??c*?$", "aacc"));
  EXPECT_TRUE(matches("[a-c\\d_-]+$", "a1_-c"));
  EXPECT_FALSE(matches("[a-c]$", "d"));
  EXPECT_TRUE(matches("[^a-c]$", "d"));
  EXPECT_FALSE(matches("[^a-c]$", "b"));
  EXPECT_TRUE(matches("[]a]+$", "a]"));
  EXPECT_TRUE(matches("\\w+\\s\\W\\D\\S$", "a_1 -x!"));
  EXPECT_FALSE(matches("\\d", "a"));
  EXPECT_TRUE(matches("\\x41\\u0042\\.$", "AB."));
  EXPECT_FALSE(matches(".", "\n"));
  EXPECT_TRUE(matches("conv\\b", "conv/x"));
  EXPECT_FALSE(matches("conv\\b", "conv2"));
  EXPECT_TRUE(matches("conv\\B", "conv2"));
  EXPECT_TRUE(matches("^^a", "a"));
  EXPECT_TRUE(matches("(a*)*b", "aab"));
  EXPECT_TRUE(matches("(|a)+$", "aaa"));
}

TEST(NamePattern, WorksOnCodePoints) {
  EXPECT_TRUE(matches("^.$", "\xC3\xA9"));
  EXPECT_TRUE(matches("[\xC3\xA8-\xC3\xAA]$", "\xC3\xA9"));
  EXPECT_TRUE(matches("\xE2\x82\xAC?$", ""));
  EXPECT_TRUE(matches("..$", "\xFF\xC3"));  // broken UTF-8: each byte is a character of its own
}

TEST(NamePattern, TellsHowFarItCanMatch) {
  EXPECT_EQ(NamePattern(".*a").match_lengths("xaya"), (std::vector<size_t>{2, 4}));
  EXPECT_EQ(NamePattern("b").match_lengths("a"), std::vector<size_t>());
}

TEST(NamePattern, EscapedNamesMatchThemselves) {
  const std::string name = "a.b*c+d?e(f)[g]{1}|^$\\h";
  EXPECT_TRUE(matches("^" + NamePattern::escape(name) + "$", name));
  EXPECT_FALSE(matches(NamePattern::escape("a.b"), "axb"));
}

TEST(NamePattern, RefusesWithAPlace) {
  const auto refused = [](std::string_view pattern, const std::string& part) {
    test::expect_error(Code::BadNamePattern, part, [&] { NamePattern::from_user(pattern); });
  };
  refused("a(b", "a ( without its ) at character 4");
  refused("a)b", "a ) without its ( at character 2");
  refused("*a", "nothing to repeat");
  refused("^*", "nothing to repeat");
  refused("a**", "multiple repeat");
  refused("a*{2}", "multiple repeat");
  refused("[a", "ends too early");
  refused("[b-a]", "a range whose end");
  refused("a{3,2}", "a count whose end");
  refused("a\\", "ends too early");
  refused("(?=a)", "not supported");
  refused("(?i)a", "not supported");
  refused("(a)\\1", "back references");
  refused("\\q", "escape that is not known");
  refused("a{9999}", "repeats too much");
  refused("((a{1000}){1000}){1000}", "repeats too much");
  refused(std::string(1001, 'a'), "1001 characters");
  refused(std::string(500, '('), "nest too deeply");
}

TEST(NamePattern, HostilePatternsTakeNoLongerThanOthers) {
  const std::string name(10000, 'a');
  EXPECT_FALSE(matches("(a+)+b$", name));
  EXPECT_FALSE(matches("(a|aa|a)*b$", name));
  EXPECT_FALSE(matches(".*.*.*.*.*.*.*.*b$", name));
  std::string optional;
  for (int i = 0; i < 100; ++i) optional += "a?";
  EXPECT_TRUE(matches(optional + "a{100}", name));
}

}  // namespace
}  // namespace mo
