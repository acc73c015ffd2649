// What extensions are for, end to end.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

std::string without_rt_info(const std::string& xml) { return xml.substr(0, xml.find("<rt_info>\n\t\t<MO")); }

TEST(Spec, U_01_ABuiltInTransformationCanBeWrittenByTheUser) {
  const OnnxGraph model = chain({"Relu", "Identity", "Abs"});
  Extensions extensions;
  ScriptedTransform& mine = add_transform(extensions, "MyRemoveIdentity", Phase::Middle, [](Graph& graph) {
    for (Node* node : graph.nodes("Identity")) {
      node->out(0).connection().set_source(node->source(0), TensorNames::Merge);
      graph.remove(*node);
    }
  });
  mine.after = {"PreMiddleStart"}, mine.before = {"MiddleStart"};
  const std::vector<OptionText> off = {{"disabled_transforms", "RemoveIdentity"}};
  const Converted converted = convert_model(model, &extensions, off);
  ASSERT_TRUE(converted.ok());
  EXPECT_EQ(without_rt_info(converted.xml()), without_rt_info(convert_model(model).xml()));
  EXPECT_NE(without_rt_info(converted.xml()), without_rt_info(convert_model(model, nullptr, off).xml()));
}

TEST(Spec, U_02_AnUnknownOperationIsRewrittenIntoKnownOnes) {
  const OnnxGraph model = chain({"Relu", "Cube"}, "com.acme");
  const OnnxGraph known = chain({"Cube"});
  EXPECT_EQ(convert_model(known).code(), code_text(Code::UnsupportedOp));
  Extensions extensions;
  add_transform(extensions, "CubeToMul", Phase::Front, [](Graph& graph) {
    for (Node* node : graph.nodes("Cube")) {
      Builder b(*node);
      const OutPort x = node->source(0);
      node->out().connection().set_source(b.op("Mul", {b.op("Mul", {x, x}), x}));
      graph.remove(*node);
    }
  });
  const Converted converted = convert_model(known, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.layers("Multiply").size(), 2u);
  EXPECT_TRUE(converted.layers("Cube").empty());
  // If the rewrite leaves one, it is reported as without extensions.
  extensions.transforms.clear();
  add_transform(extensions, "Idle", Phase::Front);
  const Converted left = convert_model(known, &extensions);
  EXPECT_EQ(left.code(), code_text(Code::UnsupportedOp));
  EXPECT_EQ(left.message().node, "Cube");
}

TEST(Spec, U_02_OnlyUnknownOperationsWaitForTheRewrite) {
  Extensions extensions;
  add_transform(extensions, "WithoutCast", Phase::Front, [](Graph& graph) {
    for (Node* node : graph.nodes("Cast")) {
      node->out().connection().set_source(node->source(0));
      graph.remove(*node);
    }
  });
  const Converted converted = convert_model(chain({"Cast"}), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::MissingAttribute)) << converted.message().text;
  EXPECT_EQ(converted.message().node, "Cast");
}

TEST(Spec, U_02_AnUnknownOperationCalledAsAnInternalOneIsNotTakenForIt) {
  Extensions extensions;
  add_transform(extensions, "Idle", Phase::Front);
  for (const char* op : {"FakeQuantize", "Result", "Parameter"}) {
    const Converted converted = convert_model(chain({"Relu", op}, "com.acme"), &extensions);
    EXPECT_FALSE(converted.ok());
    EXPECT_EQ(convert_model(chain({op}, "com.acme"), &extensions).code(), code_text(Code::UnsupportedOp)) << op;
  }
}

TEST(Spec, U_03_ASubGraphBecomesOneOperation) {
  OnnxGraph model;  // x / (1 + exp(-(beta * x)))
  model.input("x", "2,3").weight(onnx_floats("beta", {}, {1.5f})).weight(onnx_floats("one", {}, {1}));
  model.node("Mul", {"x", "beta"}, {"m"}).node("Neg", {"m"}, {"n"}).node("Exp", {"n"}, {"e"});
  model.node("Add", {"e", "one"}, {"a"}).node("Div", {"x", "a"}, {"y"}, {}, "div").output("y");
  Extensions extensions;
  ScriptedTransform& fuse = add_transform(extensions, "FuseSwish", Phase::Front, [](Graph& graph) {
    Node& div = *graph.find("div");
    const OutPort product = div.source(1).node().source(0).node().source(0).node().source(0);
    ASSERT_EQ(product.node().op(), "Mul");
    Node& swish = Builder(div).node("Swish", {div.source(0), product.node().source(1)});
    div.out().connection().set_source(swish);
    graph.rename_nodes({{&div, "div/TBR"}, {&swish, "div"}});
  });
  fuse.before = {"SwishFusion"};
  // The built-in transformation does the same: without it only the extension can.
  const std::vector<OptionText> off = {{"disabled_transforms", "SwishFusion"}};
  EXPECT_EQ(text_of(convert_model(model, nullptr, off).layer("div"), "type"), "Divide");
  const Converted converted = convert_model(model, &extensions, off);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(text_of(converted.layer("div"), "type"), "Swish");
  EXPECT_EQ(converted.layers().size(), 4u);  // x, beta, Swish, Result
}

TEST(Spec, U_04_AndX_02_ACustomOperationIsReadAndWritten) {
  OnnxGraph model;
  model.input("x", "2,3").node("Roll", {"x"}, {"y"}, {onnx_attribute("shift", 2)}, "roll", "com.acme").output("y");
  Extensions extensions;
  UserOp op = same_shape_op("MyRoll", "AcmeRoll");
  op.ir_attributes = [](const Node& node, IrAttributes& out) { out.add("by", node.get_int("by")); };
  extensions.ops.push_back(op);
  extensions.extractors.push_back({"Roll",
                                   "onnx",
                                   nullptr,
                                   [](Node& node) {
                                     node.set("by", node.get_int("shift"));
                                     node.set_op("MyRoll");
                                     return true;
                                   },
                                   {}});
  const Converted converted = convert_model(model, &extensions);
  EXPECT_EQ(text_of(converted.layer("roll"), "type"), "AcmeRoll");
  EXPECT_EQ(text_of(converted.layer("roll").child("data"), "by"), "2");
}

TEST(Spec, U_05_TypesComeWithAnOperationSet) {
  const Converted converted = convert_model(five_operations());
  EXPECT_EQ(converted.layers().size(), 10u);
  for (const pugi::xml_node layer : converted.layers()) {
    const std::string version = text_of(layer, "version");
    EXPECT_TRUE(version.size() > 5 && version.substr(0, 5) == "opset") << text_of(layer, "type");
  }
}

TEST(Spec, U_06_PhasesFollowOneAnother) {
  Extensions extensions;
  for (const Phase phase : {Phase::Back, Phase::Middle, Phase::Front})
    add_transform(extensions, cat("Mine", phase_name(phase)), phase);
  std::vector<std::string> phases;
  const Converted converted = convert_model(chain({"Relu"}), &extensions);
  for (const std::string& step : converted.trace) {
    const std::string phase = step.substr(0, step.find(':'));
    if (phases.empty() || phases.back() != phase) phases.push_back(phase);
  }
  EXPECT_EQ(phases,
            (std::vector<std::string>{"load", "extract", "front", "infer", "middle", "layout", "back", "emit"}));
}

}  // namespace
}  // namespace mo::test
