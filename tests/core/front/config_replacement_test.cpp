#include "core/front/config/FrontReplacementFromConfigFileGeneral.h"
#include "core/pipeline/transforms.h"
#include "tests/core/front/config_graphs.h"

namespace mo {
namespace {

using test::ConfigGraph;
using test::expect_error;
using test::InceptionGraph;
using test::kInceptionTemplate;

/// Overrides only generate_sub_graph().
class InceptionBlock final : public FrontReplacementFromConfigFileSubGraph {
 public:
  std::string_view replacement_id() const override { return "InceptionBlockTransformation"; }
  Replacement generate_sub_graph(Graph& graph, const SubgraphMatch& match) override {
    Node& node = graph.add_node("InceptionBlock", "block");
    node.attributes.update(match.custom_attributes().values);
    return {{"block", &node}};
  }
};

/// Overrides only replace_sub_graph().
class Recorder final : public FrontReplacementFromConfigFileSubGraph {
 public:
  explicit Recorder(std::string id) : id_(std::move(id)) {}
  std::string_view replacement_id() const override { return id_; }
  void replace_sub_graph(Graph&, const SubgraphMatch& match) override {
    seen += ConfigGraph::names(match.nodes()) + "| ";
  }
  std::string seen;

 private:
  std::string id_;
};

class YoloRegionAddon final : public FrontReplacementFromConfigFileGeneral {
 public:
  std::string_view replacement_id() const override { return "TFYOLO"; }
  void transform_graph(Graph&, const CustomAttributes& attributes) override { calls.push_back(attributes.json); }
  std::vector<std::string> calls;
};

void run(std::string_view transform, Graph& graph) {
  for (const TransformRow& row : all_transforms())
    if (row.name == transform) return row.make()->find_and_replace_pattern(graph);
  ADD_FAILURE() << "no transform " << transform;
}

TEST(Spec, J_16_AndJ_30_EachInstanceBecomesOneNodeWiredInOrder) {
  InceptionGraph g;
  set_transformations_config(g.graph.model(), g.update(kInceptionTemplate));
  InceptionBlock().find_and_replace_pattern(g.graph);
  const std::vector<Node*> blocks = g.graph.nodes("InceptionBlock");
  ASSERT_EQ(blocks.size(), 3u);
  EXPECT_EQ(blocks[0]->source(0), g.node("InceptionV4/Mixed_5a/concat").out());
  EXPECT_EQ(blocks[1]->source(0), blocks[0]->out());
  EXPECT_EQ(blocks[2]->source(0), blocks[1]->out());
  EXPECT_EQ(g.node("InceptionV4/Mixed_6a/Relu").source(0), blocks[2]->out());
  for (const Node* block : blocks) {
    EXPECT_EQ(block->in_count(), 1);
    EXPECT_EQ(block->get_string("attr1_key"), "attr1_value");
  }
  // input, Mixed_5a/concat, three blocks, Mixed_6a/Relu, Result
  EXPECT_EQ(g.graph.size(), 7u);
  EXPECT_EQ(g.warnings(), "");
}

TEST(Spec, J_01_WithoutAnEntryAClassDoesNothing) {
  InceptionGraph g;
  const size_t before = g.graph.size();
  InceptionBlock().find_and_replace_pattern(g.graph);
  set_transformations_config(g.graph.model(), "[]");
  InceptionBlock().find_and_replace_pattern(g.graph);
  YoloRegionAddon general;
  general.find_and_replace_pattern(g.graph);
  EXPECT_EQ(general.calls.size(), 0u);
  EXPECT_EQ(g.graph.size(), before);
  EXPECT_EQ(g.warnings(), "");
}

/// x, y -> s/sub, s/add -> Results
struct TwoInTwoOut : ConfigGraph {
  TwoInTwoOut() {
    Node &x = parameter("x"), &y = parameter("y");
    result(add("Sub", "s/sub", {&x, &y}));
    result(add("Add", "s/add", {&y, &x}));
    node("s/sub").out().tensor().names = {"difference"};
  }
  /// Runs an entry with `op` and returns the only node that it creates.
  Node& replace(const std::string& inputs, const std::string& outputs, const std::string& more = "") {
    set_transformations_config(graph.model(), R"([{"id": "i", "op": "Both", "match_kind": "scope", "instances": ["s/"],
        "inputs": )" + inputs + R"(, "outputs": )" +
                                                  outputs + more + "}]");
    run("TransformationsConfig", graph);
    return *graph.nodes("Both").at(0);
  }
};
const std::string kX = R"([{"node": "sub", "port": 0}, {"node": "add", "port": 1}])";
const std::string kXSwapped = R"([{"node": "add", "port": 1}, {"node": "sub", "port": 0}])";
const std::string kY = R"([{"node": "add", "port": 0}, {"node": "sub", "port": 1}])";
const std::string kSub = R"({"node": "sub", "port": 0})", kAdd = R"({"node": "add", "port": 0})";

TEST(Spec, J_14_TheOuterOrderIsThatOfThePorts) {
  for (const std::string& inputs : {cat("[", kX, ",", kY, "]"), cat("[", kXSwapped, ",", kY, "]")}) {
    TwoInTwoOut g;
    Node& both = g.replace(inputs, cat("[", kSub, ",", kAdd, "]"));
    EXPECT_EQ(both.source(0), g.node("x").out());
    EXPECT_EQ(both.source(1), g.node("y").out());
    EXPECT_EQ(g.graph.results[0]->source(0), both.out(0));
    EXPECT_EQ(g.graph.results[1]->source(0), both.out(1));
    EXPECT_EQ(both.out(0).tensor().names, Strings{"difference"});
  }
  TwoInTwoOut g;
  Node& both = g.replace(cat("[", kY, ",", kX, "]"), cat("[", kAdd, ",", kSub, "]"));
  EXPECT_EQ(both.source(0), g.node("y").out());
  EXPECT_EQ(both.source(1), g.node("x").out());
  EXPECT_EQ(g.graph.results[0]->source(0), both.out(1));
  EXPECT_EQ(g.graph.results[1]->source(0), both.out(0));
}

TEST(ConfiguredOp, GetsTheCustomAttributes) {
  TwoInTwoOut g;
  Node& both = g.replace(cat("[", kX, ",", kY, "]"), cat("[", kSub, ",", kAdd, "]"),
                         R"(, "custom_attributes": {"axes": [1, 2], "mode": "m"})");
  EXPECT_EQ(both.get_ints("axes"), (Ints{1, 2}));
  EXPECT_EQ(both.get_string("mode"), "m");
  TwoInTwoOut h;
  expect_error(Code::BadConfigEntry, "'deep', which a node cannot hold",
               [&] { h.replace("[]", "[]", R"(, "custom_attributes": {"deep": {}})"); });
}

TEST(ConfiguredOp, InputsThatAreNotOneTensorAreRefused) {
  TwoInTwoOut g;
  expect_error(Code::BadSubgraph, "input 0 of that of the entry with id 'i' has nodes with different sources",
               [&] { g.replace(R"([[{"node": "sub", "port": 0}, {"node": "sub", "port": 1}]])", "[]"); });
  TwoInTwoOut h;
  expect_error(Code::BadSubgraph, "input 1 of that of the entry with id 'i' has no nodes",
               [&] { h.replace("[" + kX + ", []]", "[]"); });
}

TEST(ConfiguredOp, ATensorThatNoOutputNamesKeepsItsNodes) {
  TwoInTwoOut g;
  Node& both = g.replace(cat("[", kX, ",", kY, "]"), "[" + kSub + "]");
  EXPECT_EQ(g.graph.results[0]->source(0), both.out(0));
  EXPECT_EQ(g.graph.results[1]->source(0), g.node("s/add").out());
  EXPECT_EQ(g.graph.find("s/sub"), nullptr);
}

TEST(Spec, J_18_PointsAreReplacedFromOneFile) {
  ConfigGraph g;
  Node& shared = g.add("Const", "shared", {});
  Node& s = g.add("ReLU", "s", {&g.parameter("x")});
  Node& e = g.add("Add", "e", {&s, &shared});
  g.result(g.add("Mul", "after", {&e, &shared}));
  set_transformations_config(g.graph.model(), R"([{"id": "p", "op": "Swish", "match_kind": "points",
      "instances": {"start_points": ["s"], "end_points": ["e"]}}])");
  run("TransformationsConfig", g.graph);
  Node& swish = *g.graph.nodes("Swish").at(0);
  EXPECT_EQ(swish.source(0), g.node("x").out());
  EXPECT_EQ(g.node("after").source(0), swish.out());
  // Nodes with other consumers are matched, too, and stay.
  EXPECT_EQ(g.node("after").source(1), shared.out());
  EXPECT_EQ(g.graph.find("s"), nullptr);
}

