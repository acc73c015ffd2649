// How many nodes the search tries in large graphs. The test limits this number, which does not depend on the machine;
// the time is only printed.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "core/graph/pattern.h"
#include "tests/core/support/test_graph.h"

namespace mo {
namespace {

constexpr int kNodes = 100000;

class PatternSpeed : public testing::Test, protected test::TestGraph {
 protected:
  struct Outcome {
    size_t matches;
    uint64_t steps;
  };
  Outcome search(const Pattern& pattern, bool with_data = false) {
    const auto begin = std::chrono::steady_clock::now();
    uint64_t steps = 0;
    const size_t matches = find_matches(graph, pattern, with_data, &steps).size();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    std::printf("%zu matches, %llu steps, %.3f s\n", matches, static_cast<unsigned long long>(steps), seconds.count());
    return {matches, steps};
  }

  /// A chain of operations; their ops repeat the given ones.
  void fill(const std::vector<const char*>& ops) {
    OutPort last = add("Parameter", "x");
    for (int i = 0; i < kNodes; ++i) last = add(ops[static_cast<size_t>(i) % ops.size()], cat("n", i), {last});
  }

  /// A chain of six.
  static Pattern chain(const std::vector<const char*>& ops) {
    Pattern pattern;
    for (size_t i = 0; i < 6; ++i) {
      pattern.nodes.push_back({cat("v", i), {{"op", ops[i % ops.size()]}}});
      if (i != 0) pattern.edges.push_back({cat("v", i - 1), cat("v", i)});
    }
    return pattern;
  }
};

TEST_F(PatternSpeed, AChainOfSixInAHundredThousandNodes) {
  fill({"Relu", "Exp", "Abs", "Tanh", "Log", "Sqrt"});
  const Outcome outcome = search(chain({"Relu", "Exp", "Abs", "Tanh", "Log", "Sqrt"}));
  EXPECT_EQ(outcome.matches, 16666u);
  EXPECT_LE(outcome.steps, 2u * kNodes);
}

TEST_F(PatternSpeed, AChainOfTheMostFrequentOperation) {
  fill({"Relu"});
  const Outcome outcome = search(chain({"Relu"}));
  EXPECT_EQ(outcome.matches, kNodes - 5u);
  EXPECT_LE(outcome.steps, 12u * kNodes);
}

TEST_F(PatternSpeed, AnOperationThatIsNotThereEndsTheSearchAtOnce) {
  fill({"Relu"});
  EXPECT_EQ(search(chain({"Relu", "Mish"})).steps, 0u);
}

TEST_F(PatternSpeed, TheRarestOperationIsTheFirstTried) {
  fill({"Relu"});
  Node& mish = add("Mish", "mish", {*graph.find("n50000")});
  add("Relu", "behind", {mish});
  const Outcome outcome = search({{{"a"}, {"b", {{"op", "Mish"}}}, {"c"}}, {{"a", "b"}, {"b", "c"}}});
  EXPECT_EQ(outcome.matches, 1u);
  EXPECT_LE(outcome.steps, 10u);
}

TEST_F(PatternSpeed, AHubOfManyConsumersIsNotWalkedForEachOfThem) {
  Node& shared = add("Const", "shared");
  for (int i = 0; i < kNodes / 2; ++i) {
    Node& first = add("Mul", "m", {add("Parameter", "x"), shared});
    add("Add", "a", {first, shared});
  }
  const Outcome outcome = search({{{"c", {{"op", "Const"}}}, {"m", {{"op", "Mul"}}}, {"a", {{"op", "Add"}}}},
                                  {{"c", "m"}, {"c", "a"}, {"m", "a"}}});
  EXPECT_EQ(outcome.matches, kNodes / 2u);
  EXPECT_LE(outcome.steps, 3u * kNodes);
}

TEST_F(PatternSpeed, AConcatOfManyInputs) {
  Node& concat = graph.add_node("Concat", "c");
  concat.add_in_ports(10000);
  concat.add_out_ports(1);
  for (int i = 0; i < 10000; ++i) concat.in(i).connect(add("Relu", "r"));
  const Outcome outcome = search({{{"r", {{"op", "Relu"}}}, {"c", {{"op", "Concat"}}}}, {{"r", "c"}}});
  EXPECT_EQ(outcome.matches, 10000u);
  EXPECT_LE(outcome.steps, 30000u);
}

TEST_F(PatternSpeed, DataNodesCostTwiceAsMuch) {
  fill({"Relu"});
  Pattern pattern;
  for (size_t i = 0; i < 6; ++i) {
    pattern.nodes.push_back({cat("v", i), {{"kind", i % 2 == 0 ? "op" : "data"}}});
    if (i != 0) pattern.edges.push_back({cat("v", i - 1), cat("v", i)});
  }
  const Outcome outcome = search(pattern, true);
  EXPECT_EQ(outcome.matches, kNodes - 2u);
  EXPECT_LE(outcome.steps, 14u * kNodes);
}

}  // namespace
}  // namespace mo
