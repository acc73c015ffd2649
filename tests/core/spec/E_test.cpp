// Extractors.

#include "core/graph/framework_node.h"
#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

/// Makes `op` an Abs, or `becomes` if it is given.
UserExtractor extractor(std::string op, std::function<bool(Node&)> extract, std::string framework = "onnx") {
  return {op, std::move(framework), [] { return true; }, std::move(extract), {.name = "Extract" + op, .file = {}}};
}

std::function<bool(Node&)> becomes(const std::string& op) {
  return [op](Node& node) {
    node.set_op(op);
    return true;
  };
}

std::string types(const Converted& converted) {
  std::string out;
  for (const pugi::xml_node layer : converted.layers()) out += text_of(layer, "type") + " ";
  return out;
}

TEST(Spec, E_01_AttributesComeFromTheFrameworksDescription) {
  OnnxGraph model;
  model.input("x", "1,1,8,8").weight(onnx_floats("w", {1, 1, 1, 1}, {1}));
  model.node("Conv", {"x", "w"}, {"y"}, {onnx_attribute("strides", std::vector<int64_t>{2, 4})}, "conv").output("y");
  const Converted converted = convert_model(model);
  EXPECT_EQ(text_of(converted.layer("conv").child("data"), "strides"), "2, 4");
  EXPECT_EQ(dims(converted.layer("conv")), "1,1,4,2");
}

TEST(Spec, E_02_AUsersExtractorIsCalledForEachOfItsNodes) {
  Extensions extensions;
  std::vector<std::string> calls;
  extensions.extractors.push_back(extractor("Foo", [&](Node& node) {
    calls.push_back(node.name());
    node.set_op("Abs");
    return true;
  }));
  const OnnxGraph model = [] {
    OnnxGraph out;
    out.input("x", "2").node("Foo", {"x"}, {"a"}, {}, "f1", "com.acme").node("Foo", {"a"}, {"b"}, {}, "f2", "com.acme");
    out.node("Relu", {"b"}, {"y"}, {}, "r").output("y");
    return out;
  }();
  EXPECT_EQ(types(convert_model(model, &extensions)), "Parameter Abs Abs ReLU Result ");
  EXPECT_EQ(calls, (std::vector<std::string>{"f1", "f2"}));
}

TEST(Spec, E_04_AndE_05_AUsersExtractorComesBeforeTheBuiltIn) {
  Extensions extensions;
  extensions.extractors.push_back(extractor("Relu", becomes("Exp")));
  extensions.extractors.push_back(extractor("Relu", becomes("Abs")));
  EXPECT_EQ(types(convert_model(chain({"Relu"}), &extensions)), "Parameter Exp Result ");
}

TEST(Spec, E_07_AndX_07_AnExtractorServesItsFrameworkOnly) {
  Extensions extensions;
  extensions.extractors.push_back(extractor("Relu", becomes("Exp"), "tf"));
  EXPECT_EQ(types(convert_model(chain({"Relu"}), &extensions)), "Parameter ReLU Result ");
  extensions.extractors.push_back(extractor("Relu", becomes("Exp"), "onnx"));
  EXPECT_EQ(types(convert_model(chain({"Relu"}), &extensions)), "Parameter Exp Result ");
}

TEST(Spec, E_08_TheFrameworksOperationTriggersIt) {
  Extensions extensions;
  extensions.extractors.push_back(extractor("ReLU", becomes("Exp")));  // the internal name
  EXPECT_EQ(types(convert_model(chain({"Relu"}), &extensions)), "Parameter ReLU Result ");
}

TEST(Spec, E_09_ADisabledExtractorIsAsIfAbsent) {
  Extensions extensions;
  UserExtractor off = extractor("Relu", becomes("Exp"));
  off.enabled = [] { return false; };
  extensions.extractors.push_back(off);
  EXPECT_EQ(types(convert_model(chain({"Relu"}), &extensions)), "Parameter ReLU Result ");
  off.enabled = nullptr;
  extensions.extractors.push_back(off);
  EXPECT_EQ(types(convert_model(chain({"Relu"}), &extensions)), "Parameter Exp Result ");
}

TEST(Spec, E_10_AnExtractorGetsTheNodeAndSaysWhetherItTookIt) {
  Extensions extensions;
  bool has_pb = false;
  extensions.extractors.push_back(extractor("Relu", [&](Node& node) {
    has_pb = node.pb && node.pb->op == "Relu";
    return false;
  }));
  EXPECT_EQ(types(convert_model(chain({"Relu"}), &extensions)), "Parameter ReLU Result ");
  EXPECT_TRUE(has_pb);
}

TEST(Spec, E_11_TheDescriptionIsNotNeededAfterExtraction) {
  const OnnxGraph model = five_operations();
  Extensions extensions;
  add_transform(extensions, "Forget", Phase::Front, [](Graph& graph) {
    for (Node* node : graph.nodes()) node->pb.reset();
  });
  const Converted converted = convert_model(model, &extensions);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  EXPECT_EQ(converted.xml(), convert_model(model).xml());
}

