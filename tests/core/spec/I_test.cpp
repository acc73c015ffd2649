// Partial inference.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

/// A user's operation that counts its inferences by node.
UserOp counting_op(const std::string& op, std::map<std::string, int>& calls) {
  UserOp out = same_shape_op(op, op);
  out.is_extractor = true;
  out.infer = [&calls, infer = out.infer](Node& node) {
    ++calls[node.name()];
    infer(node);
  };
  return out;
}

/// Calls `look` in the middle phase.
void in_middle(const OnnxGraph& model, const std::function<void(Graph&)>& look) {
  Extensions extensions;
  int looks = 0;
  add_transform(extensions, "Look", Phase::Middle, [&](Graph& graph) {
    ++looks;
    look(graph);
  });
  EXPECT_EQ(convert_model(model, &extensions).code(), "");
  EXPECT_EQ(looks, 1);
}

TEST(Spec, I_01_InferenceComputesShapesAndFoldsConstants) {
  OnnxGraph model;
  model.weight(onnx_ints("a", {1}, {2})).weight(onnx_ints("b", {1}, {3}));
  model.input("x", "1").node("Add", {"a", "b"}, {"c"}).node("Expand", {"x", "c"}, {"y"}).output("y").output("c");
  Ints value;
  int without_shape = 0;
  in_middle(model, [&](Graph& graph) {
    value = graph.results[1]->source(0).tensor().ints->exact();
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->out_count(); ++i) without_shape += !node->out(i).tensor().shape.has_rank();
  });
  EXPECT_EQ(value, Ints{5});
  EXPECT_EQ(without_shape, 0);
}

TEST(Spec, I_02_AComputedShapeInputIsEvaluated) {
  OnnxGraph model;
  model.weight(onnx_ints("a", {1}, {6})).weight(onnx_ints("b", {1}, {4})).input("x", "2,3,4");
  model.node("Concat", {"a", "b"}, {"t"}, {onnx_attribute("axis", 0)}).node("Reshape", {"x", "t"}, {"y"}, {}, "r");
  EXPECT_EQ(dims(convert_model(model.output("y")).layer("r")), "6,4");
}

OnnxGraph shape_model() {
  OnnxGraph model;
  model.input("x", "2,3,4").weight(onnx_ints("zero", {1}, {0})).weight(onnx_ints("rest", {1}, {-1}));
  model.node("Shape", {"x"}, {"s"}).node("Gather", {"s", "zero"}, {"n"});
  model.node("Concat", {"n", "rest"}, {"t"}, {onnx_attribute("axis", 0)});
  return model.node("Reshape", {"x", "t"}, {"y"}, {}, "r").output("y");
}

TEST(Spec, I_03_WhatHangsOnAShapeStaysComputable) {
  const Converted converted = convert_model(shape_model());
  EXPECT_EQ(dims(converted.layer("r")), "2,12");
  EXPECT_EQ(converted.layers("ShapeOf").size(), 1u);
  EXPECT_EQ(converted.layers("Gather").size(), 1u);
  EXPECT_EQ(text_of(converted.source(converted.layer("r"), 1), "type"), "Concat");
}

TEST(Spec, I_04_StaticShapeFoldsIt) {
  const Converted converted = convert_model(shape_model(), nullptr, {{"static_shape", "True"}});
  EXPECT_TRUE(converted.layers("ShapeOf").empty());
  EXPECT_EQ(text_of(converted.source(converted.layer("r"), 1), "type"), "Const");
}

TEST(Spec, I_05_EveryOutputHasItsDimensions) {
  const Converted converted = convert_model(five_operations());
  for (const char* name : {"x", "Op1", "Op2", "Op3", "Op4", "Op5"})
    EXPECT_EQ(dims(converted.layer(name)), name == std::string("x") || name == std::string("Op1") ? "2,6" : "2,3")
        << name;
  EXPECT_EQ(dims(converted.layer("Op2"), 1), "2,3");
}

TEST(Spec, I_06_InputsAndConstantsCarryTheirShape) {
  const Converted converted = convert_model(five_operations());
  EXPECT_EQ(text_of(converted.layer("x").child("data"), "shape"), "2,6");
  EXPECT_EQ(text_of(converted.layer("w").child("data"), "shape"), "3");
}

