// The middle and the back phase.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

Node& free_node(Graph& graph, std::string op, const std::string& name) {
  Node& node = graph.add_node(std::move(op), name);
  node.add_in_ports(1);
  node.add_out_ports(1);
  return node;
}

/// Inserts a node of that op after the node "Relu".
std::function<void(Graph&)> put_behind_relu(const std::string& op, const Attributes& attributes = {}) {
  return [op, attributes](Graph& graph) {
    Node& node = free_node(graph, op, "put");
    node.attributes = attributes;
    graph.find("Relu")->out().connection().insert_node(node);
  };
}

TEST(Spec, M_01_EveryOutputHasAShapeFromTheMiddlePhaseOn) {
  int outputs = 0;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Middle, [&](Graph& graph) {
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->out_count(); ++i, ++outputs) EXPECT_TRUE(node->out(i).tensor().shape.has_rank());
  }).after = {"PreMiddleStart"};
  ASSERT_TRUE(convert_model(five_operations(), &extensions).ok());
  EXPECT_EQ(outputs, 10);
}

TEST(Spec, M_02_AnAddedOperationNeedsAShape) {
  Extensions extensions;
  UserOp op;
  op.op = op.type = "Foo";
  extensions.ops.push_back(op);
  add_transform(extensions, "Put", Phase::Middle, put_behind_relu("Foo"));
  EXPECT_EQ(convert_model(chain({"Relu", "Abs"}), &extensions).code(), code_text(Code::NoInfer));
  extensions.ops[0] = same_shape_op("Foo", "Foo");
  const Converted converted = convert_model(chain({"Relu", "Abs"}), &extensions);
  EXPECT_EQ(dims(converted.layer("put")), "2,3");
}

TEST(Spec, M_02_AShapeSetByHandNeedsNoInfer) {
  Extensions extensions;
  UserOp op;
  op.op = op.type = "Foo";
  extensions.ops.push_back(op);
  add_transform(extensions, "Put", Phase::Middle, [](Graph& graph) {
    put_behind_relu("Foo")(graph);
    graph.find("put")->out().tensor().shape = Shape{3, 2};
  });
  const Converted converted = convert_model(chain({"Relu", "Abs"}), &extensions);
  EXPECT_EQ(dims(converted.layer("put")), "3,2");
  EXPECT_EQ(dims(converted.layer("Abs")), "3,2");
}

TEST(Spec, M_02_AnOperationThatWasNeverInferredIsNotWritten) {
  Extensions extensions;
  add_transform(extensions, "Put", Phase::Middle, [](Graph& graph) {
    Node& scalar = graph.add_node("Const", "never");  // not by Graph::constant
    scalar.set("value", make_f32_scalar(1));
    scalar.add_out_ports(1);
    Node& add = graph.add_node("Add", "put");
    add.add_in_ports(2);
    add.add_out_ports(1);
    graph.find("Relu")->out().connection().insert_node(add);
    add.in(1).connect(scalar);
  });
  EXPECT_EQ(convert_model(chain({"Relu", "Abs"}), &extensions).code(), code_text(Code::InvalidGraph));
}

TEST(Spec, M_03_WhatIsConnectedIsInferredByItself) {
  Extensions extensions;
  std::string seen;
  ScriptedTransform& put = add_transform(extensions, "Put", Phase::Middle, [](Graph& graph) {
    Node& transpose = graph.add_node("Transpose", "put");
    transpose.add_in_ports(2);
    transpose.add_out_ports(1);
    transpose.in(1).connect(graph.constant(make_i64({1, 0})));
    graph.find("Relu")->out().connection().insert_node(transpose);
  });
  put.before = {"Look"};
  add_transform(extensions, "Look", Phase::Middle,
                [&](Graph& graph) { seen = to_string(graph.find("put")->out().tensor().shape); });
  const Converted converted = convert_model(chain({"Relu", "Abs"}), &extensions);
  EXPECT_EQ(seen, "3,2");
  EXPECT_EQ(dims(converted.layer("put")), "3,2");
  EXPECT_EQ(dims(converted.layer("Abs")), "3,2");
}

TEST(Spec, M_04_AGenericTransformationRunsInTheMiddlePhase) {
  Extensions extensions;
  Stage stage = Stage::Load;
  add_transform(extensions, "Look", Phase::Middle, [&](Graph& graph) { stage = graph.model().stage; });
  ASSERT_TRUE(convert_model(chain({"Relu"}), &extensions).ok());
  EXPECT_EQ(stage, Stage::Middle);
}

