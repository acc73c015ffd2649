// Rewrites of Model Optimizer that its samples use.

#include <algorithm>

#include "core/pipeline/transforms.h"
#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

/// x * Tanh(SoftPlus(of)), the product in either order, followed by Abs.
OnnxGraph mish(bool reversed, const std::string& of = "x") {
  OnnxGraph model;
  model.input("x", "2,3").input("z", "2,3").node("Softplus", {of}, {"p"}, {}, "softplus");
  model.node("Tanh", {"p"}, {"t"}, {}, "tanh");
  model.node("Mul", reversed ? Texts{"t", "x"} : Texts{"x", "t"}, {"m"}, {}, "product");
  return model.node("Abs", {"m"}, {"y"}, {}, "abs").output("y");
}

bool is_registered(std::string_view name, Phase phase) {
  for (const TransformRow& row : all_transforms())
    if (row.name == name && row.phase == phase) return true;
  return false;
}

TEST(Spec, A_11_A_12_A_14_MishTakesTheNameOfTheProductInEitherOrder) {
  for (const bool reversed : {false, true}) {
    const Converted converted = convert_model(mish(reversed));
    ASSERT_TRUE(converted.ok()) << converted.message().text;
    EXPECT_EQ(text_of(converted.layer("product"), "type"), "Mish");
    EXPECT_EQ(text_of(converted.source(converted.layer("product"), 0), "name"), "x");
    EXPECT_EQ(text_of(converted.source(converted.layer("abs"), 0), "name"), "product");
    EXPECT_TRUE(converted.layers("Tanh").empty());
  }
}

TEST(Spec, A_13_NoMishOfTwoTensors) {
  const Converted converted = convert_model(mish(false, "z"));
  EXPECT_TRUE(converted.layers("Mish").empty());
  EXPECT_EQ(text_of(converted.layer("product"), "type"), "Multiply");
}

TEST(Spec, A_14_TheProductIsToBeRemoved) {
  std::string name;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) { name = graph.find("product")->name(); }).after = {
      "MishFusion"};
  ASSERT_TRUE(convert_model(mish(false), &extensions).ok());
  EXPECT_EQ(name, "product/TBR");
}

TEST(Spec, A_15_SoftplusComesBeforeMish) {
  OnnxGraph model;
  model.input("x", "2,3")
      .weight(onnx_floats("one", {}, {1}))
      .node("Exp", {"x"}, {"e"})
      .node("Add", {"one", "e"}, {"s"});
  model.node("Log", {"s"}, {"p"}).node("Tanh", {"p"}, {"t"}).node("Mul", {"x", "t"}, {"y"}, {}, "product").output("y");
  const Converted converted = convert_model(model);
  EXPECT_EQ(converted.layers().size(), 3u);
  EXPECT_EQ(text_of(converted.layer("product"), "type"), "Mish");
  const auto at = [&](std::string_view name) {
    return std::find(converted.trace.begin(), converted.trace.end(), cat("front:", name)) - converted.trace.begin();
  };
  EXPECT_LT(at("SoftplusFusion"), at("MishFusion"));
}

TEST(Spec, A_23_NoOpsAndUnusedConstantsAreErased) {
  EXPECT_TRUE(is_registered("NoOpEraser", Phase::Front) && is_registered("StandaloneConstEraser", Phase::Front));
  OnnxGraph model = chain({"Relu"});
  model.weight(onnx_floats("unused", {1}, {1})).weight(onnx_floats("output", {1}, {1})).output("output");
  bool before = false, after = true, used = false, noop = true;
  Extensions extensions;
  add_transform(extensions, "Spoil", Phase::Front, [&](Graph& graph) {
    Node& node = graph.add_node("NoOp", "noop");
    node.add_out_ports(1);
    Node& result = graph.add_node("Result", "nothing");
    result.add_in_ports(1);
    result.in(0).connect(node);
    graph.constant(make_f32({1}, {1}), "unused");
    before = graph.find("unused") != nullptr;
  }).before = {"NoOpEraser", "StandaloneConstEraser"};
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    after = graph.find("unused") != nullptr;
    noop = !graph.nodes("NoOp").empty() || graph.find("nothing");
    used = graph.find("output") != nullptr;
  }).after = {"NoOpEraser", "StandaloneConstEraser"};
  const Converted converted = convert_model(model, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_TRUE(before && used);
  EXPECT_FALSE(after || noop);
  EXPECT_EQ(converted.layers("Result").size(), 2u);
}

TEST(Spec, A_24_ShufflenetReLUReorderIsRegistered) { EXPECT_TRUE(is_registered("ShufflenetReLUReorder", Phase::Back)); }

