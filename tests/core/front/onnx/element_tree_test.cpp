#include "core/front/onnx/decompose/element_tree.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ops/op_def.h"
#include "tests/core/support/memory_files.h"

namespace mo::onnx {
namespace {

TEST(ElementTree, HasWhatAListHasAndLeavesOlderTreesAsTheyAre) {
  test::MemoryFiles files;
  Graph graph(std::make_shared<Model>(files, built_in_operations()));
  Node& node = graph.add_node("Sequence");
  node.add_in_ports(400);
  std::mt19937 random(1);
  std::vector<ElementTree> trees(1);
  std::vector<std::vector<InPort>> expected(1);
  for (int i = 0; i < node.in_count(); ++i) {
    const size_t from = random() % trees.size();
    std::vector<InPort> list = expected[from];
    const auto at = [&](size_t position) { return list.begin() + static_cast<std::ptrdiff_t>(position); };
    if (!list.empty() && random() % 4 == 0) {
      const size_t position = random() % list.size();
      list.erase(at(position));
      trees.push_back(trees[from].without(position));
    } else {
      const size_t position = random() % (list.size() + 1);
      list.insert(at(position), node.in(i));
      trees.push_back(trees[from].with(position, node.in(i)));
    }
    expected.push_back(list);
  }
  for (size_t i = 0; i < trees.size(); ++i) {
    ASSERT_EQ(trees[i].size(), expected[i].size());
    ASSERT_EQ(trees[i].elements(), expected[i]);
    for (size_t at = 0; at < expected[i].size(); ++at) ASSERT_EQ(trees[i].at(at), expected[i][at]);
  }
}

TEST(ElementTree, GrowsAtOnePlaceWithoutBecomingDeep) {
  test::MemoryFiles files;
  Graph graph(std::make_shared<Model>(files, built_in_operations()));
  Node& node = graph.add_node("Sequence");
  node.add_in_ports(100'000);
  ElementTree tree;
  for (int i = 0; i < node.in_count(); ++i) tree = tree.with(0, node.in(i));
  EXPECT_EQ(tree.at(0), node.in(99'999));
  EXPECT_EQ(tree.at(99'999), node.in(0));
}

}  // namespace
}  // namespace mo::onnx
