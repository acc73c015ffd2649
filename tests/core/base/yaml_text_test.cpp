#include "core/base/yaml_text.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace mo {
namespace {

std::string read(std::string_view text) { return read_yaml(text).dump(); }

Error failure(std::string_view text) {
  try {
    read_yaml(text);
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::Unexpected, "it is read");
}

TEST(Yaml, CollectionsAreIndented) {
  EXPECT_EQ(read("a: 1\nb:\n  c: x y\n  d:\ne: ~\n"), R"({"a":"1","b":{"c":"x y","d":null},"e":null})");
  EXPECT_EQ(read("a:\n- 1\n- b: 2\n  c: 3\n-\n  d: 4\n- - 5\n  - 6\nz: 7"),
            R"({"a":["1",{"b":"2","c":"3"},{"d":"4"},["5","6"]],"z":"7"})");
  EXPECT_EQ(read("- ToCHWImage: null\n- KeepKeys:\n    keep_keys:\n    - image\n    - shape\n"),
            R"([{"ToCHWImage":null},{"KeepKeys":{"keep_keys":["image","shape"]}}])");
  EXPECT_EQ(read("%YAML 1.1\n"), R"("%YAML 1.1")");
  EXPECT_EQ(read("# nothing\n"), "null");
  EXPECT_EQ(read("\xEF\xBB\xBF---\r\na: 1 # one\r\n...\r\nb\r\n"), R"({"a":"1"})");
}

TEST(Yaml, CollectionsInBrackets) {
  EXPECT_EQ(read("mean: [0.485, 0.456,\n  0.406]\nsize: {h: 3, w: [], 'x': }\n"),
            R"({"mean":["0.485","0.456","0.406"],"size":{"h":"3","w":[],"x":null}})");
  EXPECT_EQ(read("[[1, 2], [a b, \"c, d\"],]"), R"([["1","2"],["a b","c, d"]])");
}

TEST(Yaml, Scalars) {
  EXPECT_EQ(read("- '!'\n- ''''\n- \"\\\"\"\n- '\"'\n- \"\\u3000\\x41\\t\"\n- http://x#y\n- 1./255.\n"),
            R"(["!","'","\"","\"","　A\t","http://x#y","1./255."])");
  EXPECT_EQ(read("a: one\n  two\n  three\nb: 'four\n  five'\nc: \"six\\\n  seven\"\n"),
            R"({"a":"one two three","b":"four five","c":"sixseven"})");
  EXPECT_EQ(read("a: |\n  x: 1\n   y\n\nb: >-\n  p\n  q\nc: 1"), R"({"a":"x: 1\n y\n\n","b":"p q ","c":"1"})");
}

TEST(Yaml, TagsAreIgnoredAndSmallAnchorsKnown) {
  EXPECT_EQ(read("a: !!python/tuple [1, 2]\nb: &id [3]\nc: *id\nd: &x 4\ne: *x\n"),
            R"({"a":["1","2"],"b":["3"],"c":["3"],"d":"4","e":"4"})");
  EXPECT_EQ(read("t: &id001\n  x:\n  - - 1\n    - 3\nu: *id001\n"), R"({"t":{"x":[["1","3"]]},"u":null})");
}

TEST(Yaml, MistakesHaveTheirPlace) {
  const struct {
    const char *text, *says;
    int line, column;
  } kCases[] = {
      {"a: 1\n  b: 2\n", "a key in a text", 2, 3},
      {"a:\n    b: 1\n  c: 2\n", "it is indented in another way than what is before", 3, 3},
      {"a: 1\nb\n", "it is neither a key nor an item", 2, 1},
      {"a: 'x\n", "a quote is not closed", 2, 1},
      {"a: [1, 2\nb: 3\n", "a collection in brackets is not closed", 2, 1},
      {"? a\n: b\n", "a key that is a collection", 1, 1},
      {"a: \"\\q\"\n", "an escape that is not known", 1, 6},
      {"a: \"\\u12\"\n", "an escape without its digits", 1, 9},
      {"- x\nb: 1\n", "it is indented in another way than what is before", 2, 1},
  };
  for (const auto& one : kCases) {
    const Error error = failure(one.text);
    EXPECT_EQ(error.code(), Code::UnreadableSettings) << one.text;
    EXPECT_EQ(error.detail().text(), one.says) << one.text;
    EXPECT_EQ(error.place().line, one.line) << one.text;
    EXPECT_EQ(error.place().column, one.column) << one.text;
  }
}

TEST(Yaml, HostileTextsEnd) {
  EXPECT_EQ(failure(std::string(100'000, '[')).detail().text(), "more than 64 collections in each other");
  std::string items;
  for (int i = 0; i < 100'000; ++i) items += "- ";
  EXPECT_EQ(failure(items).detail().text(), "more than 64 collections in each other");
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string to = "a" + std::to_string(i), from = "*a" + std::to_string(i - 1);
    laughs += to + ": &" + to + " [" + from + ", " + from + ", " + from + "]\n";
  }
  EXPECT_LT(read(laughs).size(), 5'000u);
  EXPECT_EQ(read(std::string("a\0b", 3)), R"("a\u0000b")");
  // Each beginning of a text is read, or refused.
  const std::string text = "a: &x ['b', \"c\\u00e4\"]\nd:\n- {e: *x}\n- |\n  f\n- g\n  h # i\n";
  for (size_t size = 0; size <= text.size(); ++size) {
    const Code code = failure(text.substr(0, size)).code();
    EXPECT_TRUE(code == Code::Unexpected || code == Code::UnreadableSettings) << size;
  }
}

}  // namespace
}  // namespace mo
