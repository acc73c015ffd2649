// The user's operations.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

/// An operation that accepts the framework's operation Foo.
UserOp foo(std::string type = "Foo") {
  UserOp out = same_shape_op("Foo", std::move(type));
  out.is_extractor = true;
  return out;
}

Converted convert_foo(UserOp op, const OnnxGraph& model = chain({"Foo"})) {
  Extensions extensions;
  extensions.ops.push_back(std::move(op));
  return convert_model(model, &extensions);
}

TEST(Spec, O_01_AnOperationInfersIsMadeAndIsWritten) {
  UserOp op = foo("Written");
  op.type_infer = [](Node& node) { node.out().tensor().type = ElementType::F16; };
  op.ir_attributes = [](const Node& node, IrAttributes& out) { out.add("mode", node.get_string("mode")); };
  Extensions extensions;
  extensions.ops.push_back(op);
  add_transform(extensions, "Make", Phase::Front, [](Graph& graph) {
    Node& relu = *graph.find("Relu");
    Node& made = Builder(relu).node("Foo", {relu.source(0)}, {{"mode", std::string("fast")}});
    relu.out().connection().set_source(made);
  });
  const Converted converted = convert_model(chain({"Relu"}), &extensions);
  const pugi::xml_node layer = converted.layer("Relu/Foo");
  EXPECT_EQ(text_of(layer, "type"), "Written");
  EXPECT_EQ(dims(layer), "2,3");
  EXPECT_EQ(precision(layer), "FP16");
  EXPECT_EQ(text_of(layer.child("data"), "mode"), "fast");
  EXPECT_TRUE(converted.layers("ReLU").empty());
}

TEST(Spec, O_02_ANodeHasAttributesOfItsOwn) {
  StagedGraph s;
  Attributes attributes{{"axis", int64_t{1}}};
  Node& node = Builder(s.graph, "n").node("Foo", {OutPort()}, attributes);
  attributes.set("axis", int64_t{2});
  EXPECT_EQ(node.get_int("axis"), 1);
  node.set("axis", int64_t{3});
  EXPECT_EQ(*attributes.get_if<int64_t>("axis"), 2);
}

TEST(Spec, O_03_AndO_23_TheCallersAttributesWin) {
  StagedGraph s;
  const auto axis = [&](Attributes attributes) {
    Node& node = Builder(s.graph, "n").node("SoftMax", {OutPort()}, std::move(attributes));
    IrAttributes out;
    node.definition()->ir_attributes(node, out);
    return out.entries().at(0).second;
  };
  EXPECT_EQ(axis({{"axis", int64_t{3}}}), "3");
  EXPECT_EQ(axis({}), "1");
}

TEST(Spec, O_04_IdsAreUnique) {
  StagedGraph s;
  Node& first = s.add("Abs", "n", 1, 1);
  s.graph.remove(first);
  Node &second = s.add("Abs", "n", 1, 1), &third = s.add("Abs", "n_1", 1, 1);
  EXPECT_LT(first.id(), second.id());
  EXPECT_EQ(names_of({&first, &second, &third}), "n n_1 n_1_1");
  EXPECT_EQ(s.graph.find("n"), nullptr);
  second.set_name("free");
  EXPECT_EQ(s.graph.add_node("Abs", "free").name(), "free_1");
}

TEST(Spec, O_05_ANodeWithoutANameIsCalledAsItsKey) {
  StagedGraph s;
  s.graph.add_node("Mish");
  Node& node = s.graph.add_node("Mish");
  EXPECT_EQ(node.name(), node.key());
  EXPECT_EQ(node.name(), "Mish_1");
}

TEST(Spec, O_06_AnOperationHasAnIrTypeOrIsInternal) {
  EXPECT_EQ(text_of(convert_foo(foo("Bar")).layer("Foo"), "type"), "Bar");
  EXPECT_EQ(convert_foo(foo("")).code(), code_text(Code::NotInIr));
}

TEST(Spec, O_07_TheVersionIsExperimentalUnlessToldOtherwise) {
  EXPECT_EQ(UserOp().version, "experimental");
  UserOp op = foo();
  op.version = "extension";
  EXPECT_EQ(text_of(convert_foo(op).layer("Foo"), "version"), "extension");
}

TEST(Spec, O_08_OpIsTheInternalNameAndTypeTheIrs) {
  std::string op;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) { op = graph.find("Relu")->op(); });
  OnnxGraph model;
  model.input("x", "2").node("Mul", {"x", "x"}, {"a"}, {}, "mul").node("Relu", {"a"}, {"y"}, {}, "Relu").output("y");
  const Converted converted = convert_model(model, &extensions);
  EXPECT_EQ(op, "ReLU");
  EXPECT_EQ(text_of(converted.layer("mul"), "type"), "Multiply");
}