TEST(Spec, M_05_TheMiddlePhaseLiesBehindInference) {
  Extensions extensions;
  add_transform(extensions, "Mine", Phase::Middle);
  const std::vector<std::string> trace = convert_model(chain({"Relu"}), &extensions).trace;
  const auto at = [&](const std::string& step) { return std::find(trace.begin(), trace.end(), step) - trace.begin(); };
  EXPECT_LT(at("infer:PartialInfer"), at("middle:MiddleStart"));
  EXPECT_LT(at("middle:MiddleStart"), at("middle:Mine"));
  EXPECT_LT(at("middle:Mine"), at("middle:MiddleFinish"));
}

TEST(Spec, B_01_AndB_08_TheBackPhaseFollowsTheLayoutChange) {
  Extensions extensions;
  Stage stage = Stage::Load;
  add_transform(extensions, "Mine", Phase::Back, [&](Graph& graph) { stage = graph.model().stage; });
  const std::vector<std::string> trace = convert_model(chain({"Relu"}), &extensions).trace;
  const auto at = [&](const std::string& step) { return std::find(trace.begin(), trace.end(), step) - trace.begin(); };
  EXPECT_LT(at("layout:ApplyPermutation"), at("back:BackStart"));
  EXPECT_LT(at("back:BackStart"), at("back:Mine"));
  EXPECT_LT(at("back:Mine"), at("back:BackFinish"));
  EXPECT_EQ(stage, Stage::Back);
}

TEST(Spec, B_02_TheChannelIsDimensionOne) {
  OnnxGraph model;
  model.input("x", "1,3,8,4").node("Relu", {"x"}, {"y"}, {}, "relu").output("y");
  Extensions extensions;
  Dimension channels;
  add_transform(extensions, "Look", Phase::Back,
                [&](Graph& graph) { channels = graph.find("relu")->out().tensor().shape[1]; });
  ASSERT_TRUE(convert_model(model, &extensions).ok());
  EXPECT_EQ(channels, Dimension(3));
}

TEST(Spec, B_03_InternalOperationsAreReplacedInTheBackPhase) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Internal", ""));
  extensions.ops[0].is_extractor = true;
  EXPECT_EQ(convert_model(chain({"Internal"}), &extensions).code(), code_text(Code::NotInIr));
  add_transform(extensions, "Replace", Phase::Back, [](Graph& graph) { graph.nodes("Internal").at(0)->set_op("Abs"); });
  const Converted converted = convert_model(chain({"Internal"}), &extensions);
  EXPECT_EQ(text_of(converted.layer("Internal"), "type"), "Abs");
}

TEST(Spec, B_04_InputsAreBroughtToTheSpecification) {
  Extensions extensions;
  UserOp op = same_shape_op("OneInput", "");
  op.is_extractor = true;
  extensions.ops.push_back(op);
  add_transform(extensions, "Normalize", Phase::Back, [](Graph& graph) {
    Node& node = *graph.nodes("OneInput").at(0);
    node.add_in_port(1);
    node.in(1).connect(graph.constant(make_i64({0}), "axes"));
    node.set_op("Unsqueeze");
  });
  const Converted converted = convert_model(chain({"OneInput"}), &extensions);
  EXPECT_EQ(text_of(converted.source(converted.layer("OneInput"), 1), "name"), "axes");
  EXPECT_EQ(dims(converted.layer("OneInput")), "1,2,3");
}

TEST(Spec, B_05_LastOptimisationsRunInTheBackPhase) {
  Extensions extensions;
  add_transform(extensions, "DropSecondAbs", Phase::Back, [](Graph& graph) {
    for (Node* node : graph.nodes("Abs"))
      if (node->source(0).node().op() == "Abs") {
        node->out().connection().set_source(node->source(0));
        graph.remove(*node);
      }
  });
  OnnxGraph model;
  model.input("x", "2").node("Abs", {"x"}, {"a"}).node("Abs", {"a"}, {"y"}).output("y");
  EXPECT_EQ(convert_model(model, &extensions).layers("Abs").size(), 1u);
}

TEST(Spec, B_06_OneBodyServesTheMiddleAndTheBackPhase) {
  std::vector<std::string> xml;
  for (const Phase phase : {Phase::Middle, Phase::Back}) {
    Extensions extensions;
    add_transform(extensions, "Put", phase, put_behind_relu("SoftMax", {{"axis", int64_t{1}}}));
    xml.push_back(convert_model(chain({"Relu", "Abs"}), &extensions).xml());
  }
  EXPECT_NE(xml[0].find("SoftMax"), std::string::npos);
  EXPECT_EQ(xml[0], xml[1]);
}

TEST(Spec, B_07_AGenericTransformationRunsInTheBackPhase) {
  Extensions extensions;
  int runs = 0;
  add_transform(extensions, "Mine", Phase::Back, [&](Graph&) { ++runs; });
  ASSERT_TRUE(convert_model(chain({"Relu"}), &extensions).ok());
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace mo::test
