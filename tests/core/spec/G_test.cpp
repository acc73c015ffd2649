// Graph, Node, attributes.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

TEST(Spec, G_01_AnEdgeGoesFromProducerToConsumer) {
  std::string links;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->in_count(); ++i) links += cat(node->source(i).node().name(), "->", node->name(), " ");
  });
  ASSERT_TRUE(convert_model(chain({"Relu", "Abs"}), &extensions).ok());
  EXPECT_EQ(links, "x->Relu Relu->Abs Abs->y/sink_port_0 ");
}

TEST(Spec, G_02_TwoNodesMayBeJoinedTwice) {
  OnnxGraph model;
  model.input("x", "2").node("Mul", {"x", "x"}, {"y"}, {}, "mul").output("y");
  std::vector<int> inputs;
  Extensions extensions;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    for (const InPort& port : graph.find("x")->out().destinations()) inputs.push_back(port.index());
  });
  const Converted converted = convert_model(model, &extensions);
  EXPECT_EQ(inputs, (std::vector<int>{0, 1}));
  EXPECT_EQ(text_of(converted.source(converted.layer("mul"), 0), "name"), "x");
  EXPECT_EQ(text_of(converted.source(converted.layer("mul"), 1), "name"), "x");
}

TEST(Spec, G_04_AttributesAreAllThatIsKnownOfAnOperation) {
  const OnnxGraph model = chain({"Relu", "Softmax", "Abs"});
  Extensions extensions;
  add_transform(extensions, "Rebuild", Phase::Front, [](Graph& graph) {
    Node& old = *graph.find("Softmax");
    Node& again = graph.add_node(old.op(), "again");
    again.attributes = old.attributes;
    again.add_in_ports(1);
    again.add_out_ports(1);
    again.in(0).connect(old.source(0));
    old.out().connection().set_source(again);
    graph.rename_nodes({{&old, "old"}, {&again, "Softmax"}});
    graph.remove(old);
  });
  const Converted converted = convert_model(model, &extensions);
  ASSERT_TRUE(converted.ok());
  EXPECT_EQ(converted.xml(), convert_model(model).xml());
}

TEST(Spec, G_05_ANodeFoundTwiceHasOneSetOfAttributes) {
  StagedGraph s;
  Node& node = s.add("Abs", "my_node", 1, 1);
  node.set("my_attr", int64_t{5});
  EXPECT_EQ(s.graph.find("my_node")->get_int("my_attr"), 5);
  s.graph.node(node.id()).set("my_attr", int64_t{6});
  EXPECT_EQ(node.get_int("my_attr"), 6);
}

TEST(Spec, G_07_AnAbsentAttributeGivesTheFallback) {
  StagedGraph s;
  Node& node = s.add("Abs", "n", 1, 1);
  EXPECT_EQ(node.get_string("absent", node.key()), "n");
  EXPECT_EQ(node.get_string("absent"), "");
  node.set("present", std::string("here"));
  EXPECT_EQ(node.get_string("present", "other"), "here");
}

TEST(Spec, G_09_AnAttributeCanBeDeleted) {
  StagedGraph s;
  Node& node = s.add("Squeeze", "n", 1, 1);
  node.set("squeeze_dims", Ints{1});
  node.attributes.erase("squeeze_dims");
  EXPECT_FALSE(node.has("squeeze_dims"));
  EXPECT_EQ(node.attributes.begin(), node.attributes.end());
}

TEST(Spec, G_11_AKeyFindsItsNodeWhateverItIsRenamedTo) {
  StagedGraph s;
  Node& node = s.add("Abs", "first", 1, 1);
  node.set_name("second");
  node.set_name("third");
  EXPECT_EQ(node.key(), "first");
  EXPECT_EQ(s.graph.find("first"), &node);
  EXPECT_EQ(s.graph.find("third"), nullptr);
  EXPECT_EQ(&s.graph.node(node.id()), &node);
  EXPECT_CODE(Code::NoSuchNode, s.graph.node(node.id() + 1));
}

