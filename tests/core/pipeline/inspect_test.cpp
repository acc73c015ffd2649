// Inspection: what is said of a model that is not converted.

#include <nlohmann/json.hpp>

#include "tests/core/front/tf/checkpoint_files.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

using Json = nlohmann::json;

struct Inspected {
  Inspection result;
  Json facts;
  std::vector<std::string> codes, nodes;  ///< of the messages
};

Inspected inspect_files(MemoryFiles& files, const std::string& name, const std::vector<OptionText>& options = {},
                        Extensions* extensions = nullptr) {
  Inspected out{inspect(files, name, options, {}, extensions), {}, {}, {}};
  out.result.graph = nullptr;  // must end before the files and extensions
  out.facts = Json::parse(out.result.facts);
  for (const Message& message : out.result.messages)
    out.codes.push_back(message.code), out.nodes.push_back(message.node);
  return out;
}

Inspected inspect_onnx(const OnnxGraph& graph, const std::vector<OptionText>& options = {},
                       Extensions* extensions = nullptr) {
  MemoryFiles files;
  files.put("model.onnx", graph.model());
  return inspect_files(files, "model.onnx", options, extensions);
}

/// y = x * w, behind an If with a branch that has a weight of its own.
OnnxGraph with_branches() {
  OnnxGraph then_graph, else_graph;
  then_graph.weight(onnx_floats("inner", {2}, {1, 2})).node("Add", {"m", "inner"}, {"t"}).output("t");
  else_graph.node("Abs", {"m"}, {"e"}).output("e");
  OnnxGraph graph;
  graph.input("x", "N,2").input("c", "", OnnxGraph::kBool).weight(onnx_floats("w", {2}, {3, 4}));
  graph.weight(onnx_floats("unused", {8}, std::vector<float>(8, 1)));
  graph.node("Mul", {"x", "w"}, {"m"});
  graph.node("If", {"c"}, {"y"},
             {onnx_graph_attribute("then_branch", then_graph), onnx_graph_attribute("else_branch", else_graph)});
  return graph.output("y");
}

TEST(Inspect, SaysWhatAnOnnxModelIs) {
  const auto [result, facts, codes, nodes] = inspect_onnx(with_branches());
  EXPECT_TRUE(codes.empty());
  EXPECT_EQ(facts["framework"], "onnx");
  EXPECT_EQ(facts["format"], "ONNX");
  EXPECT_EQ(facts["operator_sets"],
            Json::parse(R"([{"domain": "ai.onnx", "version": 13}, {"domain": "com.acme", "version": 1}])"));
  EXPECT_EQ(facts["inputs"], Json::parse(R"([
      {"name": "x", "names": ["x"], "shape": "[?,2]", "type": "f32"},
      {"name": "c", "names": ["c"], "shape": "[]", "type": "boolean"}])"));
  EXPECT_EQ(facts["outputs"], Json::parse(R"([{"name": "y", "names": ["y"]}])"));
  EXPECT_EQ(facts["operations"], Json::parse(R"({"Abs": 1, "Add": 1, "If": 1, "Mul": 1})"));
  EXPECT_EQ(facts["nodes"], 4);
}

TEST(Inspect, SaysFirstWhatIsKnownFirst) {
  MemoryFiles files;
  files.put("model.onnx", with_branches().model());
  std::vector<Json> first;
  const Inspection found = inspect(files, "model.onnx", {}, {}, nullptr,
                                   [&](const std::string& facts) { first.push_back(Json::parse(facts)); });
  Json all = Json::parse(found.facts);
  for (const char* later : {"constants", "constant_bytes", "bin_bytes", "missing_files"})
    EXPECT_EQ(all.erase(later), 1u);
  EXPECT_EQ(first, std::vector<Json>{all});
}

