#include <gtest/gtest.h>

#include "core/rewrite/transform.h"
#include "tests/core/support/test_graph.h"

namespace mo {
std::unique_ptr<Transform> make_RemoveUnchangedStates();

namespace test {
namespace {

/// y = ReLU(the state), and the Assign of `state`, which starts with x.
struct States : testing::Test {
  OutPort of_shape(Node& node, PartialShape shape) {
    node.out().tensor().shape = std::move(shape);
    return node.out();
  }
  void assign(OutPort value, const char* state = "v") { g.add("Assign", "assign", {value}).set("variable_id", state); }
  /// Where y reads its input from.
  std::string source_after_removal() {
    make_RemoveUnchangedStates()->find_and_replace_pattern(g.graph);
    return y.source(0).node().name();
  }

  TestGraph g;
  OutPort x = of_shape(g.add("Parameter", "x"), {4}), read = of_shape(g.add("ReadValue", "read", {x}), {4});
  Node& y = g.add("ReLU", "y", {read});
};

TEST_F(States, OneThatIsAssignedToItselfIsItsFirstValue) {
  read.node().set("variable_id", "v");
  Node& shape = g.add("Const", "shape");
  assign(of_shape(g.add("Reshape", "reshape", {of_shape(g.add("Identity", "identity", {read}), {4}), shape.out()}), {4}));
  EXPECT_EQ(source_after_removal(), "x");
  EXPECT_TRUE(g.graph.nodes("Assign").empty());
}

TEST_F(States, OneThatChangesStays) {
  read.node().set("variable_id", "v");
  assign(y.out());
  EXPECT_EQ(source_after_removal(), "read");
  EXPECT_EQ(g.graph.nodes("Assign").size(), 1u);
}

TEST_F(States, OneThatGetsTheValueOfAnotherStays) {
  read.node().set("variable_id", "v");
  assign(read, "w");
  EXPECT_EQ(source_after_removal(), "read");
  EXPECT_EQ(g.graph.nodes("Assign").size(), 1u);
}

}  // namespace
}  // namespace test
}  // namespace mo