TEST(Spec, J_26_AGeneralTransformationIsCalledOnceWithItsAttributes) {
  ConfigGraph g;
  set_transformations_config(g.graph.model(), R"([{"id": "TFYOLO", "match_kind": "general",
      "custom_attributes": {"classes": 20, "coords": 4, "num": 2, "do_softmax": 0}}])");
  YoloRegionAddon transform;
  transform.find_and_replace_pattern(g.graph);
  EXPECT_EQ(transform.calls, Strings{R"({"classes":20,"coords":4,"num":2,"do_softmax":0})"});
  EXPECT_TRUE(transform.run_not_recursively());
}

TEST(Spec, J_05_AnEntryThatNoClassReadsIsTold) {
  ConfigGraph g;
  set_transformations_config(g.graph.model(), R"([{"id": "TFYOLO", "match_kind": "general"},
      {"id": "nobody", "match_kind": "general"}])");
  YoloRegionAddon().find_and_replace_pattern(g.graph);
  run("UnreadReplacementDescriptions", g.graph);
  ASSERT_EQ(g.warnings(), "MO6043 ");
  EXPECT_NE(g.graph.model().diagnostics.messages()[0].text.find("'nobody'"), std::string::npos);
  EXPECT_FALSE(g.graph.model().diagnostics.has_errors());
}

