#include <gtest/gtest.h>

#include "core/rewrite/transform.h"
#include "tests/core/support/test_graph.h"

namespace mo {
std::unique_ptr<Transform> make_NoOpEraser();

namespace test {
namespace {

TEST(NoOpEraser, OnlyANoOpThatIsAnOutputGoes) {
  TestGraph g;
  Node& y = g.add("ReLU", "y", {g.add("Parameter", "x").out()});
  g.add("Result", "y/sink", {y.out()}, 0);
  g.add("Result", "init/sink", {g.add("NoOp", "init").out()}, 0);
  make_NoOpEraser()->find_and_replace_pattern(g.graph);
  EXPECT_TRUE(g.graph.nodes("NoOp").empty());
  ASSERT_EQ(g.graph.nodes("Result").size(), 1u);
  EXPECT_EQ(g.graph.nodes("Result")[0]->name(), "y/sink");
}

}  // namespace
}  // namespace test
}  // namespace mo
