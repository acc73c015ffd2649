// Graphs inside graphs: A-32, T-09, and what holds for every body.
#include <gtest/gtest.h>

#include "core/build/loop_builder.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

/// y = Loop(n, x): ReLU in its body.
OnnxGraph loop_model() {
  OnnxGraph body;
  body.input("i", "", OnnxGraph::kInt64).input("go", "", OnnxGraph::kBool).input("v", "2");
  body.node("Identity", {"go"}, {"on"}).node("Relu", {"v"}, {"w"}).output("on").output("w");
  OnnxGraph graph;
  graph.input("n", "", OnnxGraph::kInt64).input("x", "2");
  graph.node("Loop", {"n", "", "x"}, {"y"}, {onnx_graph_attribute("body", body)}, "loop").output("y");
  return graph;
}

std::vector<std::string> types_in(pugi::xml_node owner, const char* body) {
  std::vector<std::string> types;
  for (const pugi::xml_node layer : owner.child(body).child("layers")) types.push_back(text_of(layer, "type"));
  return types;
}
bool has_type(const std::vector<std::string>& types, std::string_view type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

Converted convert_with_tanh(bool only_model) {
  Extensions extensions;
  add_transform(extensions, "ToTanh", Phase::Middle, [](Graph& graph) {
    for (Node* node : graph.nodes("ReLU")) node->set_op("Tanh");
  }).only_model = only_model;
  return convert_model(loop_model(), &extensions);
}

TEST(Spec, A_32_TransformationsRunInBodies) {
  const Converted converted = convert_with_tanh(false);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  const auto types = types_in(converted.layers("Loop").at(0), "body");
  EXPECT_TRUE(has_type(types, "Tanh"));
  EXPECT_FALSE(has_type(types, "ReLU"));
}

TEST(Spec, T_09_NotRecursivelyMeansTheModelAlone) {
  const Converted converted = convert_with_tanh(true);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  const auto types = types_in(converted.layers("Loop").at(0), "body");
  EXPECT_TRUE(has_type(types, "ReLU"));
  EXPECT_FALSE(has_type(types, "Tanh"));
}

TEST(Bodies, WhatIsEditedInABodyIsInferredWithItsOwner) {
  Extensions extensions;
  add_transform(extensions, "Widen", Phase::Middle, [](Graph& graph) {
    if (!graph.owner()) return;
    Node& relu = *graph.nodes("ReLU").at(0);
    Builder b(relu);
    const OutPort wide = b.concat({relu.source(0), relu.source(0)}, 0);
    relu.in(0).connect(wide);
  });
  const Converted converted = convert_model(loop_model(), &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  // The carried value now grows: its dimension is unknown inside and outside.
  EXPECT_EQ(dims(converted.layers("Loop").at(0)), "-1");
}

TEST(Bodies, LoopsNestedTooDeeplyAreAnError) {
  OnnxGraph inner;
  inner.input("i", "", OnnxGraph::kInt64).input("go", "", OnnxGraph::kBool).input("v", "2");
  inner.node("Identity", {"go"}, {"on"}).node("Relu", {"v"}, {"w"}).output("on").output("w");
  for (int depth = 0; depth < 40; ++depth) {
    OnnxGraph outer;
    outer.input("i", "", OnnxGraph::kInt64).input("go", "", OnnxGraph::kBool).input("v", "2");
    outer.node("Identity", {"go"}, {"on"});
    outer.node("Loop", {"i", "", "v"}, {"w"}, {onnx_graph_attribute("body", inner)}).output("on").output("w");
    inner = outer;
  }
  OnnxGraph graph;
  graph.input("n", "", OnnxGraph::kInt64).input("x", "2");
  graph.node("Loop", {"n", "", "x"}, {"y"}, {onnx_graph_attribute("body", inner)}).output("y");
  EXPECT_EQ(convert_model(graph).code(), code_text(Code::TooDeep));
}

TEST(Bodies, ManyLoopsInEachOtherEnd) {
  OnnxGraph inner;
  inner.input("i", "", OnnxGraph::kInt64).input("go", "", OnnxGraph::kBool).input("v", "1,2");
  inner.node("Identity", {"go"}, {"on"}).node("Concat", {"v", "v"}, {"w"}, {onnx_attribute("axis", int64_t{0})});
  inner.output("on").output("w");
  for (int depth = 0; depth < 20; ++depth) {
    OnnxGraph outer;
    outer.input("i", "", OnnxGraph::kInt64).input("go", "", OnnxGraph::kBool).input("v", "1,2");
    outer.node("Identity", {"go"}, {"on"});
    outer.node("Loop", {"i", "", "v"}, {"w"}, {onnx_graph_attribute("body", inner)}).output("on").output("w");
    inner = outer;
  }
  OnnxGraph graph;
  graph.input("n", "", OnnxGraph::kInt64).input("x", "1,2");
  graph.node("Loop", {"n", "", "x"}, {"y"}, {onnx_graph_attribute("body", inner)}).output("y");
  const Converted converted = convert_model(graph);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  // In deep loops only the rank is known: each try would infer all inner loops again.
  EXPECT_EQ(dims(converted.layers("Loop").at(0)), "-1,-1");
}

TEST(Bodies, ABackEdgeWithoutItsResultIsAnError) {
  Extensions extensions;
  add_transform(extensions, "Break", Phase::Middle, [](Graph& graph) {
    for (Node* parameter : graph.parameters)
      if (parameter->has("back_edge")) parameter->set("back_edge", int64_t{77}), parameter->require_shape_inference();
  });
  const Converted converted = convert_model(loop_model(), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::InvalidGraph));
}

}  // namespace
}  // namespace mo::test