TEST(Spec, E_11_AnUnknownOperationIsAnErrorWithoutItsDescriptionToo) {
  Extensions extensions;
  add_transform(extensions, "Forget", Phase::Front, [](Graph& graph) { graph.find("Cube")->pb.reset(); });
  EXPECT_EQ(convert_model(chain({"Cube"}), &extensions).code(), code_text(Code::NoInfer));
}

TEST(Spec, E_12_ExtractionFollowsLoadingOncePerNode) {
  Extensions extensions;
  int calls = 0;
  for (const char* op : {"Relu", "Split", "Sub", "Abs", "Sum"})
    extensions.extractors.push_back(extractor(op, [&](Node& node) {
      calls += node.graph().results.size() == 1;  // the whole graph is there
      return false;
    }));
  const Converted converted = convert_model(five_operations(), &extensions);
  EXPECT_EQ(calls, 5);
  ASSERT_GE(converted.trace.size(), 2u);
  EXPECT_EQ(converted.trace[0], "load:");
  EXPECT_EQ(converted.trace[1], "extract:");
}

TEST(Spec, E_13_AnOperationsNameBringsItsTypeVersionAndInference) {
  StagedGraph s;
  Node& node = s.add("Anything", "n", 0, 1);
  EXPECT_EQ(node.definition(), nullptr);
  node.set_op("Const");
  ASSERT_NE(node.definition(), nullptr);
  EXPECT_EQ(node.definition()->type, "Const");
  EXPECT_EQ(node.definition()->version, "opset1");
  EXPECT_NE(node.definition()->infer, nullptr);
}

TEST(Spec, E_14_AnOperationSaysWhatTheIrHoldsOfIt) {
  StagedGraph s;
  Node& node = s.add("SoftMax", "n", 1, 1);
  IrAttributes attributes;
  node.definition()->ir_attributes(node, attributes);
  EXPECT_EQ(attributes.entries(), (std::vector<std::pair<std::string, std::string>>{{"axis", "1"}}));
}

TEST(Spec, E_15_AttributesOfTheInstanceWinOverDefaults) {
  Extensions extensions;
  extensions.extractors.push_back(extractor("Foo", [](Node& node) {
    node.set_op("SoftMax");
    node.set("axis", int64_t{0});
    return true;
  }));
  const auto axis = [](const Converted& converted) {
    return text_of(converted.layers("SoftMax").at(0).child("data"), "axis");
  };
  EXPECT_EQ(axis(convert_model(chain({"Foo"}), &extensions)), "0");
  extensions.extractors[0].extract = becomes("SoftMax");
  EXPECT_EQ(axis(convert_model(chain({"Foo"}), &extensions)), "1");
}

TEST(Spec, E_17_AnAttributeIsReadByItsName) {
  OnnxGraph model;
  model.input("x", "2").node("Constant", {}, {"c"}, {onnx_tensor_attribute("value", onnx_ints("", {2}, {3, 4}))}, "c");
  model.node("Expand", {"x", "c"}, {"y"}, {onnx_text_attribute("note", "kept")}, "e").output("y");
  Extensions extensions;
  std::string note;
  Shape shape;
  extensions.extractors.push_back(extractor("Expand", [&](Node& node) {
    note = node.get_string("note");
    return false;
  }));
  extensions.extractors.push_back(extractor("Constant", [&](Node& node) {
    shape = node.get_constant("value")->shape;
    return false;
  }));
  convert_model(model, &extensions);
  EXPECT_EQ(note, "kept");
  EXPECT_EQ(shape, Shape{2});
}

TEST(Spec, E_18_RawAndTypedTensorsAreTheSame) {
  const auto bin = [](const std::string& tensor) {
    OnnxGraph model;
    model.input("x", "2").weight(tensor).node("Pow", {"x", "w"}, {"y"}).output("y");
    return values_of<float>(convert_model(model).bin());
  };
  EXPECT_EQ(bin(onnx_floats("w", {2}, {1.5f, -3})), (std::vector<float>{1.5f, -3}));
  EXPECT_EQ(bin(onnx_typed_floats("w", {2}, {1.5f, -3})), (std::vector<float>{1.5f, -3}));
}

TEST(Spec, E_21_AnOperationMayBeItsOwnExtractor) {
  Extensions extensions;
  extensions.ops.push_back(same_shape_op("Foo", "FooType"));
  EXPECT_EQ(convert_model(chain({"Foo"}), &extensions).code(), code_text(Code::UnsupportedOp));
  add_transform(extensions, "Idle", Phase::Front);
  EXPECT_EQ(convert_model(chain({"Foo"}), &extensions).code(), code_text(Code::UnsupportedOp));
  extensions.ops[0].is_extractor = true;
  EXPECT_EQ(types(convert_model(chain({"Foo"}), &extensions)), "Parameter FooType Result ");
}

TEST(Spec, E_21_AnOperationIsDefinedOnce) {
  Extensions extensions;
  extensions.ops = {same_shape_op("Foo", "A"), same_shape_op("Foo", "B")};
  EXPECT_EQ(convert_model(chain({"Relu"}), &extensions).code(), code_text(Code::DuplicateOp));
}

}  // namespace
}  // namespace mo::test
