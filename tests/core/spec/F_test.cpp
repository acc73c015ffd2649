// The front phase.

#include <set>

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

OnnxGraph dynamic_model() {
  OnnxGraph model;
  model.input("x", "N,3,8,8").node("Relu", {"x"}, {"y"}, {}, "relu").output("y");
  return model;
}

TEST(Spec, F_01_AnUndefinedDimensionIsDynamicUnlessShapesAreStatic) {
  EXPECT_EQ(dims(convert_model(dynamic_model()).layer("relu")), "-1,3,8,8");
  const Converted refused = convert_model(dynamic_model(), nullptr, {{"static_shape", "True"}});
  EXPECT_EQ(refused.code(), code_text(Code::UndefinedInputShape));
  EXPECT_EQ(refused.message().node, "x");
  EXPECT_EQ(std::count(refused.trace.begin(), refused.trace.end(), "infer:PartialInfer"), 0);
  const Converted given =
      convert_model(dynamic_model(), nullptr, {{"static_shape", "True"}, {"input_shape", "[1,3,8,8]"}});
  EXPECT_EQ(dims(given.layer("relu")), "1,3,8,8");
  EXPECT_TRUE(convert_model(chain({"Relu"}), nullptr, {{"static_shape", "True"}}).ok());
}

TEST(Spec, F_02_AGivenShapeOverridesTheModels) {
  const Converted converted = convert_model(chain({"Relu"}), nullptr, {{"input_shape", "[5,7]"}});
  EXPECT_EQ(dims(converted.layer("Relu")), "5,7");
  EXPECT_EQ(text_of(converted.layer("x").child("data"), "shape"), "5,7");
}

TEST(Spec, F_03_OnlyInputsAndConstantsHaveShapes) {
  bool parameter = false, constant = false, between = true;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    parameter = graph.parameters[0]->attributes.get_if<PartialShape>("shape")->is_static();
    constant = graph.nodes("Const")[0]->out().tensor().shape == PartialShape(Shape{3});
    between = graph.find("Op1")->out().tensor().shape.has_rank();
  });
  ASSERT_TRUE(convert_model(five_operations(), &extensions).ok());
  EXPECT_TRUE(parameter && constant);
  EXPECT_FALSE(between);
}

TEST(Spec, F_04_TheGraphHoldsOperationsOnly) {
  std::string ops;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (const Node* node : graph.nodes()) ops += node->op() + " ";
  });
  ASSERT_TRUE(convert_model(chain({"Relu", "Abs"}), &extensions).ok());
  EXPECT_EQ(ops, "Parameter ReLU Abs Result ");
}

