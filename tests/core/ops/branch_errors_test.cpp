// Errors in a branch of an If: what they say of the If and of the inputs that decide it.
#include <gtest/gtest.h>

#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

/// y = If(c) {x} {x [1, 6] times w [8, 4]}.
OnnxGraph unfit_branch(OnnxGraph graph, const std::string& shape_of_c = "") {
  OnnxGraph then_branch, else_branch;
  then_branch.node("Relu", {"x"}, {"a"}).output("a");
  else_branch.node("MatMul", {"x", "w"}, {"b"}, {}, "product").output("b");
  graph.input("rate", shape_of_c, OnnxGraph::kInt64)
      .input("x", "1,6")
      .weight(onnx_floats("w", {8, 4}, std::vector<float>(32)));
  graph.weight(onnx_ints("expected", {}, {16000})).node("Equal", {"rate", "expected"}, {"c"});
  graph.node("If", {"c"}, {"y"},
             {onnx_graph_attribute("then_branch", then_branch), onnx_graph_attribute("else_branch", else_branch)},
             "if");
  return graph.output("y");
}

TEST(BranchErrors, NameTheBranchAndTheInputThatDecides) {
  const Converted converted = convert_model(unfit_branch({}));
  ASSERT_FALSE(converted.ok());
  const Message& message = converted.message();
  EXPECT_EQ(message.code, code_text(Code::ShapeMismatch));
  EXPECT_EQ(message.node, "product");
  EXPECT_EQ(message.text,
            "shapes contradict each other: [1,6] times [8,4]: 6 columns meet 8 rows, in the else branch of \"if\"");
  EXPECT_EQ(message.hint,
            "check the input shapes, and that the weights belong to this model; if the model never takes this branch, "
            "freeze what decides: --input \"rate->VALUE\"");
}

TEST(BranchErrors, TheAdviceHelps) {
  const Converted converted = convert_model(unfit_branch({}), nullptr, {{"input", "rate->16000"}});
  EXPECT_TRUE(converted.ok()) << converted.message().text;
}

TEST(BranchErrors, WithInputShapeTheAdviceNamesAllInputsAndHelps) {
  const Converted converted = convert_model(unfit_branch({}), nullptr, {{"input_shape", "[],[1,6]"}});
  ASSERT_FALSE(converted.ok());
  const std::string& hint = converted.message().hint;
  EXPECT_TRUE(hint.ends_with("freeze what decides: --input \"rate->VALUE,x[1,6]\" instead of --input_shape")) << hint;
  EXPECT_TRUE(convert_model(unfit_branch({}), nullptr, {{"input", "rate->16000,x[1,6]"}}).ok());
}

TEST(BranchErrors, AVectorIsNotToBeFrozen) {
  const Converted converted = convert_model(unfit_branch({}, "2"));
  ASSERT_FALSE(converted.ok());
  EXPECT_EQ(converted.code(), code_text(Code::ShapeMismatch));
  EXPECT_EQ(converted.message().hint, info(Code::ShapeMismatch).hint);
}

/// y = If(mode) {x} {the If of unfit_branch()}: both conditions are inputs, or the same one.
Message of_inner_if(const std::string& inner_condition) {
  OnnxGraph then_branch, else_branch, inner_then, inner_else, graph;
  inner_then.node("Relu", {"x"}, {"p"}).output("p");
  inner_else.node("MatMul", {"x", "w"}, {"q"}, {}, "product").output("q");
  then_branch.node("Relu", {"x"}, {"a"}).output("a");
  else_branch.node("Not", {inner_condition}, {"not"})
      .node("If", {"not"}, {"b"},
            {onnx_graph_attribute("then_branch", inner_then), onnx_graph_attribute("else_branch", inner_else)},
            "inner");
  else_branch.output("b");
  graph.input("mode", "", OnnxGraph::kBool).input("flag", "1", OnnxGraph::kBool).input("x", "1,6");
  graph.weight(onnx_floats("w", {8, 4}, std::vector<float>(32)));
  graph.node("If", {"mode"}, {"y"},
             {onnx_graph_attribute("then_branch", then_branch), onnx_graph_attribute("else_branch", else_branch)},
             "outer");
  return convert_model(graph.node("Identity", {"flag"}, {"z"}).output("y").output("z")).message();
}

TEST(BranchErrors, InNestedBranchesEachIfIsNamed) {
  const Message message = of_inner_if("flag");
  EXPECT_TRUE(message.text.ends_with(", in the else branch of \"inner\", in the else branch of \"outer\""))
      << message.text;
  EXPECT_TRUE(
      message.hint.ends_with("; if the model never takes this branch, freeze what decides: "
                             "--input \"flag->VALUE\"; if the model never takes this branch, freeze what "
                             "decides: --input \"mode->VALUE\""))
      << message.hint;
}

TEST(BranchErrors, OneInputIsNamedOnce) {
  const Message message = of_inner_if("mode");
  EXPECT_TRUE(
      message.hint.ends_with("this model; if the model never takes this branch, freeze what decides: "
                             "--input \"mode->VALUE\""))
      << message.hint;
}

}  // namespace
}  // namespace mo::test
