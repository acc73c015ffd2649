#include "tests/core/front/config_graphs.h"

namespace mo {
namespace {

using test::ConfigGraph;
using test::expect_error;
using test::InceptionGraph;
using test::kInceptionTemplate;

/// Names of the nodes in {node, port} pairs of both kinds.
std::string names_of(const std::vector<InPort>& ports) {
  std::string out;
  for (const InPort& port : ports) out += cat(port.node().name(), ":", port.index(), " ");
  return out;
}

TEST(Spec, J_12_AndJ_13_AndA_38_TheUpdateDescribesTheInceptionBlock) {
  InceptionGraph g;
  const std::string updated = g.update(kInceptionTemplate);
  EXPECT_EQ(updated, R"([
    {
        "custom_attributes": {
            "attr1_key": "attr1_value",
            "attr2_key": 123456
        },
        "id": "InceptionBlockTransformation",
        "instances": [
            ".*InceptionV4/Mixed_5b",
            ".*InceptionV4/Mixed_5c",
            ".*InceptionV4/Mixed_5d"
        ],
        "match_kind": "scope",
        "inputs": [
            [
                {
                    "node": "Branch_0/Conv2d_0a_1x1/Conv2D$",
                    "port": 0
                },
                {
                    "node": "Branch_1/Conv2d_0a_1x1/Conv2D$",
                    "port": 0
                },
                {
                    "node": "Branch_2/Conv2d_0a_1x1/Conv2D$",
                    "port": 0
                },
                {
                    "node": "Branch_3/AvgPool_0a_3x3/AvgPool$",
                    "port": 0
                }
            ]
        ],
        "outputs": [
            {
                "node": "concat$",
                "port": 0
            }
        ]
    }
]
)");
  // Each pattern matches one node of each instance.
  const std::vector<SubgraphMatch> matches = g.match(updated);
  ASSERT_EQ(matches.size(), 3u);
  for (const SubgraphMatch& match : matches) {
    EXPECT_EQ(match.input_nodes(0).size(), 4u);
    EXPECT_TRUE(match.node_by_pattern("Branch_2/Conv2d_0a_1x1/Conv2D$"));
  }
  EXPECT_EQ(g.update(updated), updated);
}

TEST(Spec, J_11_TheUpdateKeepsWhatItDoesNotAdd) {
  InceptionGraph g;
  const std::string updated = g.update(R"([
    {"id": "other", "match_kind": "general", "custom_attributes": {"b": 1.50, "a": [null, {"y": "\u00e9"}]}},
    {"outputs": [], "mine": true, "id": "s", "match_kind": "scope", "instances": ["InceptionV4/Mixed_6a"]}
])");
  EXPECT_EQ(updated, R"([
    {
        "id": "other",
        "match_kind": "general",
        "custom_attributes": {
            "b": 1.5,
            "a": [
                null,
                {
                    "y": ")"
                     "\xC3\xA9"
                     R"("
                }
            ]
        }
    },
    {
        "outputs": [
            {
                "node": "Relu$",
                "port": 0
            }
        ],
        "mine": true,
        "id": "s",
        "match_kind": "scope",
        "instances": [
            "InceptionV4/Mixed_6a"
        ],
        "inputs": [
            [
                {
                    "node": "Relu$",
                    "port": 0
                }
            ]
        ]
    }
]
)");
}

TEST(Spec, J_17_OutputsAreWhatLeavesOrHasNoConsumer) {
  ConfigGraph g;
  Node& a = g.add("Split", "s/a", {&g.parameter("x")}, 2);
  Node& b = g.add("ReLU", "s/b.1", {&a});
  g.add("ReLU", "s/idle", {&b});
  g.result(b);
  g.add("ReLU", "t", {}).add_in_ports(1);
  a.out(1).connect(g.node("t").in(0));
  set_transformations_config(g.graph.model(), R"([{"id": "i", "match_kind": "scope", "instances": ["s/"]}])");
  const std::string updated = updated_config(g.graph, *transformations_config(g.graph.model()));
  EXPECT_EQ(*parse_transformations_config(updated)[0].outputs,
            (OutputPatterns{{"a$", 1}, {"b\\.1$", 0}, {"idle$", 0}}));
  EXPECT_EQ(*parse_transformations_config(updated)[0].inputs, (InputPatterns{{{"a$", 0}}}));
}

TEST(Spec, J_10_AScopeThatWasNotUpdatedIsAnError) {
  InceptionGraph g;
  expect_error(Code::ConfigNotUpdated, "InceptionBlockTransformation", [&] { g.match(kInceptionTemplate); });
}

TEST(Spec, J_10_TheUpdateRefusesWhatItCannotDescribe) {
  InceptionGraph g;
  expect_error(Code::NothingMatched, "id 'i': nowhere", [&] {
    g.update(R"([{"id": "i", "match_kind": "scope", "instances": ["InceptionV4/Mixed_5b", "nowhere"]}])");
  });
  expect_error(Code::BadSubgraph, "differ", [&] {
    g.update(R"([{"id": "i", "match_kind": "scope", "instances": ["InceptionV4/Mixed_5b", "InceptionV4/Mixed_6a"]}])");
  });
  expect_error(Code::BadSubgraph, "does not lie below", [&] {
    g.update(R"([{"id": "i", "match_kind": "scope", "instances": ["InceptionV4/Mixed_6a/Relu"]}])");
  });
}