TEST(Spec, I_08_ATensorHasAShapeAndPerhapsAValue) {
  in_middle(five_operations(), [&](Graph& graph) {
    EXPECT_TRUE(graph.find("w")->out().tensor().value.has_value());
    EXPECT_EQ(graph.find("Op1")->out().tensor().shape, PartialShape(Shape({2, 6})));
  });
}

TEST(Spec, I_09_AValueThatCannotBeComputedIsUnknown) {
  std::map<std::string, int> calls;
  Extensions extensions;
  extensions.ops.push_back(counting_op("Foo", calls));
  OnnxGraph model;
  model.input("x", "3").weight(onnx_floats("w", {3}, {1, 2, 3})).node("Relu", {"x"}, {"a"}, {}, "relu");
  model.node("Foo", {"w"}, {"b"}, {}, "foo").node("Add", {"a", "b"}, {"y"}).output("y");
  bool relu = true, foo = true;
  add_transform(extensions, "Look", Phase::Middle, [&](Graph& graph) {
    relu = graph.find("relu")->out().tensor().value.has_value();
    foo = graph.find("foo")->out().tensor().value.has_value();
  });
  EXPECT_EQ(convert_model(model, &extensions).code(), "");
  EXPECT_FALSE(relu || foo);
}

TEST(Spec, I_11_AndI_07_OneTensorForEachOutputMayFeedSeveralInputs) {
  size_t consumers = 0;
  in_middle(five_operations(), [&](Graph& graph) {
    const OutPort port = graph.nodes("Split")[0]->out(0);
    consumers = port.destinations().size();
    for (const InPort& consumer : port.destinations()) EXPECT_EQ(&consumer.source().tensor(), &port.tensor());
    EXPECT_NE(&port.tensor(), &graph.nodes("Split")[0]->out(1).tensor());
  });
  EXPECT_EQ(consumers, 2u);
}

TEST(Spec, I_12_ACycleIsToldBeforeInference) {
  for (const Phase phase : {Phase::Front, Phase::Middle, Phase::Back}) {
    Extensions extensions;
    add_transform(extensions, "Close", phase,
                  [](Graph& graph) { graph.find("Relu")->in(0).connect(graph.find("Abs")->out()); });
    const Converted converted = convert_model(chain({"Relu", "Abs"}), &extensions);
    EXPECT_EQ(converted.code(), code_text(Code::CyclicGraph));
    EXPECT_NE(converted.message().text.find("Abs <- Relu"), std::string::npos) << converted.message().text;
  }
}

TEST(Spec, I_13_EachNodeIsInferredOnceBehindItsProducers) {
  std::map<std::string, int> calls;
  std::vector<std::string> order;
  Extensions extensions;
  UserOp op = counting_op("Foo", calls);
  op.infer = [&order, infer = op.infer](Node& node) {
    order.push_back(node.name());
    infer(node);
  };
  extensions.ops.push_back(op);
  add_transform(extensions, "Reorder", Phase::Front, [](Graph& graph) {  // the node created last runs first
    Node& made = graph.add_node("Foo", "made_last");
    made.add_in_ports(1);
    made.add_out_ports(1);
    graph.find("x")->out().connection().insert_node(made);
  });
  OnnxGraph model;
  model.input("x", "2").node("Foo", {"x"}, {"a"}, {}, "first").node("Foo", {"a"}, {"y"}, {}, "second").output("y");
  ASSERT_TRUE(convert_model(model, &extensions).ok());
  EXPECT_EQ(order, (std::vector<std::string>{"made_last", "first", "second"}));
}

TEST(Spec, I_14_AnOperationWithoutInferenceIsAnErrorThatNamesIt) {
  Extensions extensions;
  UserOp op;
  op.op = op.type = "Foo";
  op.is_extractor = true;
  extensions.ops.push_back(op);
  const Converted converted = convert_model(chain({"Relu", "Foo"}), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::NoInfer));
  EXPECT_EQ(converted.message().node, "Foo");
}

