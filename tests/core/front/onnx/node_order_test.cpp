// The order of nodes in a file: a node may come before those that it reads.
#include <gtest/gtest.h>

#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

/// The layers that read a layer's output, in the order of the edges.
std::vector<std::string> readers(const Converted& converted, const char* name) {
  const std::string id = text_of(converted.layer(name), "id");
  std::vector<std::string> out;
  const pugi::xml_node net = converted.layer(name).parent().parent();
  for (const pugi::xml_node edge : net.child("edges"))
    if (text_of(edge, "from-layer") == id)
      out.push_back(text_of(
          net.child("layers").find_child_by_attribute("layer", "id", text_of(edge, "to-layer").c_str()), "name"));
  return out;
}

TEST(NodeOrder, ReadersStayInTheOrderOfTheFile) {
  OnnxGraph graph;
  graph.input("x", "2,3");
  graph.node("Exp", {"x"}, {"before"}, {}, "before");
  graph.node("Add", {"t", "before"}, {"late"}, {}, "late");  // reads what follows
  graph.node("Abs", {"x"}, {"t"}, {}, "abs");
  graph.node("Neg", {"t"}, {"early"}, {}, "early");
  graph.node("Sin", {"t"}, {"last"}, {}, "last");
  const Converted converted = convert_model(graph.output("late").output("early").output("last"));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(readers(converted, "abs"), (std::vector<std::string>{"late", "early", "last"}));
  EXPECT_EQ(readers(converted, "x"), (std::vector<std::string>{"before", "abs"}));
}

TEST(NodeOrder, ATensorThatNothingMakesIsReportedWhereverItIsRead) {
  OnnxGraph graph;
  graph.input("x", "2");
  graph.node("Exp", {"x"}, {"a"}).node("Add", {"a", "nowhere"}, {"b"}, {}, "sum").node("Neg", {"b"}, {"c"});
  const Converted converted = convert_model(graph.output("c"));
  ASSERT_FALSE(converted.ok());
  EXPECT_EQ(converted.code(), code_text(Code::UnknownTensor));
  EXPECT_EQ(converted.message().node, "sum");
  EXPECT_EQ(converted.message().tensor, "nowhere");
}

}  // namespace
}  // namespace mo::test
