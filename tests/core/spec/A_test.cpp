// Named examples.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

OnnxGraph flatten(int64_t axis) {
  OnnxGraph model;
  model.input("x", "2,3,4,5").node("Flatten", {"x"}, {"y"}, {onnx_attribute("axis", axis)}, "flat");
  return model.output("y");
}

/// The value of a Const; empty for other layers.
Ints value_of(const Converted& converted, pugi::xml_node constant) {
  if (text_of(constant, "type") != "Const") return {};
  const std::vector<std::byte> bin = converted.bin();
  const auto offset = constant.child("data").attribute("offset").as_int();
  const auto size = constant.child("data").attribute("size").as_int();
  return values_of<int64_t>(std::vector<std::byte>(bin.begin() + offset, bin.begin() + offset + size));
}

/// The value of a Reshape's constant target.
Ints target(const Converted& converted) {
  return value_of(converted, converted.source(converted.layers("Reshape").at(0), 1));
}

TEST(Spec, A_04_FlattenOfAnInnerAxisComputesItsTarget) {
  const Converted converted = convert_model(flatten(2));
  const pugi::xml_node reshape = converted.layers("Reshape").at(0);
  EXPECT_EQ(dims(reshape), "6,20");
  const pugi::xml_node concat = converted.source(reshape, 1), product = converted.source(concat, 0);
  EXPECT_EQ(text_of(concat, "type"), "Concat");
  EXPECT_EQ(value_of(converted, converted.source(concat, 1)), Ints{-1});
  EXPECT_EQ(text_of(product, "type"), "ReduceProd");
  EXPECT_EQ(text_of(converted.source(product, 0), "type"), "Slice");
  EXPECT_EQ(text_of(converted.source(converted.source(product, 0), 0), "type"), "ShapeOf");
}

TEST(Spec, A_04_ReshapedToAnotherInputItGivesThat) {
  EXPECT_EQ(dims(convert_model(flatten(2), nullptr, {{"input_shape", "[7,1,4,5]"}}).layers("Reshape").at(0)), "7,20");
  EXPECT_EQ(dims(convert_model(flatten(-1), nullptr, {{"input_shape", "[?,3,4,5]"}}).layers("Reshape").at(0)), "-1,5");
  EXPECT_EQ(dims(convert_model(flatten(2), nullptr, {{"input_shape", "[0,3,4,5]"}}).layers("Reshape").at(0)), "0,20");
  EXPECT_EQ(target(convert_model(flatten(2), nullptr, {{"static_shape", "True"}})), (Ints{6, -1}));
}

TEST(Spec, A_05_FlattenOfTheFirstAxesHasAConstantTarget) {
  EXPECT_EQ(target(convert_model(flatten(1))), (Ints{0, -1}));
  EXPECT_EQ(target(convert_model(flatten(0))), (Ints{1, -1}));
  EXPECT_TRUE(convert_model(flatten(1)).layers("ReduceProd").empty());
  EXPECT_EQ(dims(convert_model(flatten(0)).layers("Reshape").at(0)), "1,120");
}

TEST(Spec, A_07_SoftMaxIsDefinedAsTheSample) {
  const OpDef& def = *find_op("SoftMax");
  EXPECT_EQ(def.type, "SoftMax");
  EXPECT_EQ(def.version, "opset1");
  StagedGraph s;
  const Node& node = s.add("SoftMax", "n", 1, 1);
  IrAttributes attributes;
  def.ir_attributes(node, attributes);
  EXPECT_EQ(attributes.entries(), (std::vector<std::pair<std::string, std::string>>{{"axis", "1"}}));
}

TEST(Spec, A_10_AConstantsValueBecomesAnAttribute) {
  OnnxGraph model;
  model.input("x", "3").node("Constant", {}, {"c"}, {onnx_tensor_attribute("value", onnx_ints("", {3}, {1, 2, 3}))},
                             "constant");
  model.node("Expand", {"x", "c"}, {"y"}).output("y");
  Extensions extensions;
  Ints value;
  ElementType type = ElementType::Unknown;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    const Node& node = *graph.find("constant");
    EXPECT_EQ(node.op(), "Const");
    type = node.get_constant("value")->type;
    value = *read_ints(*node.get_constant("value"), graph.files());
  });
  convert_model(model, &extensions);
  EXPECT_EQ(type, ElementType::I64);
  EXPECT_EQ(value, (Ints{1, 2, 3}));
}

TEST(Spec, A_28_ACycleIsToldAndNothingElseChanges) {
  FourOperations s;
  s.graph.topological_order();
  EXPECT_EQ(s.links(), FourOperations::kLinks);
  s.op1->in(2).connect(s.op4->out());
  EXPECT_CODE(Code::CyclicGraph, s.graph.topological_order());
}

TEST(Spec, A_30_SplitHasTwoInputsAndAsManyOutputsAsParts) {
  OnnxGraph model;
  model.input("x", "2,6").node("Split", {"x"}, {"a", "b", "c"}, {onnx_attribute("axis", 1)}, "split");
  const Converted converted = convert_model(model.output("a").output("b").output("c"));
  const pugi::xml_node split = converted.layer("split");
  EXPECT_EQ(text_of(split.child("data"), "num_splits"), "3");
  EXPECT_EQ(std::distance(split.child("input").begin(), split.child("input").end()), 2);
  EXPECT_EQ(std::distance(split.child("output").begin(), split.child("output").end()), 3);
}

TEST(Spec, A_31_InputsAndConstantsHaveOneOutputAndReluOneOfEach) {
  Extensions extensions;
  std::string counts;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (const char* op : {"Parameter", "Const", "ReLU"})
      for (const Node* node : graph.nodes(op)) counts += cat(op, node->in_count(), node->out_count(), " ");
  });
  ASSERT_TRUE(convert_model(five_operations(), &extensions).ok());
  EXPECT_EQ(counts, "Parameter01 Const01 ReLU11 ");
}

TEST(Spec, A_36_TheSamplesOperationsExist) {
  for (const char* op :
       {"Const", "Concat", "Unsqueeze", "Squeeze", "Mish", "Result", "RegionYolo", "Mul", "Tanh", "SoftPlus"})
    EXPECT_NE(find_op(op), nullptr) << op;
}

TEST(Spec, A_37_TheTargetsOfRewritesAreInOperationSets) {
  for (const char* op : {"ShapeOf", "ReduceProd", "Reshape", "Gather", "Transpose", "TopK"}) {
    const OpDef* def = find_op(op);
    ASSERT_NE(def, nullptr) << op;
    EXPECT_EQ(def->type, op);
    EXPECT_TRUE(def->version_of || def->version.substr(0, 5) == "opset") << op;
  }
}

}  // namespace
}  // namespace mo::test