TEST(Spec, I_15_InferenceComesWithTheOpWhoeverSetsIt) {
  std::map<std::string, int> calls;
  Extensions extensions;
  extensions.ops.push_back(counting_op("Foo", calls));
  extensions.ops[0].is_extractor = false;
  extensions.extractors.push_back({"Abs",
                                   "onnx",
                                   nullptr,
                                   [](Node& node) {
                                     node.set_op("Foo");
                                     return true;
                                   },
                                   {}});
  add_transform(extensions, "Rename", Phase::Front, [](Graph& graph) { graph.find("Relu")->set_op("Foo"); });
  ASSERT_TRUE(convert_model(chain({"Relu", "Abs"}), &extensions).ok());
  EXPECT_EQ(calls, (std::map<std::string, int>{{"Abs", 1}, {"Relu", 1}}));
}

TEST(Spec, I_16_InferenceMaySetTheShapeAlone) {
  Extensions extensions;
  UserOp op = same_shape_op("Foo", "Foo");
  op.is_extractor = true;
  op.infer = [](Node& node) { node.out().tensor().shape = Shape{4, 5}; };
  extensions.ops.push_back(op);
  const Converted converted = convert_model(chain({"Foo", "Abs"}), &extensions);
  EXPECT_EQ(dims(converted.layer("Foo")), "4,5");
  EXPECT_EQ(dims(converted.layer("Abs")), "4,5");
}

TEST(Spec, I_17_AndA_06_ReshapeResolvesZeroAndMinusOne) {
  OnnxGraph model;
  model.input("x", "2,3,4").weight(onnx_ints("t", {2}, {0, -1})).node("Reshape", {"x", "t"}, {"y"}, {}, "r");
  EXPECT_EQ(dims(convert_model(model.output("y")).layer("r")), "2,12");
}

TEST(Spec, I_18_AKnownInputGivesAKnownOutput) {
  OnnxGraph model;
  model.input("x", "2,3").weight(onnx_floats("w", {3, 2}, {1, 2, 3, 4, 5, 6})).weight(onnx_ints("t", {2}, {2, 3}));
  model.node("Reshape", {"w", "t"}, {"a"}).node("Reshape", {"x", "t"}, {"b"}, {}, "open");
  model.node("Add", {"a", "b"}, {"y"}, {}, "sum").output("y");
  in_middle(model, [&](Graph& graph) {
    const Node& sum = *graph.find("sum");
    ASSERT_TRUE(sum.source(0).tensor().value);
    EXPECT_EQ(sum.source(0).tensor().value->shape, (Shape{2, 3}));
    EXPECT_FALSE(sum.source(1).tensor().value);
    EXPECT_EQ(sum.source(1).tensor().shape, PartialShape(Shape({2, 3})));
  });
}

TEST(Spec, I_20_AFailedInferenceNamesItsNode) {
  Extensions extensions;
  UserOp op = same_shape_op("Foo", "Foo");
  op.is_extractor = true;
  op.infer = [](Node&) { throw Error(Code::BadValue, "no such mode"); };
  extensions.ops.push_back(op);
  const Converted converted = convert_model(chain({"Relu", "Foo"}), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::BadValue));
  EXPECT_EQ(converted.message().node, "Foo");
}

TEST(Spec, I_21_OnlyWhatChangedIsInferredAgain) {
  std::map<std::string, int> calls;
  Extensions extensions;
  extensions.ops.push_back(counting_op("Foo", calls));
  const auto put = [](const std::string& op) {
    return [op](Graph& graph) {
      Node& node = graph.add_node(op, "put");
      node.add_in_ports(1);
      node.add_out_ports(1);
      graph.find("second")->in(0).connection().insert_node(node);
    };
  };
  OnnxGraph model;
  model.input("x", "2").node("Foo", {"x"}, {"a"}, {}, "first").node("Foo", {"a"}, {"b"}, {}, "second");
  model.node("Foo", {"b"}, {"y"}, {}, "third").output("y");
  add_transform(extensions, "Put", Phase::Middle, put("Abs"));
  ASSERT_TRUE(convert_model(model, &extensions).ok());
  // The input of `second` is another tensor, but its output is unchanged.
  EXPECT_EQ(calls, (std::map<std::string, int>{{"first", 1}, {"second", 2}, {"third", 1}}));
  calls.clear();
  extensions.transforms.clear();
  add_transform(extensions, "Put", Phase::Middle, put("ShapeOf"));  // changes the shape to [1]
  ASSERT_TRUE(convert_model(model, &extensions).ok());
  EXPECT_EQ(calls, (std::map<std::string, int>{{"first", 1}, {"second", 2}, {"third", 2}}));
}

}  // namespace
}  // namespace mo::test
