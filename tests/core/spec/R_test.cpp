// The written IR.

#include "core/ir/ir_writer.h"
#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

TEST(Spec, R_01_AnOperationWithoutATypeEndsTheConversion) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Foo", ""));
  extensions.ops[0].is_extractor = true;
  const Converted converted = convert_model(chain({"Relu", "Foo"}), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::NotInIr));
  EXPECT_EQ(converted.message().node, "Foo");
  EXPECT_TRUE(converted.xml().empty());
  EXPECT_TRUE(converted.conversion->segments().empty());
}

TEST(Spec, R_01_EveryOperationIsCheckedAlsoInBodies) {
  OnnxGraph body, model;
  body.input("i", "", OnnxGraph::kInt64).input("go", "", OnnxGraph::kBool).input("v", "2");
  body.node("Identity", {"go"}, {"on"}).node("Foo", {"v"}, {"w"}, {}, "inside").output("on").output("w");
  model.input("n", "", OnnxGraph::kInt64).input("x", "2").node("Foo", {"x"}, {"a"}, {}, "before");
  model.node("Loop", {"n", "", "a"}, {"y"}, {onnx_graph_attribute("body", body)}, "loop").output("y");
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Foo", ""));
  extensions.ops[0].is_extractor = true;
  const Converted converted = convert_model(model, &extensions);
  std::string nodes;
  for (const Message& message : converted.conversion->messages())
    if (message.code == code_text(Code::NotInIr)) nodes += message.node + " ";
  EXPECT_EQ(nodes, "before inside ");
  EXPECT_TRUE(converted.xml().empty());
}

TEST(Spec, R_02_EveryLayerHasATypeAndAVersion) {
  const Converted converted = convert_model(five_operations());
  EXPECT_EQ(converted.layers().size(), 10u);
  for (const pugi::xml_node layer : converted.layers()) {
    EXPECT_NE(text_of(layer, "type"), "");
    EXPECT_EQ(text_of(layer, "version").substr(0, 5), "opset") << text_of(layer, "name");
  }
}

TEST(Spec, R_03_TypesAreInferredOverAllOperations) {
  OnnxGraph model;
  model.input("x", "2").node("Cast", {"x"}, {"a"}, {onnx_attribute("to", 7)}, "cast");
  model.node("Abs", {"a"}, {"y"}, {}, "abs").output("y");
  const Converted converted = convert_model(model);
  EXPECT_EQ(precision(converted.layer("x")), "FP32");
  EXPECT_EQ(precision(converted.layer("cast")), "I64");
  EXPECT_EQ(precision(converted.layer("abs")), "I64");
}

TEST(Spec, R_04_EveryOutputPortHasAPrecision) {
  int ports = 0;
  const Converted converted = convert_model(five_operations());
  for (const pugi::xml_node layer : converted.layers())
    for (const pugi::xml_node port : layer.child("output")) {
      EXPECT_NE(text_of(port, "precision"), "");
      ++ports;
    }
  EXPECT_EQ(ports, 10);
}

TEST(Spec, R_05_IdsAreConsecutiveAndEdgesGoUpwards) {
  const Converted converted = convert_model(five_operations());
  int id = 0;
  for (const pugi::xml_node layer : converted.layers()) EXPECT_EQ(layer.attribute("id").as_int(-1), id++);
  EXPECT_GT(id, 7);
  for (const pugi::xml_node edge : converted.document->child("net").child("edges"))
    EXPECT_LT(edge.attribute("from-layer").as_int(), edge.attribute("to-layer").as_int());
}

TEST(Spec, R_06_ConstantsLieInTheBin) {
  const Converted converted = convert_model(five_operations());
  const pugi::xml_node data = converted.layer("w").child("data");
  const auto offset = data.attribute("offset").as_int(-1), size = data.attribute("size").as_int();
  const std::vector<std::byte> bin = converted.bin();
  ASSERT_EQ(size, 12);
  ASSERT_LE(static_cast<size_t>(offset + size), bin.size());
  const std::vector<std::byte> place(bin.begin() + offset, bin.begin() + offset + size);
  EXPECT_EQ(values_of<float>(place), (std::vector<float>{1, 2, 3}));
}

TEST(Spec, R_07_EqualConstantsShareOnePlace) {
  OnnxGraph model;
  const std::vector<float> values(64, 1.25f), others(64, 2.5f);
  model.input("x", "64").weight(onnx_floats("a", {64}, values)).weight(onnx_floats("b", {64}, values));
  model.weight(onnx_floats("c", {64}, others)).node("Pow", {"x", "a"}, {"t"}).node("Pow", {"t", "b"}, {"u"});
  model.node("Pow", {"u", "c"}, {"y"}).output("y");
  const Converted converted = convert_model(model);
  const auto offset = [&](const char* name) { return text_of(converted.layer(name).child("data"), "offset"); };
  EXPECT_EQ(offset("a"), offset("b"));
  EXPECT_NE(offset("a"), offset("c"));
  EXPECT_EQ(converted.bin().size(), 2u * 64 * 4);
}

TEST(Spec, R_08_LayersAndEdgesTellTheGraph) {
  const Converted converted = convert_model(five_operations());
  std::string edges;
  for (const pugi::xml_node edge : converted.document->child("net").child("edges")) {
    const auto name = [&](const char* end) {
      return text_of(converted.layers()[edge.attribute(end).as_uint()], "name");
    };
    edges += cat(name("from-layer"), ".", text_of(edge, "from-port"), "->", name("to-layer"), ".",
                 text_of(edge, "to-port"), " ");
  }
  for (const char* edge : {"x.0->Op1.0 ", "Op1.1->Op2.0 ", "w.0->Op3.0 ", "Op2.2->Op3.1 ", "Op2.3->Op4.0 "})
    EXPECT_NE(edges.find(edge), std::string::npos) << edge << " in " << edges;
}

