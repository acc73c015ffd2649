#include "tests/core/front/config_graphs.h"

namespace mo {
namespace {

using test::ConfigGraph;
using test::expect_error;

/// x -> p -> s -> a -> e -> b -> Result, with a constant c that a reads.
struct PointsGraph : ConfigGraph {
  PointsGraph() {
    Node& p = add("ReLU", "p", {&parameter("x")});
    Node& s = add("ReLU", "s", {&p});
    Node& a = add("Add", "a", {&s, &add("Const", "c", {})});
    Node& e = add("ReLU", "e", {&a});
    result(add("ReLU", "b", {&e}));
  }
};

std::string points(const std::string& start, const std::string& end, const std::string& more = "") {
  return R"([{"id": "i", "match_kind": "points", "instances": {"start_points": [)" + start + R"(], "end_points": [)" +
         end + "]}" + more + "}]";
}
const char kBoth[] = R"(, "include_inputs_to_sub_graph": true, "include_outputs_to_sub_graph": true)";

std::string matched(ConfigGraph& g, const std::string& json) {
  const std::vector<SubgraphMatch> matches = g.match(json);
  return matches.size() == 1 ? ConfigGraph::names(matches[0].nodes()) : cat(matches.size(), " matches");
}

TEST(Spec, J_20_ForwardFromTheStartUntilTheEnd) {
  PointsGraph g;
  EXPECT_EQ(matched(g, points(R"("p")", R"("s")")), "p s ");
  // A path that never reaches an end point is followed to its end.
  g.add("ReLU", "idle", {&g.add("ReLU", "aside", {&g.node("s")})});
  g.result(g.node("aside"));
  EXPECT_EQ(matched(g, points(R"("s")", R"("e")")), "s c a e aside idle ");
  EXPECT_EQ(matched(g, points(R"("s")", R"("s")")), "s ");
}

TEST(Spec, J_21_BackwardFromAllButTheStart) {
  PointsGraph g;
  Node& before = g.add("ReLU", "before_c2", {&g.add("Const", "c2", {})});
  g.node("e").add_in_ports(2);
  g.node("e").in(1).connect(before.out());
  EXPECT_EQ(matched(g, points(R"("s")", R"("e")")), "s c a e c2 before_c2 ");
}

TEST(Spec, J_22_AnEndThatIsNotReachedIsAnError) {
  PointsGraph g;
  expect_error(Code::EndNotReached, "end point 'p' of the entry with id 'i'",
               [&] { g.match(points(R"("s")", R"("e", "p")")); });
  EXPECT_EQ(info(Code::EndNotReached).faq, 74);
}

TEST(Spec, J_23_AParameterInsideIsAnError) {
  PointsGraph g;
  g.node("e").add_in_ports(2);
  g.node("e").in(1).connect(g.parameter("second").out());
  expect_error(Code::ParameterInSubgraph, "'second'", [&] { g.match(points(R"("s")", R"("e")")); });
  expect_error(Code::ParameterInSubgraph, "'x'", [&] { g.match(points(R"("x")", R"("p")")); });
  EXPECT_EQ(info(Code::ParameterInSubgraph).faq, 75);
}

TEST(Spec, J_24_TheIncludeKeysMayBeAbsent) {
  PointsGraph g, h;
  EXPECT_EQ(matched(g, points(R"("s")", R"("e")", kBoth)), matched(h, points(R"("s")", R"("e")")));
  EXPECT_EQ(g.warnings(), "");
}

TEST(Spec, J_24_FalseLeavesOutThePointsAndWarns) {
  PointsGraph g;
  const std::vector<SubgraphMatch> inner = g.match(
      points(R"("s")", R"("b")", R"(, "include_inputs_to_sub_graph": false, "include_outputs_to_sub_graph": false)"));
  ASSERT_EQ(inner.size(), 1u);
  // If the start is excluded, the constant that the new start reads is outside as well.
  EXPECT_EQ(ConfigGraph::names(inner[0].nodes()), "a e ");
  EXPECT_EQ(inner[0].single_input_node(0), g.node("a").in(0));
  EXPECT_EQ(inner[0].output_node(0), g.node("e").out());
  EXPECT_EQ(g.warnings(), "MO6052 ");
}

TEST(Spec, J_25_AStartPointHasOneDataInput) {
  PointsGraph g;
  Node& weights = g.add("Const", "weights", {});
  weights.set("value", make_f32_scalar(1));
  Node& conv = g.add("Conv2D", "conv", {&g.node("p"), &weights});
  g.result(conv);
  // A scalar or a list is a parameter of the operation.
  EXPECT_EQ(matched(g, points(R"("conv")", R"("conv")")), "conv ");
  Node& minus = g.add("Sub", "minus", {&weights, &g.node("p")});
  g.result(minus);
  EXPECT_EQ(g.match(points(R"("minus")", R"("minus")"))[0].single_input_node(0), minus.in(1));
  Constant kernel = make_f32_scalar(1);
  kernel.shape = {1, 1, 1, 1};
  weights.set("value", kernel);
  expect_error(Code::StartPointInputs, "'conv' of the entry with id 'i' has 2",
               [&] { g.match(points(R"("conv")", R"("conv")")); });
  // Ports listed by the user are used as they are.
  EXPECT_EQ(matched(g, points(R"("conv")", R"("conv")", R"(, "inputs": [[{"node": "^conv$", "port": 0}]])")), "conv ");
}

TEST(Spec, J_18_PortsOfPointsNeedNoUpdate) {
  PointsGraph g;
  const SubgraphMatch match = g.match(points(R"("s")", R"("e")"))[0];
  EXPECT_EQ(match.inputs_count(), 1);
  EXPECT_EQ(match.single_input_node(0), g.node("s").in(0));
  EXPECT_EQ(match.outputs_count(), 1);
  EXPECT_EQ(match.output_node(0), g.node("e").out());
  EXPECT_EQ(match.node_by_pattern("^c$"), &g.node("c"));
  EXPECT_EQ(match.scope(), "");
}

TEST(Spec, J_18_TheUpdateDescribesPointsByFullNames) {
  PointsGraph g;
  const std::vector<ReplacementDescription> updated =
      parse_transformations_config(g.update(points(R"("s")", R"("e")")));
  EXPECT_EQ(*updated[0].inputs, (InputPatterns{{{"^s$", 0}}}));
  EXPECT_EQ(*updated[0].outputs, (OutputPatterns{{"^e$", 0}}));
}

TEST(Points, ANameThatIsNotInTheGraphMatchesNothing) {
  PointsGraph g;
  EXPECT_EQ(matched(g, points(R"("nobody")", R"("e")")), "0 matches");
  EXPECT_EQ(matched(g, points(R"("s")", R"("nobody")")), "0 matches");
  expect_error(Code::NothingMatched, "'i'", [&] { g.update(points(R"("s")", R"("nobody")")); });
}

}  // namespace
}  // namespace mo