TEST(Spec, G_12_NodesOfAnOpAreAListThatMayBeEditedUnder) {
  StagedGraph s;
  s.add("Squeeze", "a", 1, 1);
  s.add("Abs", "b", 1, 1);
  s.add("Squeeze", "c", 1, 1);
  int turns = 0;
  for (const Node* node : s.graph.nodes("Squeeze")) {
    s.graph.add_node("Squeeze", node->name() + "/more");
    ++turns;
  }
  EXPECT_EQ(turns, 2);
  EXPECT_EQ(names_of(s.graph.nodes("Squeeze")), "a c a/more c/more");
  s.graph.find("b")->set_op("Squeeze");
  EXPECT_EQ(names_of(s.graph.nodes("Squeeze")), "a b c a/more c/more");
  EXPECT_TRUE(s.graph.nodes("Abs").empty());
}

TEST(Spec, G_13_AllNodesAreListedWithTheirAttributes) {
  FourOperations s;
  Node& result = s.add("Result", "r", 1, 0);
  std::vector<Node*> found;
  for (Node* node : s.graph.nodes())
    if (node->op() == "Result") found.push_back(node);
  EXPECT_EQ(found, std::vector<Node*>{&result});
  EXPECT_EQ(s.graph.size(), 6u);
}

TEST(Spec, G_14_ARemovedNodeLeavesNoLinks) {
  FourOperations s;
  Node& result = s.add("Result", "r", 1, 0);
  result.in(0).connect(s.op4->out());
  EXPECT_EQ(s.graph.results, std::vector<Node*>{&result});
  s.graph.remove(result);
  EXPECT_EQ(s.graph.find("r"), nullptr);
  EXPECT_TRUE(s.op4->out().destinations().empty());
  EXPECT_TRUE(s.graph.results.empty());
  s.graph.remove(*s.op1);
  EXPECT_EQ(s.links(), "op4.0<-op3.0");
}

