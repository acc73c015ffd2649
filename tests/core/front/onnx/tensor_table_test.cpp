#include "core/front/onnx/load/tensor_table.h"

#include <gtest/gtest.h>

#include "core/base/text.h"
#include "core/graph/graph.h"
#include "core/ops/op_def.h"
#include "tests/core/support/memory_files.h"

namespace mo::onnx {
namespace {

TEST(TensorTable, FindsWhatWasAdded) {
  test::MemoryFiles files;
  Graph graph(std::make_shared<Model>(files, built_in_operations()));
  Node& node = graph.add_node("Split");
  constexpr int kMany = 5000;
  node.add_out_ports(kMany);
  TensorTable names;
  EXPECT_EQ(names.find("t0"), nullptr);
  names.reserve(3);  // it grows beyond that
  for (int i = 0; i < kMany; ++i) {
    EXPECT_EQ(names.find(cat("t", i)), nullptr);
    EXPECT_TRUE(names.add(cat("t", i), node.out(i)));
  }
  EXPECT_FALSE(names.add("t7", node.out(0)));
  for (int i = 0; i < kMany; ++i) {
    ASSERT_NE(names.find(cat("t", i)), nullptr);
    EXPECT_EQ(*names.find(cat("t", i)), node.out(i));
  }
  EXPECT_EQ(names.find(""), nullptr);
  EXPECT_EQ(names.find("t"), nullptr);
}

}  // namespace
}  // namespace mo::onnx
