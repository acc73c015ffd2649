// Graphs, their names, and the functions that they call.

#include "tests/core/front/tf/graphs.h"

namespace mo::test {
namespace {

const std::string kInput = tf_input("x", {-1, 4});

std::string names_of_output(const Converted& converted, std::string_view layer) {
  return text_of(converted.layer(layer).child("output").first_child(), "names");
}

TEST(TfGraph, WhatNothingReadsIsAnOutput) {
  const Converted converted =
      convert_text(kInput + tf_node("a", "Relu", {"x"}, {kFloat}) + tf_node("b", "Tanh", {"a"}, {kFloat}) +
                   tf_node("c", "Sigmoid", {"a:0", "^b"}, {kFloat}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Result").size(), 2u);
  EXPECT_EQ(text_of(converted.source(converted.layers("Result")[0], 0), "name"), "b");
  EXPECT_EQ(names_of_output(converted, "c"), "c,c:0");
  EXPECT_EQ(names_of_output(converted, "x"), "x,x:0");
  EXPECT_EQ(dims(converted.layer("x")), "-1,4");
}

TEST(TfGraph, WhatOnlyRunsIsLeftOut) {
  const Converted converted =
      convert_text(kInput + tf_node("a", "Relu", {"x"}, {kFloat}) + tf_node("init", "NoOp", {"^a"}) +
                   tf_node("check", "Assert", {"a", "a"}) + tf_node("y", "Tanh", {"a"}, {kFloat}));
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers().size(), 4u);
}

TEST(TfGraph, AnInputThatNothingMakesHasItsPlace) {
  const Converted converted = convert_text(kInput + tf_node("a", "Relu", {"none:1"}, {kFloat}));
  EXPECT_EQ(converted.code(), code_text(Code::UnknownTensor));
  EXPECT_EQ(converted.message().node, "a");
  EXPECT_EQ(converted.message().tensor, "none:1");
  EXPECT_EQ(converted.message().line, 2);
}

TEST(TfGraph, TwoNodesOfOneName) {
  EXPECT_EQ(convert_text(kInput + tf_node("x", "Relu", {"x"}, {kFloat})).code(), code_text(Code::DuplicateNode));
}

TEST(TfGraph, AllUnknownOperationsAreNamed) {
  const Converted converted = convert_text(kInput + tf_node("a", "Frobnicate", {"x"}) + tf_node("b", "Mangle", {"a"}));
  ASSERT_EQ(converted.conversion->messages().size(), 2u);
  EXPECT_EQ(converted.code(), code_text(Code::UnsupportedOp));
  EXPECT_EQ(converted.conversion->messages()[1].op, "Mangle");
}

TEST(TfGraph, ChannelsAreLastIfAConvolutionHasThemThere) {
  const auto graph = [](const char* format) {
    const bool last = format == std::string("NHWC");
    const std::string filter = tf_const("w", "DT_FLOAT", {1, 1, 3, 2}, "float_val: 1");
    return tf_input("x", last ? Shape{1, 8, 9, 3} : Shape{1, 3, 8, 9}) + filter +
           tf_node("y", "Conv2D", {"x", "w"},
                   {kFloat, cat("data_format: s: '", format, "'"), "padding: s: 'VALID'",
                    "strides: list { i: 1 i: 1 i: 1 i: 1 }"});
  };
  const Converted last = convert_text(graph("NHWC")), first = convert_text(graph("NCHW"));
  ASSERT_TRUE(last.ok()) << last.message().text;
  ASSERT_TRUE(first.ok()) << first.message().text;
  EXPECT_EQ(last.layers("Transpose").size(), 2u);
  EXPECT_EQ(dims(last.layers("Convolution")[0]), "1,2,8,9");
  EXPECT_EQ(first.layers("Transpose").size(), 0u);
}

void expect_no_output(const std::string& source, const std::string& name, const std::string& why,
                      const std::vector<OptionText>& options = {}) {
  const Converted converted = convert_text(kInput + source + tf_node("reader", "Relu", {name}, {kFloat}), options);
  ASSERT_EQ(converted.conversion->messages().size(), 1u);
  EXPECT_EQ(converted.code(), code_text(Code::UnknownTensor));
  EXPECT_EQ(converted.message().node, "reader");
  EXPECT_EQ(converted.message().tensor, name);
  EXPECT_EQ(converted.message().file, "m.pbtxt");
  EXPECT_GT(converted.message().line, 1);
  EXPECT_NE(converted.message().text.find(why), std::string::npos) << converted.message().text;
}

TEST(TfGraph, AnOutputThatTheSourceDoesNotHave) {
  expect_no_output("", "x:7", "where Placeholder has 1 output");
  expect_no_output("", "x:1", "where Placeholder has 1 output", {{"input", "x"}});
  expect_no_output(tf_const("c", "DT_FLOAT", {}, "float_val: 1"), "c:1", "where Const has 1 output");
  expect_no_output(tf_node("y", "Relu", {"x"}, {kFloat}), "y:1", "where Relu has 1 output");
  expect_no_output(tf_node("y", "Unpack", {"x"}, {kFloat, "num: i: 2"}), "y:2", "where Unpack has 2 outputs");
  expect_no_output(tf_node("y", "Unique", {"x"}, {kFloat}), "y:2", "where Unique has 2 outputs");
}

TEST(TfGraph, AnOutputOfAnUnknownOperation) {
  const std::string mine = tf_node("mine", "Mine", {"x"}), reader = tf_node("reader", "Relu", {"mine:3"}, {kFloat});
  EXPECT_EQ(convert_text(kInput + mine + reader).code(), code_text(Code::UnsupportedOp));
}

/// double(a) = a + a, and quadruple(a), which calls it twice.
const std::string kLibrary =
    "library { function { signature { name: 'double' input_arg { name: 'a' type_attr: 'T' } output_arg { name: 'sum' } "
    "} " +
    tf_node("add", "AddV2", {"a", "a"}, {"T: placeholder: 'T'"}, "node_def") +
    " ret { key: 'sum' value: 'add:z:0' } } " +
    "function { signature { name: 'quadruple' input_arg { name: 'a' type: DT_FLOAT } output_arg { name: 'y' } } " +
    tf_node("once", "double", {"a"}, {kFloat}, "node_def") +
    tf_node("twice", "PartitionedCall", {"once:sum:0"}, {"f: func { name: 'double' }", "Tout: list { type: DT_FLOAT }"},
            "node_def") +
    " ret { key: 'y' value: 'twice:output:0' } } }\n";

TEST(TfGraph, CalledFunctionsAreExpanded) {
  const Converted converted =
      convert_text(kInput + tf_node("call", "StatefulPartitionedCall", {"x"}, {"f: func { name: 'quadruple' }"}) +
                   tf_node("y", "Identity", {"call"}, {kFloat}) + kLibrary);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Add").size(), 2u);
  EXPECT_EQ(names_of_output(converted, "call/once/add"), "call/once/add,call/once/add:0");
  EXPECT_NE(names_of_output(converted, "call/twice/add").find("y:0"), std::string::npos);
}

TEST(TfGraph, AFunctionThatIsNotThere) {
  const Converted converted =
      convert_text(kInput + tf_node("call", "PartitionedCall", {"x"}, {"f: func { name: 'none' }"}) + kLibrary);
  EXPECT_EQ(converted.code(), code_text(Code::UnknownFunction));
  EXPECT_EQ(converted.message().node, "call");
}

TEST(TfGraph, AFunctionThatCallsItself) {
  const std::string library =
      "library { function { signature { name: 'f' input_arg { name: 'a' } output_arg { name: 'y' } } " +
      tf_node("again", "f", {"a"}, {}, "node_def") + " ret { key: 'y' value: 'again:y:0' } } }\n";
  EXPECT_EQ(convert_text(kInput + tf_node("call", "f", {"x"}) + library).code(), code_text(Code::RecursiveFunction));
}

TEST(TfGraph, ACallThatReadsItself) {
  const std::string library =
      "library { function { signature { name: 'f' input_arg { name: 'a' } output_arg { name: 'y' } } "
      "ret { key: 'y' value: 'a' } } }\n";
  const Converted converted =
      convert_text(kInput + tf_node("call", "f", {"call"}) + tf_node("y", "Relu", {"call"}, {kFloat}) + library);
  EXPECT_EQ(converted.code(), code_text(Code::UnknownTensor));
}

TEST(TfGraph, AVariableNeedsAValue) {
  const Converted converted = convert_text(
      kInput + tf_node("v", "VariableV2", {}, {"dtype: type: DT_FLOAT"}) +
      tf_node("w", "VarHandleOp", {}, {"shared_name: s: 'weights'"}) + tf_node("r", "ReadVariableOp", {"w"}) +
      tf_node("a", "AddV2", {"x", "v"}, {kFloat}) + tf_node("y", "Mul", {"a", "r"}, {kFloat}));
  ASSERT_EQ(converted.conversion->messages().size(), 2u);
  EXPECT_EQ(converted.code(), code_text(Code::NoVariable));
  EXPECT_NE(converted.conversion->messages()[1].text.find("weights"), std::string::npos);
}

}  // namespace
}  // namespace mo::test