/// x * w * v, with weights of 16 KB and 4 MB.
OnnxGraph with_products() {
  constexpr int kSize = 1024;
  std::vector<float> large(size_t{kSize} * kSize);
  for (size_t i = 0; i < large.size(); ++i) large[i] = static_cast<float>(i % 251) - 125;
  OnnxGraph graph;
  graph.input("x", "N,4").weight(onnx_floats("w", {4, kSize}, std::vector<float>(4 * kSize, 0.5f)));
  graph.weight(onnx_floats("v", {kSize, kSize}, large));
  graph.node("MatMul", {"x", "w"}, {"p"}).node("MatMul", {"p", "v"}, {"y"});
  return graph.output("y");
}

TEST(Inspect, SizesOfWeightsFollowFromShapes) {
  MemoryFiles files;
  MemoryFile& file = files.put("model.onnx", with_products().model());
  const auto found = inspect_files(files, "model.onnx", {{"weight_sizes", "True"}});
  const int small = 4 * 1024, large = 1024 * 1024, channels = 2 * 1024;
  // Without the place of an equal number: all zero points and scales of the small one are one.
  EXPECT_EQ(found.facts["weight_sizes"], (Json{{"fp32", 4 * (small + large)},
                                               {"fp16", 2 * (small + large)},
                                               {"int8", small + large + 3 * channels},
                                               {"int4", small + large + 3 * channels}}));
  EXPECT_LT(file.bytes_read, 1u << 20);
  EXPECT_TRUE(found.codes.empty());
  EXPECT_FALSE(inspect_files(files, "model.onnx").facts.contains("weight_sizes"));
}

TEST(Inspect, SizesOfWeightsNeedAConversion) {
  OnnxGraph graph;
  graph.input("x", "2,3").input("y", "4,5").node("MatMul", {"x", "y"}, {"z"}).output("z");
  const auto found = inspect_onnx(graph, {{"weight_sizes", "True"}});
  EXPECT_FALSE(found.facts.contains("weight_sizes"));
  EXPECT_EQ(found.facts["nodes"], 1);
  EXPECT_EQ(found.codes.size(), 1u);  // that of the conversion
  EXPECT_TRUE(inspect_onnx(graph).codes.empty());
}

TEST(Inspect, ConstantsCountThatAreUsed) {
  const Json facts = inspect_onnx(with_branches()).facts;
  EXPECT_EQ(facts["constants"], 2);
  EXPECT_EQ(facts["constant_bytes"], 16);
  EXPECT_EQ(facts["bin_bytes"], Json::parse(R"({"f32": 16, "fp16": 8})"));
}

PlaceList places_of(const OnnxGraph& graph) {
  MemoryFiles files;
  files.put("model.onnx", graph.model());
  return list_places(files, "model.onnx", {});
}

TEST(ListPlaces, NamesNodesWithTheirInputsAndOutputs) {
  OnnxGraph graph;
  graph.input("x", "2").weight(onnx_floats("w", {2}, {3, 4})).node("Frob", {"x"}, {"a", "b"}, {}, "one", "com.acme");
  graph.node("Add", {"a", "w"}, {"c"}, {}, "\"two\"").node("Add", {"c", "b"}, {"y"}).output("y");
  const auto [json, messages] = places_of(graph);
  EXPECT_TRUE(messages.empty());
  EXPECT_EQ(Json::parse(json), Json::parse(R"({"ops": ["com.acme.Frob", "Add"], "nodes": [
      ["one", 0, [0], [["a"], ["b"]]], ["\"two\"", 1, [0], [["c"]]], ["y", 1, [0, 1], [["y"]]]]})"));
}

TEST(ListPlaces, LeavesOutBodies) {
  const Json nodes = Json::parse(places_of(with_branches()).json)["nodes"];
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_EQ(nodes[0][3], Json::parse(R"([["m"]])"));
  EXPECT_EQ(nodes[1][2], Json::parse("[0, 1]"));  // what the branches read is an input, too
}

