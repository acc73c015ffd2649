// The trace: what each step of a conversion changed. Replaying it gives the graph at any time.

#include <map>
#include <nlohmann/json.hpp>

#include "tests/core/front/tf/graphs.h"
#include "tests/core/support/converted.h"

namespace mo::test {
namespace {

using Json = nlohmann::json;
const std::vector<OptionText> kTrace = {{"trace", "True"}};

Json steps_of(const Converted& converted) {
  return Json::parse(converted.conversion->side_files().at(0).text)["steps"];
}

std::string title(const Json& step) {
  return step["phase"].get<std::string>() + ":" + step.value("transform", std::string());
}

Json find_step(const Json& steps, const std::string& name) {
  for (const Json& step : steps)
    if (title(step) == name) return step;
  return {};
}

/// The nodes after all steps, by graph and id. A field of a changed node replaces the former one.
std::map<std::pair<std::string, int>, Json> replayed(const Json& steps) {
  std::map<std::pair<std::string, int>, Json> nodes;
  const auto key = [](const Json& node) {
    return std::pair(node.value("graph", std::string()), node["id"].get<int>());
  };
  for (const Json& step : steps) {
    for (const Json& gone : step.value("removed", Json::array()))
      EXPECT_EQ(nodes.erase({gone[0].get<std::string>(), gone[1].get<int>()}), 1u) << title(step) << gone;
    for (const Json& node : step.value("added", Json::array()))
      EXPECT_TRUE(nodes.emplace(key(node), node).second) << title(step) << node;
    for (const Json& node : step.value("changed", Json::array())) {
      EXPECT_TRUE(nodes.count(key(node))) << title(step) << node;
      nodes[key(node)].update(node);
    }
  }
  return nodes;
}

/// A convolution, a normalisation that is folded into it, and an activation.
OnnxGraph conv_net() {
  OnnxGraph graph;
  graph.input("x", "1,1,4,4").weight(onnx_floats("w", {2, 1, 1, 1}, {1, 2}));
  for (const char* name : {"scale", "bias", "mean", "variance"}) graph.weight(onnx_floats(name, {2}, {3, 5}));
  graph.node("Conv", {"x", "w"}, {"c"}, {}, "conv");
  graph.node("BatchNormalization", {"c", "scale", "bias", "mean", "variance"}, {"n"}, {}, "norm");
  return graph.node("Relu", {"n"}, {"y"}, {}, "relu").output("y");
}

OnnxGraph branching() {
  OnnxGraph then_graph, else_graph;
  then_graph.node("Relu", {"x"}, {"t"}, {}, "inside").output("t");
  else_graph.node("Abs", {"x"}, {"e"}).output("e");
  OnnxGraph graph;
  graph.input("x", "2").input("c", "", OnnxGraph::kBool);
  graph.node("If", {"c"}, {"y"},
             {onnx_graph_attribute("then_branch", then_graph), onnx_graph_attribute("else_branch", else_graph)}, "if");
  return graph.output("y");
}

TEST(Trace, IsEmptyWithoutTheOption) { EXPECT_TRUE(convert_model(conv_net()).conversion->side_files().empty()); }

TEST(Trace, ChangesNothingInTheResult) {
  const Converted without = convert_model(conv_net()), with = convert_model(conv_net(), nullptr, kTrace);
  ASSERT_TRUE(with.ok()) << with.message().text;
  EXPECT_EQ(without.xml(), with.xml());
  EXPECT_EQ(without.bin(), with.bin());
}

TEST(Trace, BeginsWithTheFrameworksNodes) {
  const Json steps = steps_of(convert_model(conv_net(), nullptr, kTrace));
  EXPECT_EQ(title(steps[0]), "load:");
  Json conv;
  for (const Json& node : steps[0]["added"])
    if (node["name"] == "conv") conv = node;
  EXPECT_EQ(conv["op"], "Conv");
  EXPECT_EQ(conv["source"]["op"], "Conv");
  EXPECT_GT(conv["source"]["offset"], 0);
  EXPECT_EQ(conv["in"].size(), 2u);
  EXPECT_EQ(conv["out"], Json::parse(R"([{"names": ["c"]}])"));
  EXPECT_EQ(title(steps[1]), "extract:");
}

TEST(Trace, NamesTheTransformationsThatChangedSomething) {
  const Json steps = steps_of(convert_model(conv_net(), nullptr, kTrace));
  const Json infer = find_step(steps, "infer:PartialInfer"), fusing = find_step(steps, "middle:Fusing");
  std::vector<std::string> decompositions;
  for (const Json& entry : infer["decomposed"]) decompositions.push_back(entry["transform"]);
  EXPECT_EQ(decompositions, (std::vector<std::string>{"DecomposeConvolution", "DecomposeBatchNormalization"}));
  EXPECT_FALSE(fusing.is_null());
  EXPECT_TRUE(fusing.contains("removed"));
  for (const Json& step : steps) EXPECT_GT(step.size(), step.contains("transform") ? 2u : 1u) << step;
}

/// Expects that the nodes that are left are those with a layer, and that the layers of each graph are numbered.
void expect_layers(const Json& steps) {
  const auto nodes = replayed(steps);
  ASSERT_EQ(title(steps.back()), "emit:");
  std::map<std::string, std::set<int>> layers;
  for (const Json& entry : steps.back()["layers"]) {
    EXPECT_TRUE(nodes.count({entry[0].get<std::string>(), entry[1].get<int>()})) << entry;
    EXPECT_TRUE(layers[entry[0].get<std::string>()].insert(entry[2].get<int>()).second) << entry;
  }
  EXPECT_EQ(steps.back()["layers"].size(), nodes.size());
  for (const auto& [graph, ids] : layers) EXPECT_EQ(*ids.rbegin() + 1, static_cast<int>(ids.size())) << graph;
}

TEST(Trace, EndsWithTheLayersOfTheIr) {
  const Converted converted = convert_model(conv_net(), nullptr, kTrace);
  const Json steps = steps_of(converted);
  expect_layers(steps);
  const auto nodes = replayed(steps);
  for (const Json& entry : steps.back()["layers"]) {
    const pugi::xml_node layer = converted.layers()[entry[2].get<size_t>()];
    EXPECT_EQ(text_of(layer, "name"), nodes.at({"", entry[1].get<int>()})["name"]);
    EXPECT_EQ(text_of(layer, "type"), nodes.at({"", entry[1].get<int>()})["op"]);
    if (text_of(layer, "type") == "Result") continue;
    const std::string shape = nodes.at({"", entry[1].get<int>()})["out"][0]["shape"];
    EXPECT_EQ(shape, cat("[", dims(layer), "]")) << text_of(layer, "name");
  }
}

TEST(Trace, HasBodiesAtTheirPlaces) {
  const Converted converted = convert_model(branching(), nullptr, kTrace);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  const Json steps = steps_of(converted);
  expect_layers(steps);
  std::set<std::string> paths;
  std::string inside;
  for (const auto& [place, node] : replayed(steps)) {
    paths.insert(place.first);
    if (node["name"] == "inside") inside = place.first;
  }
  EXPECT_EQ(paths.size(), 3u);
  EXPECT_TRUE(inside.ends_with(".then_graph")) << inside;
}

TEST(Trace, RemovesWhatOptionsCutOff) {
  std::vector<OptionText> options = kTrace;
  options.push_back({"output", "c"});
  const Json cut = find_step(steps_of(convert_model(conv_net(), nullptr, options)), "load:cut");
  EXPECT_GE(cut["removed"].size(), 6u);  // the normalisation, its constants, and the activation
}

TEST(Trace, ReachesAsFarAsAConversionThatFails) {
  OnnxGraph graph;
  graph.input("x", "2").node("Frobnicate", {"x"}, {"y"}, {}, "one", "com.acme").output("y");
  const Converted converted = convert_model(graph, nullptr, kTrace);
  EXPECT_FALSE(converted.ok());
  EXPECT_EQ(title(steps_of(converted)[0]), "load:");
}

TEST(Trace, OfATextGivesLines) {
  const std::string text = tf_input("x", {1, 4, 4, 1}) + tf_node("y", "Relu", {"x"}, {kFloat});
  const Converted converted = convert_text(text, kTrace);
  ASSERT_TRUE(converted.ok()) << converted.message().text;
  const Json steps = steps_of(converted);
  expect_layers(steps);
  for (const Json& node : steps[0]["added"])
    if (node["name"] == "y") {
      EXPECT_EQ(node["source"], Json::parse(R"({"op": "Relu", "line": 2})"));
    }
}

}  // namespace
}  // namespace mo::test
