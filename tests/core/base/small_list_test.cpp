#include "core/base/small_list.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace mo {
namespace {

using List2 = SmallList<int, 2>;

std::vector<int> content(const List2& list) { return {list.begin(), list.end()}; }

List2 counted(int size) {
  List2 list;
  for (int i = 0; i < size; ++i) list.push_back(i);
  return list;
}

TEST(SmallList, HoldsWhatIsPutInInsideAndOutside) {
  for (const int size : {0, 1, 2, 3, 100}) {
    std::vector<int> expected(static_cast<size_t>(size));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(content(counted(size)), expected);
    EXPECT_EQ(counted(size).size(), expected.size());
    EXPECT_EQ(counted(size).empty(), size == 0);
  }
}

TEST(SmallList, HasElementsByDefaultWhenItGrows) {
  List2 list = counted(2);
  list.resize(1);
  list.resize(2);
  EXPECT_EQ(content(list), (std::vector{0, 0}));
  list[1] = 7;
  list.resize(5);
  EXPECT_EQ(content(list), (std::vector{0, 7, 0, 0, 0}));
  list.resize(0);
  EXPECT_TRUE(list.empty());
}

TEST(SmallList, MovesAndIsEmptyAfterwards) {
  for (const int size : {1, 4}) {
    List2 from = counted(size);
    const std::vector<int> expected = content(from);
    List2 to = std::move(from);
    EXPECT_EQ(content(to), expected);
    EXPECT_TRUE(from.empty());  // NOLINT(bugprone-use-after-move): this is what the test is about
    // Both lists can still grow: each has the capacity that it claims.
    for (const int added : {3, 4, 5, 6, 7}) {
      from.push_back(added);
      to.push_back(added);
    }
    EXPECT_EQ(content(from), (std::vector{3, 4, 5, 6, 7}));
    EXPECT_EQ(to.size(), static_cast<size_t>(size) + 5);
    to = List2();
    EXPECT_TRUE(to.empty());
  }
}

}  // namespace
}  // namespace mo
