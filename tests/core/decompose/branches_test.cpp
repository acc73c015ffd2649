// Operations behind an If whose branches differ in rank: where they go, warnings, bounds.
#include <gtest/gtest.h>

#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

/// y = If(c) {ReLU of x} {Unsqueeze of x}: [N, 3] or [1, N, 3].
OnnxGraph two_ranks() {
  OnnxGraph then_branch, else_branch, graph;
  then_branch.node("Relu", {"x"}, {"a"}).output("a");
  else_branch.node("Unsqueeze", {"x", "first"}, {"b"}).output("b");
  graph.input("c", "", OnnxGraph::kBool).input("x", "N,3").weight(onnx_ints("first", {1}, {0}));
  graph.node("If", {"c"}, {"y"},
             {onnx_graph_attribute("then_branch", then_branch), onnx_graph_attribute("else_branch", else_branch)},
             "if");
  return graph;
}

Extensions* const kNone = nullptr;

TEST(MoveIntoBranches, TheLayersBehindAreThereOncePerBranch) {
  OnnxGraph graph = two_ranks();
  graph.node("Neg", {"y"}, {"n"}).node("ReduceMax", {"n"}, {"z"}, {onnx_attribute("keepdims", int64_t{0})});
  const Converted converted = convert_model(graph.output("z"));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_TRUE(converted.layers("Negative").empty());
  const pugi::xml_node owner = converted.layers("If").at(0);
  for (const char* body : {"then_body", "else_body"})
    EXPECT_TRUE(owner.child(body).child("layers").find_child_by_attribute("layer", "type", "Negative")) << body;
  // Nothing reads the output of two ranks, so it is removed.
  const auto ports = owner.child("output").children("port");
  EXPECT_EQ(std::distance(ports.begin(), ports.end()), 1);
  EXPECT_EQ(converted.message().code, "");
}

TEST(MoveIntoBranches, SwitchedOffItLeavesTheModelAndAWarning) {
  OnnxGraph graph = two_ranks();
  graph.node("ReduceMax", {"y"}, {"z"}, {onnx_attribute("keepdims", int64_t{0})});
  const Converted converted = convert_model(graph.output("z"), kNone, {{"disabled_transforms", "MoveIntoBranches"}});
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.code(), code_text(Code::RanksOfBranchesDiffer));
  EXPECT_EQ(converted.layers("ReduceMax").size(), 1u);
}

TEST(MoveIntoBranches, AnOutputOfTwoRanksIsWarnedOfWithTheOption) {
  const Converted converted = convert_model(two_ranks().node("Exp", {"y"}, {"z"}).output("z"));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.message().severity, Message::Severity::Warning);
  EXPECT_EQ(converted.code(), code_text(Code::RanksOfBranchesDiffer));
  EXPECT_EQ(converted.message().node, "if");
  EXPECT_NE(converted.message().hint.find("--input_shape"), std::string::npos);
}

TEST(MoveIntoBranches, ABranchThatIsLeftOutIsReported) {
  OnnxGraph graph = two_ranks();
  graph.weight(onnx_floats("w", {3, 1}, {1, 2, 3})).node("Gemm", {"y", "w"}, {"z"}, {}, "gemm").output("z");
  const Converted converted = convert_model(graph);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.code(), code_text(Code::BranchLeftOut));
  EXPECT_EQ(converted.message().node, "gemm");
  EXPECT_TRUE(converted.layers("If").empty());
}

TEST(MoveIntoBranches, AChainThatNeverAgreesEndsAtTheBound) {
  OnnxGraph graph = two_ranks();
  std::string last = "y";
  constexpr int kNodes = 3000;
  for (int i = 0; i < kNodes; ++i) {
    const std::string next = cat("v", i);
    graph.node("Sin", {last}, {next});
    last = next;
  }
  const Converted converted = convert_model(graph.output(last));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.code(), code_text(Code::RanksOfBranchesDiffer));
  // Each branch has 1,000. The other 2,000 stay behind the If.
  EXPECT_EQ(converted.layers("Sin").size(), 2000u);
}

TEST(MoveIntoBranches, IfsBehindEachOtherEnd) {
  OnnxGraph graph = two_ranks();
  std::string last = "y";
  for (int i = 0; i < 40; ++i) {
    const std::string next = cat("y", i), a = cat("a", i), b = cat("b", i);
    OnnxGraph then_branch, else_branch;
    then_branch.node("Relu", {last}, {a}).output(a);
    else_branch.node("Unsqueeze", {last, "first"}, {b}).output(b);
    graph.node("If", {"c"}, {next},
               {onnx_graph_attribute("then_branch", then_branch), onnx_graph_attribute("else_branch", else_branch)});
    last = next;
  }
  const Converted converted = convert_model(graph.node("ReduceMax", {last}, {"z"}).output("z"));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_LT(converted.xml().size(), size_t{8} << 20);
}

}  // namespace
}  // namespace mo::test