TEST(Spec, G_14_AndO_21_AResultMayBeReplaced) {
  Extensions extensions;
  add_transform(extensions, "CutTail", Phase::Front, [](Graph& graph) {
    Node& old = *graph.nodes("Result")[0];
    graph.remove(old);
    Node& made = graph.add_node("Result", "new_end");
    made.add_in_ports(1);
    made.in(0).connect(graph.find("Relu")->out());
  });
  const Converted converted = convert_model(chain({"Relu", "Abs"}), &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  ASSERT_EQ(converted.layers("Result").size(), 1u);
  EXPECT_EQ(text_of(converted.source(converted.layer("new_end"), 0), "name"), "Relu");
  EXPECT_TRUE(converted.layers("Abs").empty());
}

TEST(Spec, G_18_OnlyConnectedInputsHaveANeighbour) {
  FourOperations s;
  EXPECT_EQ(&s.op4->source(0).node(), s.op3);
  EXPECT_TRUE(s.op1->has_in(1));
  EXPECT_FALSE(s.op1->has_in(2));
  EXPECT_FALSE(s.op1->has_in(3));
}

TEST(Spec, G_21_EveryLinkHasPortNumbersAtBothEnds) {
  MemoryFiles set;
  set.put("m.onnx", five_operations().model());
  Graph graph(std::make_shared<Model>(set, built_in_operations()));
  const ModelFile file(graph.files(), "m.onnx");
  ModelHead head;
  const auto loaded = find_format(file).loader().load({file, {}, graph, graph.model().diagnostics, head});
  int links = 0;
  for (Node* node : graph.nodes())
    for (int i = 0; i < node->out_count(); ++i)
      for (const InPort& port : node->out(i).destinations()) {
        EXPECT_EQ(port.source(), node->out(i));
        EXPECT_TRUE(port.node().has_in_port(port.index()));
        ++links;
      }
  EXPECT_EQ(links, 9);
}

TEST(Spec, G_22_ShapesHave64Bits) {
  OnnxGraph model;
  model.input("x", "5000000000,2").node("Relu", {"x"}, {"y"}, {}, "relu").output("y");
  EXPECT_EQ(dims(convert_model(model).layer("relu")), "5000000000,2");
}

TEST(Spec, G_24_NamesAreHandedOverInOneStep) {
  StagedGraph s;
  Node &a = s.add("Mul", "n", 1, 1), &b = s.add("Mish", "mish", 1, 1), &c = s.add("Abs", "c", 1, 1);
  s.graph.rename_nodes({{&a, "n/TBR"}, {&b, "n"}});
  EXPECT_EQ(a.name(), "n/TBR");
  EXPECT_EQ(b.name(), "n");
  s.graph.rename_nodes({{&b, "c"}, {&c, "n"}});
  EXPECT_EQ(names_of({&b, &c}), "c n");
  EXPECT_TRUE(s.graph.has_name("c") && s.graph.has_name("n"));
  EXPECT_EQ(s.graph.find("n"), &a);  // keys stay
}

TEST(Spec, G_24_ARefusedRenamingChangesNothing) {
  StagedGraph s;
  Node &a = s.add("Mul", "a", 1, 1), &b = s.add("Mul", "b", 1, 1);
  s.add("Mul", "c", 1, 1);
  EXPECT_CODE(Code::DuplicateNode, s.graph.rename_nodes({{&a, "b"}, {&b, "c"}}));
  EXPECT_CODE(Code::DuplicateNode, s.graph.rename_nodes({{&a, "z"}, {&b, "z"}}));
  EXPECT_EQ(names_of(s.graph.nodes()), "a b c");
}

TEST(Spec, G_25_AnOperationIsMadeWithConstantInputs) {
  StagedGraph s;
  Node& node = Builder(s.graph, "u").node("Unsqueeze", {OutPort(), Builder(s.graph, "u").i64({2})});
  EXPECT_TRUE(node.in(0).disconnected());
  EXPECT_EQ(node.source(1).node().op(), "Const");
  EXPECT_EQ(node.source(1).tensor().ints->exact(), Ints{2});
  EXPECT_EQ(node.name(), "u/Unsqueeze");
}

TEST(Spec, G_26_AnErrorOfAnExtensionEndsTheConversion) {
  Extensions extensions;
  add_transform(extensions, "Refuse", Phase::Middle, [](Graph&) { throw Error(Code::ExtensionFailed, "too old"); });
  const Converted converted = convert_model(chain({"Relu"}), &extensions);
  EXPECT_FALSE(converted.ok());
  EXPECT_EQ(converted.code(), code_text(Code::ExtensionFailed));
  EXPECT_NE(converted.message().text.find("too old"), std::string::npos);
  EXPECT_EQ(converted.message().op, "Refuse");
  EXPECT_TRUE(converted.xml().empty() && converted.bin().empty());
}

TEST(Spec, G_27_AnEditByPortsIsTheSameInAllPhases) {
  std::vector<std::string> types;
  for (const Phase phase : {Phase::Front, Phase::Middle, Phase::Back}) {
    Extensions extensions;
    add_transform(extensions, "PutAbs", phase, [](Graph& graph) {
      Node& abs = graph.add_node("Abs", "put");
      abs.add_in_ports(1);
      abs.add_out_ports(1);
      graph.find("Relu")->out().connection().insert_node(abs);
    });
    const Converted converted = convert_model(chain({"Relu", "Exp"}), &extensions);
    ASSERT_TRUE(converted.ok()) << converted.message().text;
    std::string order;
    for (const pugi::xml_node layer : converted.layers()) order += text_of(layer, "type") + dims(layer) + " ";
    types.push_back(order);
  }
  EXPECT_EQ(types[0], "Parameter2,3 ReLU2,3 Abs2,3 Exp2,3 Result ");
  EXPECT_EQ(types, std::vector<std::string>(3, types[0]));
}

TEST(Spec, G_28_AValueCanBeReshaped) {
  StagedGraph s;
  const Constant value = reshape(make_i64({1, 2, 3, 4, 5, 6}), {2, 3});
  const Constant again = reshape(value, {3, 2});
  EXPECT_EQ(again.shape, (Shape{3, 2}));
  EXPECT_EQ(again.type, ElementType::I64);
  EXPECT_EQ(read_ints(again, s.graph.files()), (std::vector<int64_t>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace mo::test
