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

/// The frame with a stack for gradients, into which the body pushes: nothing that `exit` needs.
TEST(TfControlFlow, ALoopKeepsWhatItsOutputsNeed) {
  const std::string stack = tf_const("size", "DT_INT32", {}, "int_val: -1") +
                            tf_node("stack", "StackV2", {"size"}, {"elem_type: type: DT_FLOAT"}) +
                            tf_node("enter_stack", "Enter", {"stack"},
                                    {"T: type: DT_RESOURCE", "frame_name: s: 'f'", "is_constant: b: true"}) +
                            tf_node("push", "StackPushV2", {"enter_stack", "switch:1"}, {kFloat}) +
                            tf_node("pop", "StackPopV2", {"stack", "^exit"}, {"elem_type: type: DT_FLOAT"});
  const std::string graph = frame(tf_node("go", "LoopCond", {"less"})) + stack;
  const Converted converted = convert_text(graph, {{"output", "exit"}});
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Loop").size(), 1u);
  EXPECT_EQ(convert_text(graph).code(), code_text(Code::UnsupportedOp));
}

TEST(TfControlFlow, WhatFillsUnusedInputsIsNoInput) {
  const std::string variant = tf_node("unused_control_flow_input_2", "Placeholder", {},
                                      {"dtype: type: DT_VARIANT", "shape: shape { unknown_rank: true }"});
  const std::string number = tf_input("unused_control_flow_input", {2});
  const std::string graph = tf_input("x", {2}) + variant + number;
  Converted converted = convert_text(graph + tf_node("y", "Relu", {"x"}, {kFloat}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Parameter").size(), 1u);
  // One that is read is an input like others.
  converted = convert_text(graph + tf_node("y", "AddV2", {"x", "unused_control_flow_input"}, {kFloat}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Parameter").size(), 2u);
  converted = convert_text(graph + tf_node("y", "Identity", {"unused_control_flow_input_2"}, {"T: type: DT_VARIANT"}));
  EXPECT_EQ(converted.code(), code_text(Code::UnsupportedType));
}

/// A list without a shape, of which a loop writes the element whose number is fed: two could be the same.
TEST(TfControlFlow, ALoopWhoseListHasNoShapeIsNamed) {
  const std::string list = "T: type: DT_VARIANT";
  const Converted converted = convert_text(
      frame(tf_node("go", "LoopCond", {"less"})) +
      tf_node("rows", "Placeholder", {}, {"dtype: type: DT_FLOAT", "shape: shape { dim { size: -1 } }"}) +
      tf_node("at", "Placeholder", {}, {"dtype: type: DT_INT32", "shape: shape {}"}) +
      tf_const("any", "DT_INT32", {}, "int_val: -1") + tf_const("count", "DT_INT32", {}, "int_val: 4") +
      tf_node("list", "TensorListReserve", {"any", "count"}, {"element_dtype: type: DT_FLOAT"}) +
      tf_node("enter_list", "Enter", {"list"}, {list, "frame_name: s: 'f'"}) +
      tf_node("enter_rows", "Enter", {"rows"}, {kFloat, "frame_name: s: 'f'", "is_constant: b: true"}) +
      tf_node("enter_at", "Enter", {"at"}, {kInt, "frame_name: s: 'f'", "is_constant: b: true"}) +
      tf_node("merge_list", "Merge", {"enter_list", "next_list"}, {list}) +
      tf_node("switch_list", "Switch", {"merge_list", "go"}, {list}) +
      tf_node("write", "TensorListSetItem", {"switch_list:1", "enter_at", "enter_rows"}, {kFloat}) +
      tf_node("next_list", "NextIteration", {"write"}, {list}) + tf_node("exit_list", "Exit", {"switch_list"}, {list}) +
      tf_node("y", "TensorListStack", {"exit_list", "any"}, {"element_dtype: type: DT_FLOAT"}));
  EXPECT_EQ(converted.code(), code_text(Code::UnsupportedForm));
  EXPECT_EQ(converted.message().node, "f/While");
}

/// A loop appends rows of 0, 1, … whose number grows, with a dimension before them; `reader` reads the list.
Converted convert_unequal(const std::string& reader) {
  const std::string list = "T: type: DT_VARIANT", name = "frame_name: s: 'f'";
  return convert_text(
      frame(tf_node("go", "LoopCond", {"less"})) + tf_const("any", "DT_INT32", {2}, "int_val: -1 int_val: -1") +
      tf_const("none", "DT_INT32", {}, "int_val: -1") + tf_const("at", "DT_INT32", {}, "int_val: 1") +
      tf_node("list", "EmptyTensorList", {"any", "none"}, {"element_dtype: type: DT_FLOAT"}) +
      tf_node("enter_list", "Enter", {"list"}, {list, name}) +
      tf_node("merge_list", "Merge", {"enter_list", "next_list"}, {list}) +
      tf_node("switch_list", "Switch", {"merge_list", "go"}, {list}) +
      tf_node("zero", "Sub", {"switch:1", "switch:1"}, {kFloat}) + tf_node("one", "Exp", {"zero"}, {kFloat}) +
      tf_node("range", "Range", {"zero", "switch:1", "one"}, {"Tidx: type: DT_FLOAT"}) +
      tf_const("first", "DT_INT32", {}, "int_val: 0") +
      tf_node("enter_first", "Enter", {"first"}, {kInt, name, "is_constant: b: true"}) +
      tf_node("row", "ExpandDims", {"range", "enter_first"}, {kFloat, "Tdim: type: DT_INT32"}) +
      tf_node("write", "TensorListPushBack", {"switch_list:1", "row"}, {"element_dtype: type: DT_FLOAT"}) +
      tf_node("next_list", "NextIteration", {"write"}, {list}) + tf_node("exit_list", "Exit", {"switch_list"}, {list}) +
      reader);
}

/// Rows of several lengths are no tensor, as the element that is read shows, here or in a branch.
TEST(TfControlFlow, ElementsOfSeveralShapesThatAreReadOneByOneAreRefused) {
  const std::string type = "element_dtype: type: DT_FLOAT";
  const auto read = [&](const char* op, const char* list, const char* at, const char* any, const char* field = "node") {
    return tf_node("y", op, {list, at, any}, {type}, field);
  };
  const std::string branch =
      function("branch", {"l", "i", "s"}, read("TensorListGetItem", "l", "i", "s", "node_def"), {{"z", "y:item:0"}});
  const std::string functions = "library { " + branch + " }";
  const std::string choice = tf_node("p", "Placeholder", {}, {"dtype: type: DT_BOOL", "shape: shape {}"}) +
                             tf_node("y", "StatelessIf", {"p", "exit_list", "at", "any"},
                                     {"Tout: list { type: DT_FLOAT }", "then_branch: func { name: 'branch' }",
                                      "else_branch: func { name: 'branch' }"}) +
                             functions;
  for (const std::string& reader : {read("TensorListGetItem", "exit_list", "at", "any"), choice}) {
    const Converted converted = convert_unequal(reader);
    EXPECT_EQ(converted.code(), code_text(Code::UnsupportedForm)) << converted.message().text;
    EXPECT_EQ(converted.message().node, "f/While");
    EXPECT_NE(converted.message().text.find("several shapes"), std::string::npos) << converted.message().text;
  }
  const Converted stacked = convert_unequal(tf_node("y", "TensorListStack", {"exit_list", "any"}, {type}));
  EXPECT_TRUE(stacked.ok()) << stacked.message().text;
}

/// Constants alone are in the branches, which a NoOp tells.
TEST(TfControlFlow, AConstantIsInTheBranchThatANoOpNames) {
  const auto branch = [](const char* name, const char* pivot, const char* value) {
    return tf_node(cat(name, "_pivot"), "Identity", {pivot}, {"T: type: DT_BOOL"}) +
           tf_node(cat(name, "_control"), "NoOp", {cat("^", name, "_pivot"), "^x"}) +
           tf_node(name, "Const", {cat("^", name, "_control")},
                   {"dtype: type: DT_FLOAT",
                    cat("value: tensor { dtype: DT_FLOAT tensor_shape {} float_val: ", value, " }")});
  };
  const Converted converted =
      convert_text(tf_input("x", {2}) + tf_node("p", "Placeholder", {}, {"dtype: type: DT_BOOL", "shape: shape {}"}) +
                   tf_node("switch", "Switch", {"p", "p"}, {"T: type: DT_BOOL"}) + branch("yes", "switch:1", "1") +
                   branch("no", "switch", "2") + tf_node("merge", "Merge", {"yes", "no"}, {kFloat}) +
                   tf_node("y", "Mul", {"x", "merge"}, {kFloat}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("If").size(), 1u);
}

/// `count` conditions, each of what the one before gives.
TEST(TfControlFlow, ManyConditionsOneAfterTheOther) {
  std::string graph = tf_input("x0", {2});
  constexpr int kCount = 2000;
  for (int i = 0; i < kCount; ++i) {
    const auto named = [&](const char* name, int at) { return cat(name, at); };
    graph += tf_node(named("p", i), "Placeholder", {}, {"dtype: type: DT_BOOL", "shape: shape {}"}) +
             tf_node(named("switch", i), "Switch", {named("x", i), named("p", i)}, {kFloat}) +
             tf_node(named("no", i), "Neg", {named("switch", i)}, {kFloat}) +
             tf_node(named("yes", i), "Relu", {cat("switch", i, ":1")}, {kFloat}) +
             tf_node(named("x", i + 1), "Merge", {named("no", i), named("yes", i)}, {kFloat});
  }
  const Converted converted = convert_text(graph);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("If").size(), static_cast<size_t>(kCount));
}

/// A condition of several branches, by index.
std::string indexed(int branches) {
  std::string graph = tf_input("x", {2}) +
                      tf_node("i", "Placeholder", {}, {"dtype: type: DT_INT32", "shape: shape {}"}) +
                      tf_node("switch", "_SwitchN", {"x", "i"}, {kFloat, cat("num_outs: i: ", branches)});
  std::vector<std::string> ends;
  for (int i = 0; i < branches; ++i) {
    graph += tf_node(ends.emplace_back(cat("end", i)), i % 2 ? "Neg" : "Relu", {cat("switch:", i)}, {kFloat});
  }
  return graph + tf_node("merge", "Merge", ends, {kFloat, cat("N: i: ", branches)});
}

TEST(TfControlFlow, ASwitchOfSeveralBranchesBecomesIfsInEachOther) {
  const Converted converted = convert_text(indexed(4));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("If").size(), 1u);
  EXPECT_EQ(convert_text(indexed(65)).code(), code_text(Code::UnsupportedForm));
}

}  // namespace
}  // namespace mo::test