TEST(Spec, O_10_TypesOfOutputsAreTheOperations) {
  UserOp op = foo();
  op.infer = [](Node& node) { node.out(0).tensor().shape = node.out(1).tensor().shape = Shape{2}; };
  op.type_infer = [](Node& node) {
    node.out(0).tensor().type = node.source(0).tensor().type;
    node.out(1).tensor().type = ElementType::F16;
  };
  OnnxGraph model;
  model.input("x", "2").node("Foo", {"x"}, {"a", "b"}, {}, "Foo").output("a").output("b");
  const Converted converted = convert_foo(op, model);
  const pugi::xml_node layer = converted.layer("Foo");
  EXPECT_EQ(precision(layer, 0), "FP32");
  EXPECT_EQ(precision(layer, 1), "FP16");
}

TEST(Spec, O_11_ByDefaultTheTypeIsDataTypeElseThatOfInput0) {
  EXPECT_EQ(precision(convert_foo(foo()).layer("Foo")), "FP32");
  Extensions extensions;
  extensions.ops.push_back(foo());
  add_transform(extensions, "Set", Phase::Front,
                [](Graph& graph) { graph.find("Foo")->set("data_type", ElementType::I64); });
  EXPECT_EQ(precision(convert_model(chain({"Foo"}), &extensions).layer("Foo")), "I64");
}

TEST(Spec, O_14_AndX_05_AnOperationIsFoundByItsName) {
  EXPECT_EQ(find_op("SoftMax")->type, "SoftMax");
  EXPECT_EQ(find_op("NoSuchOperation"), nullptr);
  Extensions extensions;
  extensions.ops.push_back(foo());
  bool found = false;
  add_transform(extensions, "Look", Phase::Front,
                [&](Graph& graph) { found = graph.model().user_ops.at("Foo")->type == "Foo"; });
  ASSERT_TRUE(convert_model(chain({"Relu"}), &extensions).ok());
  EXPECT_TRUE(found);
}

TEST(Spec, O_14_TheUsersOperationWinsOverABuiltInOne) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("ReLU", "MyReLU"));
  EXPECT_EQ(text_of(convert_model(chain({"Relu"}), &extensions).layer("Relu"), "type"), "MyReLU");
  EXPECT_EQ(text_of(convert_model(chain({"Relu"})).layer("Relu"), "type"), "ReLU");
}

TEST(Spec, O_15_AttributesAreWrittenInTheirOrder) {
  UserOp op = foo();
  op.ir_attributes = [](const Node&, IrAttributes& out) {
    out.add("zeta", int64_t{1});
    out.add("alpha", Ints{2, 2});
    out.add("flag", true);
    out.add("half", 0.5);
    out.add("text", "a<b");
  };
  const Converted converted = convert_foo(op);
  std::string data;
  for (const pugi::xml_attribute a : converted.layer("Foo").child("data").attributes())
    data += cat(a.name(), "=", a.value(), " ");
  EXPECT_EQ(data, "zeta=1 alpha=2, 2 flag=true half=0.5 text=a<b ");
}

TEST(Spec, O_18_AndO_19_AttributesAreComputedAndRenamed) {
  UserOp op = foo();
  op.ir_attributes = [](const Node& node, IrAttributes& out) {
    const Ints stride = node.get_ints("stride");
    out.add("strides", Ints(stride.begin() + 2, stride.end()));
    out.add("pool-method", node.get_string("pool_method"));
  };
  Extensions extensions;
  extensions.ops.push_back(op);
  add_transform(extensions, "Set", Phase::Front, [](Graph& graph) {
    graph.find("Foo")->set("stride", Ints{1, 1, 2, 3});
    graph.find("Foo")->set("pool_method", std::string("max"));
  });
  const Converted converted = convert_model(chain({"Foo"}), &extensions);
  const pugi::xml_node data = converted.layer("Foo").child("data");
  EXPECT_EQ(text_of(data, "strides"), "2, 3");
  EXPECT_EQ(text_of(data, "pool-method"), "max");
}

TEST(Spec, R_11_AttributesAreThoseOfTheLastPhase) {
  UserOp op = foo();
  op.ir_attributes = [](const Node& node, IrAttributes& out) { out.add("mode", node.get_string("mode", "none")); };
  Extensions extensions;
  extensions.ops.push_back(op);
  add_transform(extensions, "Set", Phase::Back,
                [](Graph& graph) { graph.find("Foo")->set("mode", std::string("late")); });
  const Converted converted = convert_model(chain({"Foo"}), &extensions);
  EXPECT_EQ(text_of(converted.layer("Foo").child("data"), "mode"), "late");
}

TEST(Spec, O_17_WhatIsNotAddedIsNotWritten) {
  UserOp op = foo();
  op.ir_attributes = [](const Node& node, IrAttributes& out) {
    if (node.has("auto_pad")) out.add("auto_pad", node.get_string("auto_pad"));
  };
  EXPECT_FALSE(convert_foo(op).layer("Foo").child("data"));
}

TEST(Spec, O_20_AMadeNodeIsConnectedInTheOrderOfItsInputs) {
  FourOperations s;
  Node& free = s.graph.add_node("Add");
  EXPECT_EQ(free.in_count(), 0);
  Node& made = Builder(s.graph, "n").node("Foo", {*s.op2, *s.op4});
  EXPECT_EQ(made.source(0), s.op2->out(0));
  EXPECT_EQ(made.source(1), s.op4->out(0));
  EXPECT_EQ(made.out_count(), 1);
}

}  // namespace
}  // namespace mo::test
