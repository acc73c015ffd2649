// Model loading.

#include "core/front/framework_node.h"
#include "core/front/loader.h"
#include "core/graph/framework_node.h"
#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

using namespace std::string_literals;

/// A model in the form that its loader produces, before extraction.
struct Loaded : StagedGraph {
  explicit Loaded(const OnnxGraph& graph_of) : StagedGraph(Stage::Load) {
    set.put("m.onnx", graph_of.model());
    const ModelFile file(graph.files(), "m.onnx");
    format = &find_format(file);
    model = format->loader().load({file, {}, graph, graph.model().diagnostics, head});
  }
  std::vector<Node*> framework_nodes() const {
    std::vector<Node*> out;
    for (Node* node : graph.nodes())
      if (node->pb) out.push_back(node);
    return out;
  }
  const Format* format;
  ModelHead head;
  std::unique_ptr<LoadedModel> model;
};

TEST(Spec, L_01_AFileBecomesAGraphWhateverItsName) {
  const OnnxGraph model = five_operations();
  MemoryFiles set;
  set.put("other.bin", model.model());
  const auto conversion = convert(set, "other.bin", {{"compress_to_fp16", "False"}});
  ASSERT_TRUE(conversion->ok());
  EXPECT_EQ(conversion->xml(), convert_model(model).xml());
}

TEST(Spec, L_02_AFrameworkHasItsLoader) {
  EXPECT_EQ(Loaded(five_operations()).format->framework, "onnx");
  const std::string table = list_transforms(std::vector<OptionText>{});
  for (const Format& format : all_formats()) {
    const std::string name = cat(" extensions/load/", format.framework, "/loader ");
    const size_t at = table.find(name);
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_EQ(table.find(name, at + 1), std::string::npos) << name;
  }
}

TEST(Spec, K_01_EachFrameworkHasItsOwnListOfLayers) {
  const auto knows = [](std::string_view framework, std::string_view layer) {
    for (const Format& format : all_formats())
      if (format.framework == framework) return format.loader().operators().find(layer, "") != nullptr;
    ADD_FAILURE() << "no format " << framework;
    return false;
  };
  EXPECT_TRUE(knows("caffe", "InnerProduct") && knows("tf", "Conv2D"));
  EXPECT_FALSE(knows("tf", "InnerProduct") || knows("caffe", "Conv2D"));
  EXPECT_TRUE(knows("caffe", "Softmax") && knows("tf", "Softmax"));
  EXPECT_FALSE(knows("caffe", "Mystery") || knows("tf", "Mystery"));
}

TEST(Spec, L_03_LoadingFillsOneGraph) {
  const Loaded loaded(five_operations());
  EXPECT_EQ(names_of(loaded.framework_nodes()), "Op1 Op2 Op3 Op4 Op5");
  EXPECT_EQ(names_of(loaded.graph.parameters), "x");
  EXPECT_EQ(loaded.graph.results.size(), 1u);
}

TEST(Spec, L_04_EveryOperationKeepsItsFrameworksDescription) {
  const Loaded loaded(chain({"Relu", "Cube"}, "com.acme"));
  const std::vector<Node*> nodes = loaded.framework_nodes();
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[1]->pb->op, "Cube");
  EXPECT_EQ(nodes[1]->pb->domain, "com.acme");
  EXPECT_EQ(nodes[1]->pb->since, 1);
  EXPECT_GT(nodes[1]->pb->offset, nodes[0]->pb->offset);
  EXPECT_GT(nodes[1]->pb->size, 0u);
}

TEST(Spec, L_04_AndItIsReadAgainAsAWholeOrByAttributes) {
  const Loaded loaded(
      OnnxGraph()
          .input("x", "1,2")
          .output("y")
          .node("Relu", {"x"}, {"r"}, {}, "first")
          .node("Cube", {"r"}, {"y"}, {onnx_attribute("axis", 3), onnx_attribute("pads", {1, 2})}, "cube", "com.acme"));
  const Node& cube = *loaded.graph.find("cube");
  ASSERT_TRUE(cube.pb->format);
  EXPECT_EQ(cube.pb->format->framework, "onnx");
  const FrameworkMessage message = cube.pb->format->read(cube);
  EXPECT_EQ(message.name, "cube");
  EXPECT_EQ(std::get<int64_t>(*message.attributes.find("axis")), 3);
  const proto::Message whole = cube.pb->format->message(cube);
  const auto field = [&](std::string_view path) {
    const auto found = proto::find_field(whole, path);
    return found ? attribute_of(*found) : Attribute();
  };
  EXPECT_EQ(std::get<std::string>(field("op_type")), "Cube");
  EXPECT_EQ(std::get<Strings>(field("input")), Strings{"r"});
  EXPECT_EQ(std::get<Ints>(field("attribute.1.ints")), (Ints{1, 2}));
  EXPECT_EQ(std::get<std::string>(field("attribute.0.type")), "INT");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(field("doc_string")));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(field("attribute")));
}