TEST(Spec, A_25_AndB_04_GatherGetsItsAxisAsAnInput) {
  EXPECT_TRUE(is_registered("GatherNormalizer", Phase::Back));
  Extensions extensions;
  add_transform(extensions, "Attributed", Phase::Front, [](Graph& graph) {
    Node& relu = *graph.find("Relu");
    Node& gather = graph.add_node("Gather", "gather");
    gather.add_in_ports(2);
    gather.add_out_ports(1);
    gather.set("axis", int64_t{1});
    relu.out(0).connection().set_source(gather);
    gather.in(0).connect(relu.out(0));
    gather.in(1).connect(graph.constant(make_i64({2, 0}), "indices").out(0));
  });
  bool before = true;
  add_transform(extensions, "Look", Phase::Back, [&](Graph& graph) {
    before = graph.find("gather")->has_in(2);
  }).before = {"GatherNormalizer"};
  const Converted converted = convert_model(chain({"Relu"}), &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  const pugi::xml_node gather = converted.layer("gather");
  EXPECT_EQ(text_of(converted.source(gather, 2), "type"), "Const");
  EXPECT_EQ(dims(gather), "2,2");
  EXPECT_FALSE(before);
}

/// Ends in Normalize, whose definition the user supplies.
Converted normalized(const std::vector<float>& weights, bool across_spatial,
                     const std::vector<OptionText>& options = {}) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Normalize", "Normalize"));
  add_transform(extensions, "Normalizes", Phase::Front, [&](Graph& graph) {
    Node& relu = *graph.find("Relu");
    Node& normalize = graph.add_node("Normalize", "normalize");
    normalize.add_in_ports(2);
    normalize.add_out_ports(1);
    normalize.set("across_spatial", across_spatial);
    normalize.set("eps", 0.5);
    relu.out(0).connection().set_source(normalize);
    normalize.in(0).connect(relu.out(0));
    const auto count = static_cast<int64_t>(weights.size());
    normalize.in(1).connect(graph.constant(make_f32({count}, weights), "weights").out(0));
  });
  return convert_model(chain({"Relu"}), &extensions, options);
}

TEST(Spec, A_26_NormalizeBecomesNormalizeL2) {
  const Converted plain = normalized({1, 1, 1}, true);
  ASSERT_TRUE(plain.ok()) << plain.message().text;
  EXPECT_EQ(text_of(plain.layer("normalize"), "type"), "NormalizeL2");
  EXPECT_EQ(text_of(plain.layer("normalize").child("data"), "eps_mode"), "add");
  const Converted weighted = normalized({1, 2, 3}, false);
  ASSERT_TRUE(weighted.ok()) << weighted.message().text;
  EXPECT_EQ(text_of(weighted.layer("normalize"), "type"), "Multiply");
  EXPECT_EQ(text_of(weighted.source(weighted.layer("normalize"), 0), "type"), "NormalizeL2");
  EXPECT_EQ(dims(weighted.source(weighted.layer("normalize"), 1)), "1,3");
}

TEST(Spec, A_26_ItIsSwitchedByItsFullName) {
  const Converted off = normalized(
      {1, 1, 1}, true, {{"disabled_transforms", "extensions.back.NormalizeToNormalizeL2.NormalizeToNormalizeL2"}});
  ASSERT_TRUE(off.ok()) << off.message().text;
  EXPECT_EQ(text_of(off.layer("normalize"), "type"), "Normalize");
}

TEST(Spec, A_27_ANormBecomesOneOperation) {
  EXPECT_TRUE(is_registered("L2NormToNorm", Phase::Middle));
  OnnxGraph model;
  model.input("x", "2,3")
      .weight(onnx_floats("eps", {}, {0.5f}))
      .node("ReduceL2", {"x"}, {"l"}, {onnx_attribute("axes", std::vector<int64_t>{1})});
  model.node("Max", {"l", "eps"}, {"m"}).node("Div", {"x", "m"}, {"y"}, {}, "div").output("y");
  const Converted converted = convert_model(model);
  EXPECT_EQ(text_of(converted.layer("div"), "type"), "NormalizeL2");
  EXPECT_EQ(converted.layers().size(), 4u);
}

TEST(Spec, A_28_ACycleIsAnError) {
  for (const bool cyclic : {false, true}) {
    TransformRow row{};
    for (const TransformRow& other : all_transforms())
      if (other.name == "CheckForCycle") row = other;
    ASSERT_TRUE(row.make);
    StagedGraph g(Stage::Middle);
    Node &a = g.add("ReLU", "a", 1, 1), &b = g.add("ReLU", "b", 1, 1);
    b.in(0).connect(a.out(0));
    if (cyclic) a.in(0).connect(b.out(0));
    const std::string links = g.links();
    try {
      row.make()->find_and_replace_pattern(g.graph);
      EXPECT_FALSE(cyclic);
      EXPECT_EQ(g.links(), links);
    } catch (const Error& error) {
      EXPECT_TRUE(cyclic && error.code() == Code::CyclicGraph);
    }
  }
}

}  // namespace
}  // namespace mo::test