TEST(ListPlaces, SaysWhatIsWrong) {
  MemoryFiles files;
  files.put("model.onnx", bytes_of(std::vector<char>(20, 'x')));
  const auto [json, messages] = list_places(files, "model.onnx", {});
  EXPECT_EQ(json, "");
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0].code, code_text(Code::UnknownFormat));
}

TEST(Inspect, NamesAllUnsupportedOperations) {
  OnnxGraph graph;
  graph.input("x", "2").node("Frobnicate", {"x"}, {"a"}, {}, "one", "com.acme").node("Relu", {"a"}, {"b"});
  graph.node("Defrobnicate", {"b"}, {"y"}, {}, "two", "com.acme").output("y");
  const Inspected found = inspect_onnx(graph);
  const std::string unsupported = code_text(Code::UnsupportedOp);
  EXPECT_EQ(found.codes, (std::vector<std::string>{unsupported, unsupported}));
  EXPECT_EQ(found.nodes, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(found.facts["operations"],
            Json::parse(R"({"Relu": 1, "com.acme.Defrobnicate": 1, "com.acme.Frobnicate": 1})"));
}

TEST(Inspect, NamesTheOperationsThatNoTransformationReplaces) {
  OnnxGraph graph;
  graph.input("x", "2").node("Frobnicate", {"x"}, {"a"}, {}, "one", "com.acme");
  graph.node("Defrobnicate", {"a"}, {"y"}, {}, "two", "com.acme").output("y");
  Extensions extensions;
  add_transform(extensions, "Teach", Phase::Front, [](Graph& model) {
    const auto found = model.nodes("Frobnicate");
    for (Node* node : std::vector<Node*>(found.begin(), found.end())) node->set_op("ReLU");
  });
  const Inspected found = inspect_onnx(graph, {}, &extensions);
  ASSERT_EQ(found.nodes, std::vector<std::string>{"two"});
  EXPECT_EQ(found.result.messages[0].severity, Message::Severity::Error);
  EXPECT_EQ(convert_model(graph, &extensions).message().node, "two");
  EXPECT_EQ(found.facts["operations"], Json::parse(R"({"com.acme.Defrobnicate": 1, "com.acme.Frobnicate": 1})"));
}

TEST(Inspect, OnlyWarnsWhereOtherErrorsEndTheConversionBeforeATransformation) {
  OnnxGraph graph;
  graph.input("x", "2").node("Frobnicate", {"x"}, {"a"}, {}, "one", "com.acme");
  graph.node("Gemm", {"a"}, {"y"}, {}, "two").output("y");
  Extensions extensions;
  add_transform(extensions, "Teach", Phase::Front);
  const Inspected found = inspect_onnx(graph, {}, &extensions);
  ASSERT_EQ(found.nodes, (std::vector<std::string>{"two", "one"}));
  EXPECT_EQ(found.result.messages[0].severity, Message::Severity::Error);
  EXPECT_EQ(found.result.messages[1].severity, Message::Severity::Warning);
  EXPECT_EQ(convert_model(graph, &extensions).message().node, "two");
}

/// A weight in a file that is not there.
std::string external(std::string_view name, std::string_view file) {
  const std::string location = WireMessage().bytes(1, "location").bytes(2, file).text();
  return WireMessage()
      .number(1, 2)
      .number(2, OnnxGraph::kFloat)
      .bytes(8, name)
      .number(14, 1)
      .bytes(13, location)
      .text();
}

TEST(Inspect, FindsMissingWeightsAndUnsupportedOperationsAtOnce) {
  OnnxGraph graph;
  graph.input("x", "2").weight(external("w", "weights.bin")).weight(external("v", "weights.bin"));
  graph.node("Mul", {"x", "w"}, {"m"}).node("Frobnicate", {"m", "v"}, {"y"}, {}, "one", "com.acme").output("y");
  const Inspected found = inspect_onnx(graph);
  EXPECT_EQ(found.codes, (std::vector<std::string>{code_text(Code::MissingDataFile), code_text(Code::UnsupportedOp)}));
  EXPECT_EQ(found.facts["missing_files"], Json::parse(R"(["weights.bin"])"));
  EXPECT_EQ(found.facts["operations"], Json::parse(R"({"Mul": 1, "com.acme.Frobnicate": 1})"));
}

TEST(Inspect, ShowsTheModelAsTheOptionsCutIt) {
  const Inspected found = inspect_onnx(with_branches(), {{"input", "x[4,2]"}, {"output", "m"}});
  EXPECT_TRUE(found.codes.empty());
  EXPECT_EQ(found.facts["inputs"][0]["shape"], "[4,2]");
  EXPECT_EQ(found.facts["outputs"][0]["name"], "m");
  EXPECT_EQ(found.facts["operations"], Json::parse(R"({"Mul": 1})"));
}

TEST(Inspect, AWrongPlaceDoesNotHideTheModel) {
  const Inspected found = inspect_onnx(with_branches(), {{"output", "nowhere"}});
  EXPECT_EQ(found.codes, std::vector<std::string>{code_text(Code::NoSuchPlace)});
  EXPECT_EQ(found.facts["nodes"], 4);
}

TEST(Inspect, AFileThatIsNoModelGivesMessagesOnly) {
  MemoryFiles files;
  files.put("m", text_bytes("no model"));
  const Inspected found = inspect_files(files, "m");
  EXPECT_EQ(found.result.facts, "{}");
  EXPECT_EQ(found.codes, std::vector<std::string>{code_text(Code::UnknownFormat)});
}

TEST(Inspect, ReadsNoWeights) {
  constexpr size_t kCount = 1 << 20;
  OnnxGraph graph;
  graph.input("x", "1048576").weight(onnx_floats("w", {kCount}, std::vector<float>(kCount, 1)));
  graph.node("Mul", {"x", "w"}, {"y"}).output("y");
  MemoryFiles files;
  const MemoryFile& file = files.put("model.onnx", graph.model());
  EXPECT_EQ(inspect_files(files, "model.onnx").facts["bin_bytes"]["f32"], 4 * kCount);
  EXPECT_LT(file.bytes_read, 2u << 20);
}

TEST(Inspect, SaysWhatASavedModelIs) {
  const std::string dims = "tensor_shape { dim { size: -1 } dim { size: 2 } }";
  const std::string text = cat(
      "meta_graphs { meta_info_def { tags: 'serve' tensorflow_version: '2.14.1' } graph_def { ", tf_input("x", {-1, 2}),
      tf_const("two", "DT_FLOAT", {1}, "float_val: 2"), tf_node("y", "Mul", {"x", "two"}, {kFloat}),
      "versions { producer: 1395 } } signature_def { key: 'serving_default' value { inputs { key: 'in' value { name: "
      "'x:0' } } outputs { key: 'out' value { name: 'y:0' dtype: DT_FLOAT ",
      dims, " } } } } }");
  MemoryFiles files;
  files.put("model/saved_model.pbtxt", text_bytes(text));
  const Inspected found = inspect_files(files, "model");
  EXPECT_TRUE(found.codes.empty());
  EXPECT_EQ(found.facts["format"], "TensorFlow");
  EXPECT_EQ(found.facts["producer"], "TensorFlow");
  EXPECT_EQ(found.facts["producer_version"], "2.14.1");
  EXPECT_EQ(found.facts["operator_sets"], Json::parse(R"([{"domain": "tensorflow", "version": 1395}])"));
  EXPECT_EQ(found.facts["signature"], "serving_default");
  EXPECT_EQ(found.facts["tags"], Json::parse(R"(["serve"])"));
  EXPECT_EQ(found.facts["outputs"],
            Json::parse(R"([{"name": "out", "names": ["out", "y:0", "y"], "shape": "[?,2]", "type": "f32"}])"));
  EXPECT_EQ(found.facts["operations"], Json::parse(R"({"Mul": 1})"));
  EXPECT_EQ(found.facts["constants"], 1);
}

}  // namespace
}  // namespace mo::test