TEST(Spec, J_09_NoMatchIsAWarningWithTheId) {
  InceptionGraph g;
  set_transformations_config(g.graph.model(), R"([{"id": "r", "match_kind": "scope", "instances": ["nowhere"],
      "inputs": [], "outputs": []}])");
  Recorder recorder("r");
  recorder.find_and_replace_pattern(g.graph);
  EXPECT_EQ(recorder.seen, "");
  ASSERT_EQ(g.warnings(), "MO6042 ");
  EXPECT_NE(g.graph.model().diagnostics.messages()[0].text.find(
                "Failed to match nodes from custom replacement description with id 'r': "),
            std::string::npos);
}

TEST(Spec, J_09_NodesThatAreNotConnectedAreTold) {
  ConfigGraph g;
  g.add("ReLU", "s/b", {&g.add("ReLU", "between", {&g.add("ReLU", "s/a", {&g.parameter("s/x")})})});
  g.result(g.node("s/b"));
  set_transformations_config(g.graph.model(), R"([{"id": "r", "match_kind": "scope", "instances": ["s/"],
      "inputs": [], "outputs": []}])");
  Recorder recorder("r");
  recorder.find_and_replace_pattern(g.graph);
  EXPECT_EQ(recorder.seen, "s/a s/b | ");  // neither the Parameter nor the Result
  EXPECT_EQ(g.warnings(), "MO6053 ");
}

TEST(Spec, J_30_AMatchThatLostNodesIsLeftAlone) {
  ConfigGraph g;
  g.result(g.add("ReLU", "s/a", {&g.parameter("x")}));
  set_transformations_config(g.graph.model(), R"([{"id": "i", "op": "New", "match_kind": "scope",
      "instances": ["s/", "s"], "inputs": [[{"node": "a", "port": 0}]], "outputs": [{"node": "a", "port": 0}]}])");
  run("TransformationsConfig", g.graph);
  EXPECT_EQ(g.graph.nodes("New").size(), 1u);
  EXPECT_EQ(g.warnings(), "MO6042 ");
}

}  // namespace
}  // namespace mo