TEST(Spec, F_05_AnAttributeMayBecomeAnInput) {
  OnnxGraph model;
  model.input("x", "1,2,3").node("Foo", {"x"}, {"y"}, {onnx_attribute("k", 2)}, "foo", "com.acme").output("y");
  Extensions extensions;
  add_transform(extensions, "Normalize", Phase::Front, [](Graph& graph) {
    Node& foo = *graph.find("foo");
    foo.set_op("Unsqueeze");
    foo.add_in_port(1);
    foo.in(1).connect(graph.constant(make_i64({foo.get_int("k")}), "foo/k"));
    foo.attributes.erase("k");
  });
  const Converted converted = convert_model(model, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(dims(converted.layer("foo")), "1,2,1,3");
  EXPECT_EQ(text_of(converted.source(converted.layer("foo"), 1), "name"), "foo/k");
}

/// Flatten by operations that compute the target shape.
void flatten_by_shape(Graph& graph) {
  for (Node* node : graph.nodes("FlattenONNX")) {
    Builder b(*node);
    const OutPort head = b.gather(b.shape_of(node->source(0)), b.i64({0, 1}), 0);
    const OutPort target = b.concat({b.reduce("ReduceProd", head, {0}, true), b.i64({-1})}, 0);
    node->out().connection().set_source(b.op("Reshape", {node->source(0), target}));
    graph.remove(*node);
  }
}

TEST(Spec, F_06_ShapesCanBeComputedByOperations) {
  OnnxGraph model;
  model.input("x", "A,B,4,5").node("Flatten", {"x"}, {"y"}, {onnx_attribute("axis", 2)}, "flat").output("y");
  Extensions extensions;
  add_transform(extensions, "FlattenToReshape", Phase::Front, flatten_by_shape);
  const Converted converted = convert_model(model, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(dims(converted.layers("Reshape").at(0)), "-1,-1");
  EXPECT_EQ(converted.layers("ReduceProd").size(), 1u);
  EXPECT_EQ(dims(convert_model(model, &extensions, {{"input_shape", "[2,3,4,5]"}}).layers("Reshape").at(0)), "6,20");
  EXPECT_EQ(dims(convert_model(model, &extensions, {{"input_shape", "[7,1,4,5]"}}).layers("Reshape").at(0)), "7,20");
}

TEST(Spec, F_07_BuiltInRewritesFreezeNoShape) {
  OnnxGraph model;
  model.input("x", "2,3,4").node("Flatten", {"x"}, {"y"}, {onnx_attribute("axis", 2)}, "flat").output("y");
  const Converted converted = convert_model(model);
  const pugi::xml_node reshape = converted.layers("Reshape").at(0);
  EXPECT_EQ(dims(reshape), "6,4");
  EXPECT_NE(text_of(converted.source(reshape, 1), "type"), "Const");
  EXPECT_EQ(converted.layers("ShapeOf").size(), 1u);
}

TEST(Spec, F_08_AndX_06_ATransformationServesItsFrameworkOnly) {
  std::set<std::string> ran;
  Extensions extensions;
  add_transform(extensions, "ForAll", Phase::Front, [&](Graph&) { ran.insert("all"); });
  add_transform(
      extensions, "ForOnnx", Phase::Front, [&](Graph&) { ran.insert("onnx"); }, "onnx");
  add_transform(
      extensions, "ForTf", Phase::Front, [&](Graph&) { ran.insert("tf"); }, "tf");
  ASSERT_TRUE(convert_model(chain({"Relu"}), &extensions).ok());
  EXPECT_EQ(ran, (std::set<std::string>{"all", "onnx"}));
}

TEST(Spec, F_08_OneForAnotherFrameworkMayBeNamed) {
  Extensions extensions;
  add_transform(extensions, "ForTf", Phase::Front, {}, "tf");
  add_transform(extensions, "Behind", Phase::Front).after = {"ForTf"};
  EXPECT_EQ(convert_model(chain({"Relu"}), &extensions).code(), "");
  EXPECT_EQ(convert_model(chain({"Relu"}), &extensions, {{"disabled_transforms", "ForTf"}}).code(), "");
}

TEST(Spec, F_10_AndO_09_AnOperationWithoutInferenceMustGoInTheFrontPhase) {
  Extensions extensions;
  UserOp internal;
  internal.op = "Foo";
  internal.is_extractor = true;
  extensions.ops.push_back(internal);
  const Converted left = convert_model(chain({"Foo"}), &extensions);
  EXPECT_EQ(left.code(), code_text(Code::NoInfer));
  EXPECT_EQ(left.message().node, "Foo");
  add_transform(extensions, "Replace", Phase::Front, [](Graph& graph) { graph.nodes("Foo")[0]->set_op("Abs"); });
  EXPECT_EQ(convert_model(chain({"Foo"}), &extensions).layers("Abs").size(), 1u);
}

TEST(Spec, F_11_TheFrontPhaseLiesBetweenExtractionAndInference) {
  Extensions extensions;
  add_transform(extensions, "Mine", Phase::Front);
  const std::vector<std::string> trace = convert_model(chain({"Relu"}), &extensions).trace;
  const auto at = [&](const std::string& step) { return std::find(trace.begin(), trace.end(), step) - trace.begin(); };
  EXPECT_LT(at("extract:"), at("front:Mine"));
  EXPECT_LT(at("front:Mine"), at("infer:PartialInfer"));
  EXPECT_LT(at("infer:PartialInfer"), static_cast<std::ptrdiff_t>(trace.size()));
}

}  // namespace
}  // namespace mo::test
