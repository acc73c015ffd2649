#include "core/base/handle_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace mo {
namespace {

/// As a port: its default is no element.
struct ListedHandle {
  int number = 0;
  bool operator==(const ListedHandle&) const = default;
  friend size_t hash_of(const ListedHandle& handle) { return static_cast<size_t>(handle.number / 2); }
};
using ListedHandles = HandleList<ListedHandle>;

std::vector<int> content_of_handles(const ListedHandles& list) {
  std::vector<int> numbers;
  for (const ListedHandle& handle : list) numbers.push_back(handle.number);
  return numbers;
}

ListedHandles counted_handles(int size) {
  ListedHandles list;
  for (int i = 1; i <= size; ++i) list.push_back({i});
  return list;
}

TEST(HandleList, HoldsWhatIsPutIn) {
  for (const int size : {0, 1, 2, 3, 100}) {
    const ListedHandles list = counted_handles(size);
    ASSERT_EQ(list.size(), static_cast<size_t>(size));
    EXPECT_EQ(list.empty(), size == 0);
    for (int i = 0; i < size; ++i) EXPECT_EQ(list.begin()[i], ListedHandle{i + 1});
  }
}

TEST(HandleList, KeepsTheOrderWhateverIsErased) {
  std::mt19937 random(1);
  for (int turn = 0; turn < 200; ++turn) {
    ListedHandles list;
    std::vector<int> expected;
    for (int number = 1; number < 120; ++number) {
      if (random() % 3 != 0 || expected.empty()) {
        list.push_back({number});
        expected.push_back(number);
      } else {
        const int erased = expected[random() % expected.size()];
        list.erase({erased});
        std::erase(expected, erased);
      }
      ASSERT_EQ(list.size(), expected.size());
      if (random() % 4 != 0) continue;
      ASSERT_EQ(content_of_handles(list), expected);
    }
    ASSERT_EQ(content_of_handles(list), expected);
  }
}

TEST(HandleList, IsEmptiedFromEitherEndInLinearTime) {
  for (const bool from_the_front : {true, false}) {
    ListedHandles list = counted_handles(1'000'000);
    for (int i = 1; i <= 1'000'000; ++i) list.erase({from_the_front ? i : 1'000'001 - i});
    EXPECT_TRUE(list.empty());
    for (int i = 1; i < 5; ++i) list.push_back({i});
    EXPECT_EQ(content_of_handles(list), (std::vector{1, 2, 3, 4}));
  }
}

TEST(HandleList, LosesEverySecondElementInLinearTime) {
  for (const bool from_the_front : {true, false}) {
    ListedHandles list = counted_handles(1'000'001);
    for (int i = 2; i <= 1'000'000; i += 2) list.erase({from_the_front ? i : 1'000'002 - i});
    ASSERT_EQ(list.size(), 500'001u);
    EXPECT_EQ(list.begin()[1], ListedHandle{3});
  }
}

TEST(HandleList, LosesElementsInAnyOrderInLinearTime) {
  constexpr int kSize = 400'000;
  std::mt19937 random(2);
  std::vector<int> order(kSize);
  std::iota(order.begin(), order.end(), 1);
  std::shuffle(order.begin(), order.end(), random);
  ListedHandles list = counted_handles(kSize);
  for (int i = 0; i < kSize - 3; ++i) {
    list.erase({order[static_cast<size_t>(i)]});
    if (i % 4 == 0) list.push_back({2 * kSize + i});
    if (i % 4 == 2) list.erase({2 * kSize + i - 2});
  }
  std::vector<int> left(order.end() - 3, order.end());
  std::sort(left.begin(), left.end());
  left.push_back(2 * kSize + kSize - 4);
  EXPECT_EQ(content_of_handles(list), left);
}

TEST(HandleList, ReplacesEachElementInLinearTime) {
  ListedHandles list = counted_handles(500'001);
  for (int i = 2; i <= 500'000; ++i) {
    list.erase({i});
    list.push_back({1'000'000 + i});
  }
  ASSERT_EQ(list.size(), 500'001u);
  EXPECT_EQ(list.begin()[1], ListedHandle{500'001});
  EXPECT_EQ(list.begin()[2], ListedHandle{1'000'002});
}

}  // namespace
}  // namespace mo
