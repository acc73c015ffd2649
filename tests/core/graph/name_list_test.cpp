#include "core/graph/name_list.h"

#include <gtest/gtest.h>

#include "core/base/error.h"

namespace mo {
namespace {

using Names = std::vector<std::string>;

TEST(NameList, HasEachNameOnceInTheOrderGiven) {
  NameList names{"b", "a", "b"};
  names.add("c");
  names.add("a");
  EXPECT_EQ(names.all(), (Names{"b", "a", "c"}));
  EXPECT_TRUE(names.has("a"));
  EXPECT_FALSE(names.has("d"));
}

TEST(NameList, IsTheSameWithAnIndex) {
  NameList names;
  Names expected;
  for (int i = 0; i < 300; ++i) {
    names.add(cat("n", i));
    names.add(cat("n", i / 2));
    expected.push_back(cat("n", i));
  }
  EXPECT_EQ(names.all(), expected);
  EXPECT_TRUE(names.has("n299"));
  EXPECT_FALSE(names.has("n300"));
  NameList copy = names;
  copy.add("n300");
  copy.add("n7");
  EXPECT_EQ(copy.size(), 301u);
  EXPECT_EQ(names.size(), 300u);
  const NameList moved = std::exchange(names, {});
  EXPECT_TRUE(names.empty());
  EXPECT_FALSE(names.has("n7"));
  EXPECT_EQ(moved.all(), expected);
}

TEST(NameList, TakesLinearTime) {
  NameList names;
  for (int i = 0; i < 300'000; ++i) names.add(std::to_string(i));
  EXPECT_EQ(names.size(), 300'000u);
}

}  // namespace
}  // namespace mo
