#include "core/front/onnx/load/schema.h"

#include "core/front/onnx/extract/extractor.h"
#include "tests/core/support/converted.h"

namespace mo::onnx {
namespace {

using test::code_text;
using test::convert_model;
using test::Converted;
using test::OnnxGraph;

TEST(OnnxSchema, IsOfTheVersionThatTheOperatorSetBrings) {
  EXPECT_EQ(find_schema("Clip", "", 10)->inputs, "input");
  EXPECT_EQ(find_schema("Clip", "", 11)->inputs, "input min? max?");
  EXPECT_EQ(find_schema("Clip", "", 12)->since, 12);
  EXPECT_EQ(find_schema("Clip", "", 9999)->since, 13);
  EXPECT_EQ(find_schema("Loop", "", 10)->inputs, "M? cond? v_initial+");
  EXPECT_EQ(find_schema("Loop", "", 11)->most_outputs, -1);
  EXPECT_EQ(find_schema("Dropout", "", 13)->most_outputs, 2);
  EXPECT_EQ(find_schema("Scaler", "ai.onnx.ml", 3)->inputs, "X");
}

TEST(OnnxSchema, IsTheOldestWhereTheOperatorIsYoungerThanTheSet) {
  EXPECT_EQ(find_schema("Gelu", "", 13)->since, 20);
  EXPECT_EQ(find_schema("Gelu", "", -5)->since, 20);
}

TEST(OnnxSchema, SaysWhatIsDeprecated) {
  EXPECT_FALSE(find_schema("Upsample", "", 9)->deprecated);
  EXPECT_TRUE(find_schema("Upsample", "", 10)->deprecated);
}

TEST(OnnxSchema, ThereIsNoneForWhatOnnxDoesNotHave) {
  EXPECT_FALSE(find_schema("Foo", "", 13));
  EXPECT_FALSE(find_schema("Cli", "", 13));
  EXPECT_FALSE(find_schema("Zzz", "", 13));
  EXPECT_FALSE(find_schema("", "", 13));
  EXPECT_FALSE(find_schema("Clip", "com.acme", 13));
  EXPECT_FALSE(find_schema("Scaler", "", 13));
  EXPECT_FALSE(find_schema("Clip;1", "", 13));
}

TEST(OnnxSchema, EveryRowCanBeRead) {
  for (const std::string_view domain : {"", "ai.onnx.ml", "ai.onnx.preview", "ai.onnx.preview.training"})
    EXPECT_GT(newest_opset(domain), 0) << domain;
  EXPECT_EQ(newest_opset("com.microsoft"), 0);
  for (const Operator& row : operators().rows())
    if (const auto schema = find_schema(row.name, row.domain, newest_opset(row.domain))) {
      EXPECT_GT(schema->since, 0) << row.name;
      EXPECT_LE(schema->since, newest_opset(row.domain)) << row.name;
      EXPECT_NE(schema->most_outputs, 0) << row.name;
    }
}

TEST(OnnxSchema, DefinitionsAreThereForOperatorsWithoutARow) {
  EXPECT_FALSE(function_body("ThresholdedRelu", 22).empty());
  EXPECT_FALSE(function_body("ThresholdedRelu", 1).empty());
  EXPECT_TRUE(function_body("Relu", 18).empty());
  for (const std::string_view op : function_ops()) EXPECT_EQ(operators().find(op), nullptr) << op;
}

Converted converted(std::string_view op, const test::Texts& inputs, const test::Texts& outputs = {"y"},
                    int opset = 13) {
  OnnxGraph model;
  model.opset(opset).input("x", "2,3").input("z", "2,3");
  model.node(op, inputs, outputs, {}, "n").output("y");
  return convert_model(model);
}

TEST(OnnxPorts, ARequiredInputThatIsNotThere) {
  Converted out = converted("Where", {"x", "", "z"});
  EXPECT_EQ(out.code(), code_text(Code::MissingInput));
  EXPECT_EQ(out.message().text, "a required input is missing: input 1, X");
  EXPECT_EQ(out.message().node, "n");
  EXPECT_EQ(out.message().op, "Where");
  out = converted("Sum", {});
  EXPECT_EQ(out.message().text, "a required input is missing: input 0, data_0");
  EXPECT_TRUE(converted("Clip", {"x", "", ""}).ok());
}

TEST(OnnxPorts, AnInputTooMany) {
  const Converted out = converted("Abs", {"x", "z"});
  EXPECT_EQ(out.code(), code_text(Code::ExtraPort));
  EXPECT_EQ(out.message().text, "a node has more inputs or outputs than its operation: 2 inputs, at most 1");
  EXPECT_EQ(out.message().node, "n");
  EXPECT_EQ(converted("Clip", {"x", "z"}, {"y"}, 10).code(), code_text(Code::ExtraPort));
  EXPECT_TRUE(converted("Abs", {"x", ""}).ok());
  EXPECT_TRUE(converted("Sum", {"x", "z", "x", "z", "x"}).ok());
}

TEST(OnnxPorts, AnOutputTooMany) {
  const Converted out = converted("Abs", {"x"}, {"y", "v"});
  EXPECT_EQ(out.code(), code_text(Code::ExtraPort));
  EXPECT_EQ(out.message().text, "a node has more inputs or outputs than its operation: 2 outputs, at most 1");
  EXPECT_TRUE(converted("Abs", {"x"}, {"y", ""}).ok());
}

TEST(OnnxPorts, WhatABodyCapturesIsNoInputTooMany) {
  OnnxGraph branch, model;
  branch.node("Add", {"x", "x"}, {"o"}).output("o");
  model.input("x", "2,3").input("c", "", OnnxGraph::kBool);
  model.node("If", {"c"}, {"y"},
             {test::onnx_graph_attribute("then_branch", branch), test::onnx_graph_attribute("else_branch", branch)});
  EXPECT_TRUE(convert_model(model.output("y")).ok());
}

TEST(OnnxPorts, WhatABodyCapturesIsNotAnInputThatIsMissing) {
  OnnxGraph branch, model;
  branch.node("Add", {"x", "x"}, {"o"}).output("o");
  model.input("x", "2,3");
  model.node("If", {}, {"y"},
             {test::onnx_graph_attribute("then_branch", branch), test::onnx_graph_attribute("else_branch", branch)},
             "n");
  const Converted out = convert_model(model.output("y"));
  EXPECT_EQ(out.message().text, "a required input is missing: input 0, cond");
  EXPECT_EQ(out.message().node, "n");
}

TEST(OnnxUnknown, OnnxsOwnAreToldFromThoseItDoesNotHave) {
  OnnxGraph model;
  model.input("x", "2,3");
  model.node("Foo", {"x"}, {"a"}, {}, "first").node("StringSplit", {"a"}, {"b"}, {}, "second");
  model.node("Bar", {"b"}, {"y"}, {}, "third", "com.acme").output("y");
  const Converted out = convert_model(model);
  const std::vector<Message>& messages = out.conversion->messages();
  ASSERT_EQ(messages.size(), 3u);
  EXPECT_EQ(messages[0].text, "the operation is not supported: Foo, which ONNX does not have");
  EXPECT_EQ(messages[0].node, "first");
  EXPECT_EQ(messages[1].text, "the operation is not supported: StringSplit: the runtime computes no texts");
  EXPECT_EQ(messages[2].text, "the operation is not supported: com.acme.Bar");
  for (const Message& message : messages) EXPECT_EQ(message.code, code_text(Code::UnsupportedOp));
  EXPECT_NE(messages[0].hint, messages[1].hint);
}

TEST(OnnxOpset, ANewerOneThanKnownIsAWarning) {
  const Converted out = converted("Abs", {"x"}, {"y"}, 1000);
  EXPECT_TRUE(out.ok());
  EXPECT_EQ(out.code(), code_text(Code::NewerOpset));
  EXPECT_EQ(out.message().severity, Message::Severity::Warning);
  EXPECT_EQ(
      out.message().text,
      cat("the model uses a newer operator set than this build knows: ai.onnx 1000, known up to ", newest_opset("")));
  EXPECT_TRUE(converted("Abs", {"x"}, {"y"}, static_cast<int>(newest_opset(""))).conversion->messages().empty());
}

TEST(DecomposeFunction, KeepsItsFormInTheFrontPhase) {
  Extensions extensions;
  std::vector<std::string> seen;
  test::add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (Node* node : graph.nodes("ThresholdedRelu")) seen.push_back(cat(node->name(), " ", node->get_float("alpha")));
  });
  OnnxGraph model;
  model.input("x", "2,3").node("ThresholdedRelu", {"x"}, {"y"}, {}, "n").output("y");
  const Converted out = convert_model(model, &extensions);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(seen, std::vector<std::string>{"n 0"});
  EXPECT_EQ(test::text_of(out.layer("n"), "type"), "Select");
  EXPECT_EQ(out.layers("Less").size(), 1u);
}

TEST(DecomposeFunction, ErrorsNameTheUsersNode) {
  constexpr int kText = 8;
  OnnxGraph model;
  model.input("x", "2,3", kText).node("ThresholdedRelu", {"x"}, {"y"}, {}, "n").output("y");
  const Converted out = convert_model(model);
  EXPECT_FALSE(out.ok());
  EXPECT_EQ(out.message().node, "n");
}

}  // namespace
}  // namespace mo::onnx