TEST(Spec, L_04_ANodeThatIsNotInTheFileHasNoFields) {
  const Loaded loaded(chain({"Relu"}));
  Node& node = *loaded.framework_nodes().at(0);
  node.pb = std::make_shared<FrameworkNode>(FrameworkNode{.op = "Relu", .since = 13, .format = node.pb->format});
  EXPECT_TRUE(node.pb->format->message(node).names().empty());
  EXPECT_EQ(node.pb->format->read(node).name, "");
}

TEST(Spec, L_06_AndA_33_LinksKeepThePortNumbers) {
  Loaded loaded(five_operations());
  Node& two = *loaded.graph.find("Op2");
  EXPECT_EQ(two.out(0).destinations(),
            (std::vector<InPort>{loaded.graph.find("Op3")->in(1), loaded.graph.find("Op5")->in(0)}));
  EXPECT_EQ(two.out(1).destinations(), std::vector<InPort>{loaded.graph.find("Op4")->in(0)});
}

TEST(Spec, L_07_ALoadedNodeIsOpaque) {
  OnnxGraph model;
  model.input("x", "1,3,8,8").weight(onnx_floats("w", {2, 3, 1, 1}, {1, 2, 3, 4, 5, 6}));
  model.node("Conv", {"x", "w"}, {"y"}, {onnx_attribute("group", 1)}, "conv").output("y");
  Loaded loaded(model);
  Node& conv = *loaded.graph.find("conv");
  EXPECT_EQ(conv.op(), "Conv");
  EXPECT_EQ(conv.definition(), nullptr);
  EXPECT_EQ(conv.attributes.begin()->first, "group");
  EXPECT_EQ(conv.attributes.end() - conv.attributes.begin(), 1);
  EXPECT_FALSE(conv.out().tensor().shape.has_rank());
}

TEST(Spec, L_09_AFormatThatIsNotReadIsNamed) {
  const std::string mnn("\x1c\0\0\0MNNB", 8);
  MemoryFiles set;
  set.put("m.mnn", bytes_of(std::vector<char>(mnn.begin(), mnn.end())));
  const auto conversion = convert(set, "m.mnn", {});
  EXPECT_FALSE(conversion->ok());
  EXPECT_EQ(conversion->messages().at(0).code, code_text(Code::OtherFormat));
}

TEST(Spec, L_10_ANamedDimensionIsUndefined) {
  OnnxGraph model;
  model.input("x", "N,3,8,8").node("Relu", {"x"}, {"y"}, {}, "relu").output("y");
  const Loaded loaded(model);
  const auto* shape = loaded.graph.parameters[0]->attributes.get_if<PartialShape>("shape");
  ASSERT_NE(shape, nullptr);
  EXPECT_EQ(to_string(*shape), "?,3,8,8");
  EXPECT_EQ(dims(convert_model(model).layer("relu")), "-1,3,8,8");
}

TEST(Spec, E_06_ExtractionLeavesTheLinksAsTheyWere) {
  Loaded loaded(five_operations());
  const std::string links = loaded.links(), names = names_of(loaded.graph.nodes());
  for (Node* node : loaded.framework_nodes()) loaded.model->extract(*node);
  EXPECT_EQ(loaded.links(), links);
  EXPECT_EQ(names_of(loaded.graph.nodes()), names);
}

TEST(Spec, E_22_ExtractionAddsWhatTheOperationIs) {
  Loaded loaded(chain({"Softmax"}));
  Node& node = *loaded.graph.find("Softmax");
  EXPECT_EQ(node.op(), "Softmax");
  EXPECT_EQ(node.definition(), nullptr);
  loaded.model->extract(node);
  EXPECT_EQ(node.op(), "SoftMax");
  ASSERT_NE(node.definition(), nullptr);
  EXPECT_EQ(node.definition()->type, "SoftMax");
  EXPECT_TRUE(node.has("axis"));
}

}  // namespace
}  // namespace mo::test