TEST(Spec, R_09_PortsOfAUsersOperationAreWrittenLikeAllOthers) {
  Extensions extensions;
  UserOp op;
  op.op = op.type = "Foo";
  op.is_extractor = true;
  op.infer = [](Node& node) {
    node.out(0).tensor().shape = Shape{4};
    node.out(1).tensor().shape = Shape{5, 6};
  };
  op.type_infer = [](Node& node) {
    for (int i = 0; i < 2; ++i) node.out(i).tensor().type = ElementType::I32;
  };
  extensions.ops.push_back(op);
  OnnxGraph model;
  model.input("x", "2,3").node("Foo", {"x", "", "x"}, {"a", "b"}, {}, "foo").output("a").output("b");
  const Converted converted = convert_model(model, &extensions);
  const pugi::xml_node foo = converted.layer("foo");
  std::string ids;
  for (const char* side : {"input", "output"})
    for (const pugi::xml_node port : foo.child(side)) ids += text_of(port, "id") + " ";
  EXPECT_EQ(ids, "0 1 2 3 ");
  EXPECT_EQ(dims(foo, 1), "5,6");
  EXPECT_EQ(precision(foo, 1), "I32");
  EXPECT_EQ(text_of(foo.child("output").last_child(), "names"), "b");
}

TEST(Spec, R_10_OnlyTheOperationsOwnAttributesAreWritten) {
  Extensions extensions;
  UserOp op = same_shape_op("Foo", "Foo");
  op.is_extractor = true;
  op.ir_attributes = [](const Node& node, IrAttributes& out) { out.add("inside", node.get_int("inside")); };
  extensions.ops.push_back(op);
  add_transform(extensions, "Set", Phase::Front, [](Graph& graph) {
    graph.find("Foo")->set("inside", int64_t{1});
    graph.find("Foo")->set("outside", int64_t{2});
  });
  const Converted converted = convert_model(chain({"Foo"}), &extensions);
  const pugi::xml_node data = converted.layer("Foo").child("data");
  EXPECT_EQ(text_of(data, "inside"), "1");
  EXPECT_FALSE(data.attribute("outside"));
}

TEST(Spec, R_12_AGraphMadeByHandIsCheckedAndWritten) {
  StagedGraph s(Stage::Back);
  s.graph.model().name = "by_hand";
  Node &x = s.add("Parameter", "x", 0, 1), &result = s.add("Result", "r", 1, 0), &sum = s.add("Add", "sum", 2, 1);
  x.set("shape", PartialShape{2, 3});
  x.set("data_type", ElementType::F32);
  sum.in(0).connect(x);
  sum.in(1).connect(s.graph.constant(make_f32({3}, {1, 2, 3}), "numbers"));
  result.in(0).connect(sum);
  Diagnostics diagnostics;
  infer_graph(s.graph, diagnostics);
  BinPlan plan(s.graph.files());
  IrSummary summary;
  pugi::xml_document document;
  std::string text;
  std::vector<std::string> written;
  const IrTaker taker{.layer = [&](IrLayer&& layer) { written.push_back(layer.type); },
                      .edge = [&](const IrEdge& edge) { written.push_back(cat(edge.from_layer, edge.to_layer)); }};
  const auto write = [&] {
    prepare_emit_ir(
        s.graph, {}, [&](std::string_view piece) { text += piece; }, plan, summary, diagnostics, taker);
  };
  write();
  EXPECT_EQ(written, (std::vector<std::string>{"Parameter", "Const", "Add", "Result", "02", "12", "23"}));
  ASSERT_TRUE(document.load_string(text.c_str()));
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_EQ(text_of(document.child("net"), "name"), "by_hand");
  const pugi::xml_node layers = document.child("net").child("layers"), add = layers.last_child().previous_sibling();
  EXPECT_EQ(text_of(layers.last_child(), "type"), "Result");
  EXPECT_EQ(cat(text_of(add, "id"), text_of(add, "version"), precision(add)), "2opset1FP32");
  EXPECT_EQ(plan.size(), 12u);

  s.add("Internal", "left", 0, 1);
  text.clear();
  write();
  EXPECT_EQ(diagnostics.messages().at(0).code, code_text(Code::NotInIr));
  EXPECT_EQ(diagnostics.messages().at(0).node, "left");
  EXPECT_TRUE(text.empty());
}

TEST(Spec, R_13_AnInternalOperationThatIsLeftIsNamed) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Foo", ""));
  add_transform(extensions, "Put", Phase::Front, [](Graph& graph) { graph.find("Abs")->set_op("Foo"); });
  const Converted converted = convert_model(chain({"Relu", "Abs"}), &extensions);
  EXPECT_EQ(converted.code(), code_text(Code::NotInIr));
  EXPECT_NE(converted.message().text.find("Foo"), std::string::npos);
}

TEST(Spec, R_14_WithoutAVersionItIsExperimental) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Foo", "Foo"));
  extensions.ops[0].is_extractor = true;
  EXPECT_EQ(text_of(convert_model(chain({"Foo"}), &extensions).layer("Foo"), "version"), "experimental");
  extensions.ops[0].version = "my_opset";
  EXPECT_EQ(text_of(convert_model(chain({"Foo"}), &extensions).layer("Foo"), "version"), "my_opset");
}

TEST(Spec, R_15_AConversionGivesTwoFiles) {
  const Converted converted = convert_model(five_operations());
  EXPECT_EQ(converted.xml().substr(0, 5), "<?xml");
  EXPECT_FALSE(converted.bin().empty());
}

}  // namespace
}  // namespace mo::test
