// While, If and Case, and the loops and conditions of TensorFlow 1.

#include "tests/core/front/tf/graphs.h"

namespace mo::test {
namespace {

const std::string kInt = "T: type: DT_INT32";

std::string arguments(const char* field, const std::vector<const char*>& names) {
  std::string out;
  for (const char* name : names) out += cat(field, " { name: '", name, "' type: DT_FLOAT } ");
  return out;
}

/// `results`: pairs of name and tensor.
std::string function(const char* name, const std::vector<const char*>& inputs, const std::string& nodes,
                     const std::vector<std::pair<const char*, const char*>>& results) {
  std::vector<const char*> outputs;
  std::string ret;
  for (const auto& [key, value] : results) {
    outputs.push_back(key);
    ret += cat(" ret { key: '", key, "' value: '", value, "' }");
  }
  return cat("function { signature { name: '", name, "' ", arguments("input_arg", inputs),
             arguments("output_arg", outputs), "} ", nodes, ret, " } ");
}

std::string limit_node() {
  return tf_node("limit", "Const", {},
                 {"dtype: type: DT_FLOAT", "value: tensor { dtype: DT_FLOAT tensor_shape {} float_val: 9 }"},
                 "node_def");
}

const std::string kBelow =
    function("below", {"a"}, limit_node() + tf_node("less", "Less", {"a", "limit:output:0"}, {kFloat}, "node_def"),
             {{"yes", "less:z:0"}});
const std::string kTwice =
    function("twice", {"a"}, tf_node("add", "AddV2", {"a", "a"}, {kFloat}, "node_def"), {{"y", "add:z:0"}});

Converted convert_while(const std::string& body) {
  return convert_text(
      tf_input("x", {}) +
      tf_node("loop", "While", {"x"},
              {"T: list { type: DT_FLOAT }", "cond: func { name: 'below' }", "body: func { name: 'body' }"}) +
      "library { " + kBelow + kTwice + body + " }");
}

TEST(TfControlFlow, AWhileWhoseConditionDependsOnData) {
  const Converted converted =
      convert_while(function("body", {"a"}, tf_node("call", "twice", {"a"}, {}, "node_def"), {{"y", "call:y:0"}}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Loop").size(), 1u);
  // The condition is there for the first iteration, too.
  EXPECT_EQ(converted.layers("Less").size(), 1u);
}

TEST(TfControlFlow, ABodyThatLacksAResult) {
  const Converted converted = convert_while(function("body", {"a"}, "", {}));
  EXPECT_EQ(converted.code(), code_text(Code::MissingInput));
  EXPECT_EQ(converted.message().node, "loop");
  EXPECT_NE(converted.message().text.find("body has 0 results, not 1"), std::string::npos) << converted.message().text;
}

TEST(TfControlFlow, AResultThatNothingMakes) {
  const Converted converted = convert_while(function("body", {"a"}, "", {{"y", "none:y:0"}}));
  EXPECT_EQ(converted.code(), code_text(Code::UnknownTensor));
  EXPECT_EQ(converted.message().tensor, "none:y:0");
}

TEST(TfControlFlow, ABodyThatHasItselfInside) {
  const Converted converted = convert_while(
      function("body", {"a"},
               tf_node("inner", "While", {"a"},
                       {"T: list { type: DT_FLOAT }", "cond: func { name: 'below' }", "body: func { name: 'body' }"},
                       "node_def"),
               {{"y", "inner:output:0"}}));
  EXPECT_EQ(converted.code(), code_text(Code::RecursiveFunction));
  EXPECT_EQ(converted.message().node, "inner");
}

TEST(TfControlFlow, AFunctionThatIsNotThere) {
  const Converted converted = convert_while("");
  EXPECT_EQ(converted.code(), code_text(Code::UnknownFunction));
  EXPECT_EQ(converted.message().node, "loop");
}

/// A loop of TensorFlow 1 that doubles x while it is below 9; `condition`: its LoopCond.
std::string frame(const std::string& condition) {
  const std::string name = "frame_name: s: 'f'";
  return tf_input("x", {}) + tf_node("enter", "Enter", {"x"}, {kFloat, name}) +
         tf_node("merge", "Merge", {"enter", "next"}, {kFloat}) +
         tf_node("nine", "Const", {"^merge"},
                 {"dtype: type: DT_FLOAT", "value: tensor { dtype: DT_FLOAT tensor_shape {} float_val: 9 }"}) +
         tf_node("less", "Less", {"merge", "nine"}, {kFloat}) + condition +
         tf_node("switch", "Switch", {"merge", "go"}, {kFloat}) +
         tf_node("double", "AddV2", {"switch:1", "switch:1"}, {kFloat}) +
         tf_node("next", "NextIteration", {"double"}, {kFloat}) + tf_node("exit", "Exit", {"switch"}, {kFloat});
}

TEST(TfControlFlow, AFrameBecomesALoop) {
  const Converted converted = convert_text(frame(tf_node("go", "LoopCond", {"less"})));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Loop").size(), 1u);
  EXPECT_EQ(converted.layers("Result").size(), 1u);
}

TEST(TfControlFlow, AFrameThatIsNoLoop) {
  const Converted converted = convert_text(frame(tf_node("go", "Identity", {"less"}, {"T: type: DT_BOOL"})));
  EXPECT_EQ(converted.code(), code_text(Code::CyclicGraph));
  EXPECT_EQ(converted.message().node, "enter");
  EXPECT_NE(converted.message().text.find("has no LoopCond and Merge"), std::string::npos) << converted.message().text;
}

/// tf.cond: x + x, or -x.
std::string condition(const std::string& predicate) {
  return tf_input("x", {2}) + predicate + tf_node("switch", "Switch", {"x", "p"}, {kFloat}) +
         tf_node("yes", "AddV2", {"switch:1", "switch:1"}, {kFloat}) + tf_node("no", "Neg", {"switch"}, {kFloat});
}

TEST(TfControlFlow, ASwitchAndAMergeBecomeAnIf) {
  const Converted converted =
      convert_text(condition(tf_node("p", "Placeholder", {}, {"dtype: type: DT_BOOL", "shape: shape {}"})) +
                   tf_node("merge", "Merge", {"no", "yes"}, {kFloat}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("If").size(), 1u);
  EXPECT_EQ(converted.layers("Result").size(), 1u);
}

TEST(TfControlFlow, TheBranchThatNeverRunsGoes) {
  const std::string predicate = tf_node(
      "p", "Const", {}, {"dtype: type: DT_BOOL", "value: tensor { dtype: DT_BOOL tensor_shape {} bool_val: true }"});
  const Converted converted = convert_text(condition(predicate) + tf_node("merge", "Merge", {"no", "yes"}, {kFloat}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("If").size(), 0u);
  EXPECT_EQ(converted.layers("Negative").size(), 0u);
  EXPECT_EQ(converted.layers("Add").size(), 1u);
}

TEST(TfControlFlow, AMergeWithoutASwitch) {
  const Converted converted =
      convert_text(tf_input("x", {2}) + tf_input("y", {2}) + tf_node("merge", "Merge", {"x", "y"}, {kFloat}));
  EXPECT_EQ(converted.code(), code_text(Code::UnsupportedOp));
  EXPECT_EQ(converted.message().node, "merge");
}

TEST(TfControlFlow, ACaseOfFunctionsWithoutResults) {
  const std::string branch = "func { name: 'nothing' } ";
  const Converted converted = convert_text(
      tf_input("x", {}) + tf_node("index", "Placeholder", {}, {"dtype: type: DT_INT32", "shape: shape {}"}) +
      tf_node("case", "Case", {"index", "x"},
              {cat("branches: list { func { name: 'nothing' } func { name: 'nothing' } "
                   "func { name: 'nothing' } }")}) +
      tf_node("y", "Relu", {"x"}, {kFloat}) + "library { " + function("nothing", {"a"}, "", {}) + " }");
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("ReLU").size(), 1u);
}

}  // namespace
}  // namespace mo::test
