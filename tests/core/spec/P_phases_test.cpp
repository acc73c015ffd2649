// Ports during a conversion; control flow.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

TEST(Spec, P_05_WhatAPortKnowsCanBeSetAndRead) {
  Extensions extensions;
  bool same = false;
  add_transform(extensions, "Set", Phase::Middle, [&](Graph& graph) {
    Tensor& tensor = graph.find("Relu")->out().tensor();
    const Tensor before = tensor;
    tensor.shape = Shape{7};
    tensor.value = make_f32({7}, std::vector<float>(7));
    same = graph.find("Relu")->out().tensor().shape == PartialShape(Shape{7}) &&
           graph.find("Relu")->out().tensor().value->shape == Shape{7};
    tensor = before;
  });
  ASSERT_TRUE(convert_model(chain({"Relu", "Abs"}), &extensions).ok());
  EXPECT_TRUE(same);
}

TEST(Spec, P_07_NothingIsKnownOfATensorBeforeInference) {
  bool shape[3] = {}, value[3] = {};
  OnnxGraph model;
  model.input("x", "1").weight(onnx_ints("a", {1}, {1})).weight(onnx_ints("b", {1}, {2}));
  model.node("Add", {"a", "b"}, {"c"}, {}, "sum").node("Expand", {"x", "c"}, {"y"}, {}, "end").output("y").output("c");
  Extensions extensions;
  const auto look = [&](int turn) {
    return [&, turn](Graph& graph) {
      const Tensor& tensor = graph.nodes("Result")[1]->source(0).tensor();
      shape[turn] = tensor.shape.has_rank(), value[turn] = tensor.value.has_value();
    };
  };
  add_transform(extensions, "LookEarly", Phase::Front, look(0));
  add_transform(extensions, "LookMiddle", Phase::Middle, look(1));
  ASSERT_TRUE(convert_model(model, &extensions).ok());
  EXPECT_FALSE(shape[0] || value[0]);
  EXPECT_TRUE(shape[1] && value[1]);
}

TEST(Spec, P_17_AnUnusedOutputHasATensorToo) {
  OnnxGraph model;
  model.input("x", "2,6").node("Split", {"x"}, {"a", "b"}, {onnx_attribute("axis", 1)}, "split").output("b");
  PartialShape seen;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Middle, [&](Graph& graph) {
    const OutPort unused = graph.nodes("Split")[0]->out(0);
    EXPECT_TRUE(unused.disconnected());
    seen = unused.tensor().shape;
  });
  ASSERT_TRUE(convert_model(model, &extensions).ok());
  EXPECT_EQ(seen, PartialShape(Shape({2, 3})));
}

TEST(Spec, P_18_TheSourceOfAnInputIsTheSameInAllPhases) {
  std::vector<std::string> seen;
  Extensions extensions;
  for (const Phase phase : {Phase::Front, Phase::Middle, Phase::Back})
    add_transform(extensions, cat("Look", phase_name(phase)), phase, [&](Graph& graph) {
      const OutPort source = graph.find("Abs")->in(0).source();
      seen.push_back(cat(source.node().name(), ":", source.index()));
    });
  ASSERT_TRUE(convert_model(chain({"Relu", "Abs"}), &extensions).ok());
  EXPECT_EQ(seen, std::vector<std::string>(3, "Relu:0"));
}

TEST(Spec, P_25_ASecondConsumerSharesTheTensor) {
  FourOperations s(Stage::Middle);
  const Tensor* tensor = &s.op3->out().tensor();
  s.op3->out().connect(s.op1->in(2));
  EXPECT_EQ(&s.op4->in(0).source().tensor(), tensor);
  EXPECT_EQ(&s.op1->in(2).source().tensor(), tensor);
}

TEST(Spec, P_12_AndO_22_PortCountsAreThoseTheNodeWasMadeWith) {
  StagedGraph s;
  Node& node = Builder(s.graph, "n").node("Anything", {OutPort(), OutPort()}, {}, 3);
  EXPECT_EQ(node.in_count(), 2);
  EXPECT_EQ(node.out_count(), 3);
}

TEST(Ports, AnOutputThatWasDeletedIsNotWritten) {
  UserOp two = same_shape_op("Two", "Two");
  two.is_extractor = true;
  two.infer = [](Node& node) { node.out(1).tensor().shape = node.source(0).tensor().shape; };
  two.type_infer = [](Node& node) { node.out(1).tensor().type = ElementType::F16; };
  OnnxGraph model;
  model.input("x", "2").node("Two", {"x"}, {"a", "b"}, {}, "two", "com.acme").output("b");
  Extensions extensions;
  extensions.ops.push_back(two);
  add_transform(extensions, "Cut", Phase::Front, [](Graph& graph) { graph.find("two")->delete_out_port(0); });
  const Converted converted = convert_model(model, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(precision(converted.layer("two")), "FP16");
  EXPECT_FALSE(converted.layer("two").child("output").first_child().next_sibling());
  EXPECT_EQ(text_of(converted.layer("two").child("output").first_child(), "id"), "2");
}

TEST(ControlFlow, OrdersNodesWithoutATensor) {
  FourOperations s;
  s.op2->control_in(0).connect(s.op4->control_out());
  EXPECT_EQ(names_of(s.graph.topological_order()), "x op1 op3 op4 op2");
  EXPECT_EQ(names_of(s.op2->control_sources()), "op4");
  EXPECT_EQ(s.links(), FourOperations::kLinks);
  EXPECT_CODE(Code::NoSuchPort, s.op4->control_out().tensor());
  EXPECT_CODE(Code::InvalidGraph, s.op4->control_out().connection());
}

TEST(ControlFlow, MayCloseACycle) {
  FourOperations s;
  s.op1->control_in(0).connect(s.op4->control_out());
  EXPECT_CODE(Code::CyclicGraph, s.graph.topological_order());
  s.op1->control_in(0).disconnect();
  EXPECT_EQ(s.graph.topological_order().size(), 5u);
}

TEST(ControlFlow, KeepsWhatANeededNodeWaitsFor) {
  FourOperations s;
  Node& result = s.add("Result", "r", 1, 0);
  result.in(0).connect(s.op3->out());
  s.op3->control_in(0).connect(s.op2->control_out());
  s.graph.clean_up();
  EXPECT_FALSE(s.op2->removed());
  EXPECT_TRUE(s.op4->removed());
  s.graph.remove(*s.op2);
  EXPECT_TRUE(s.op3->control_sources().empty());
}

}  // namespace
}  // namespace mo::test