TEST(Spec, J_07_EachInstanceIsAMatchWithAllNodesOfThatPrefix) {
  InceptionGraph g;
  const std::vector<SubgraphMatch> matches = g.match(g.update(kInceptionTemplate));
  ASSERT_EQ(matches.size(), 3u);
  for (const SubgraphMatch& match : matches) EXPECT_EQ(match.nodes().size(), 12u);
  EXPECT_EQ(matches[1].scope(), ".*InceptionV4/Mixed_5c");
  EXPECT_EQ(matches[1].nodes().back()->name(), "InceptionV4/Mixed_5c/concat");
  EXPECT_EQ(*matches[1].custom_attributes().values.get_if<int64_t>("attr2_key"), 123456);
}

TEST(Spec, J_32_PatternsMatchFromTheStartOfTheName) {
  InceptionGraph g("import/");
  const std::string start = R"([{"id": "i", "match_kind": "scope", "inputs": [], "outputs": [], "instances": [")";
  EXPECT_EQ(g.match(start + R"(InceptionV4/Mixed_5b"]}])").size(), 0u);
  EXPECT_EQ(g.match(start + R"(.*InceptionV4/Mixed_5b"]}])").size(), 1u);
}

TEST(Spec, J_12_AnInstanceWithoutTheInputNodesIsNone) {
  InceptionGraph g;
  EXPECT_EQ(
      g.match(R"([{"id": "i", "match_kind": "scope", "instances": ["InceptionV4/Mixed_5b", "InceptionV4/Mixed_6a"],
      "inputs": [[{"node": "Branch_3/AvgPool_0a_3x3/AvgPool$", "port": 0}]], "outputs": []}])")
          .size(),
      1u);
}

TEST(Spec, J_15_PortsAreNumberedAsTheEntryListsThem) {
  InceptionGraph g;
  const SubgraphMatch match = g.match(R"([{"id": "i", "match_kind": "scope", "instances": ["InceptionV4/Mixed_5b"],
      "inputs": [[{"node": "Branch_3/AvgPool", "port": 0}], [{"node": "Branch_1/.*Conv2D$", "port": 0}],
                 [{"node": "Branch_0/.*Conv2D$", "port": 0}, {"node": "Branch_2/.*Conv2D$", "port": 1}]],
      "outputs": [{"node": "concat$", "port": 0}, {"node": "Branch_1/.*Relu$", "port": 0}, {"node": "none", "port": 0}]}])")
                                  [0];
  const std::string scope = "InceptionV4/Mixed_5b/";
  EXPECT_EQ(match.inputs_count(), 3);
  EXPECT_EQ(match.outputs_count(), 3);
  EXPECT_EQ(match.single_input_node(0).node().name(), scope + "Branch_3/AvgPool_0a_3x3/AvgPool");
  EXPECT_EQ(match.single_input_node(1).node().name(), scope + "Branch_1/Conv2d_0a_1x1/Conv2D");
  EXPECT_EQ(names_of(match.input_nodes(2)),
            scope + "Branch_0/Conv2d_0a_1x1/Conv2D:0 " + scope + "Branch_2/Conv2d_0a_1x1/Conv2D:1 ");
  EXPECT_EQ(match.output_node(0).node().name(), scope + "concat");
  EXPECT_EQ(match.output_node(1).node().name(), scope + "Branch_1/Conv2d_0a_1x1/Relu");
  expect_error(Code::SeveralInputNodes, "input 2 of the sub-graph of 'i' has 2 nodes",
               [&] { match.single_input_node(2); });
  expect_error(Code::NoSuchPort, "input 3", [&] { match.input_nodes(3); });
  expect_error(Code::NoSuchPort, "input -1", [&] { match.single_input_node(-1); });
  expect_error(Code::NoSuchPort, "output 3", [&] { match.output_node(3); });
  expect_error(Code::BadSubgraph, "output 2", [&] { match.output_node(2); });
  EXPECT_EQ(info(Code::SeveralInputNodes).faq, 33);
}

TEST(Spec, J_15_NodesAreFoundByPatternBelowTheScope) {
  InceptionGraph g;
  const SubgraphMatch match = g.match(g.update(kInceptionTemplate))[0];
  EXPECT_EQ(match.node_by_pattern("concat$"), &g.node("InceptionV4/Mixed_5b/concat"));
  EXPECT_EQ(match.node_by_pattern("oncat$"), nullptr);
  expect_error(Code::SeveralNodesMatch, "\"Branch_0\": InceptionV4/Mixed_5b/Branch_0/Conv2d_0a_1x1/weights, ",
               [&] { match.node_by_pattern("Branch_0"); });
  expect_error(Code::BadNamePattern, "without its", [&] { match.node_by_pattern("("); });
  EXPECT_EQ(info(Code::SeveralNodesMatch).faq, 78);
}

TEST(SubgraphMatch, RefusesPortsThatTheNodesDoNotHave) {
  InceptionGraph g;
  const std::string start = R"([{"id": "i", "match_kind": "scope", "instances": ["InceptionV4/Mixed_6a"], )";
  expect_error(Code::NoSuchPort, "input 1",
               [&] { g.match(start + R"("inputs": [[{"node": "Relu", "port": 1}]], "outputs": []}])"); });
  expect_error(Code::NoSuchPort, "output 2147483647",
               [&] { g.match(start + R"("inputs": [], "outputs": [{"node": "Relu", "port": 2147483647}]}])"); });
  expect_error(Code::DuplicateSubgraphOutput, "output 0", [&] {
    g.match(start + R"("inputs": [], "outputs": [{"node": "Relu", "port": 0}, {"node": "Relu$", "port": 0}]}])");
  });
  EXPECT_EQ(info(Code::DuplicateSubgraphOutput).faq, 34);
  expect_error(Code::WrongMatchKind, "general", [&] { g.match(R"([{"id": "i", "match_kind": "general"}])"); });
}

}  // namespace
}  // namespace mo
