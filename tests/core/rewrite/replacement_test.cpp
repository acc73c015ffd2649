#include <gtest/gtest.h>

#include "core/rewrite/back_replacement.h"
#include "core/rewrite/front_replacement.h"
#include "tests/core/support/test_graph.h"

namespace mo {
namespace {

/// x -> softplus -> tanh -> mul(x, ·) -> Result, repeated
struct MishGraph : test::TestGraph {
  explicit MishGraph(int instances = 1) {
    Node& x = add("Parameter", "x");
    for (int i = 0; i < instances; ++i) {
      Node& softplus = add("SoftPlus", "softplus", {x});
      Node& tanh = add("Tanh", "tanh", {softplus});
      Node& mul = add("Mul", "mul", {x, tanh});
      mul.out().tensor().names = {cat("y", i)};
      add("Result", "result", {mul}, 0);
    }
  }
  /// Every node with its sources.
  std::string text() {
    std::string out;
    for (Node* node : graph.nodes()) {
      out += node->name() + "(";
      for (int i = 0; i < node->in_count(); ++i) {
        const OutPort source = node->source(i);
        out += (i == 0 ? "" : ", ") + (source ? source.node().name() : "-");
      }
      out += ") ";
    }
    return out;
  }
};

Pattern mish_pattern() {
  return {{{"mul", {{"op", "Mul"}}}, {"tanh", {{"op", "Tanh"}}}, {"softplus", {{"op", "SoftPlus"}}}},
          {{"softplus", "tanh"}, {"tanh", "mul", 1}}};
}

Node& make_mish(Graph& graph) {
  Node& mish = graph.add_node("Mish", "mish");
  mish.add_in_ports(1);
  mish.add_out_ports(1);
  return mish;
}

/// A class that overrides replace_sub_graph or replace_pattern, and counts its calls.
template <typename Base>
struct Counting : Base {
  Pattern pattern() override { return mish_pattern(); }
  int calls = 0;
  Graph* graph = nullptr;
};
struct CountingPattern : Counting<FrontReplacementPattern> {
  void replace_pattern(Graph& g, const Match& match) override {
    ++calls, graph = &g;
    EXPECT_EQ(match.op("mul").op(), "Mul");
  }
};
struct CountingSubgraph : Counting<FrontReplacementSubgraph> {
  void replace_sub_graph(Graph& g, const Match& match) override {
    ++calls, graph = &g;
    EXPECT_EQ(match.op("mul").op(), "Mul");
  }
};

TEST(Spec, T_21_FrontPatternClasses) {
  MishGraph test;
  CountingPattern by_pattern;
  by_pattern.find_and_replace_pattern(test.graph);
  EXPECT_EQ(by_pattern.calls, 1);
  EXPECT_EQ(by_pattern.graph, &test.graph);
  CountingSubgraph by_sub_graph;
  by_sub_graph.find_and_replace_pattern(test.graph);
  EXPECT_EQ(by_sub_graph.calls, 1);
  EXPECT_EQ(by_sub_graph.graph, &test.graph);
}

TEST(Spec, T_22_EveryInstanceTriggers) {
  MishGraph test(3);
  CountingSubgraph transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(transform.calls, 3);
}

TEST(Spec, T_23_ReplaceSubGraphIsAllThatHappens) {
  MishGraph test;
  const std::string before = test.text();
  CountingSubgraph transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.text(), before);
}

TEST(Spec, T_24_PatternIsRequired) {
  MishGraph test;
  FrontReplacementPattern by_pattern;
  EXPECT_CODE(Code::BadPattern, (by_pattern.find_and_replace_pattern(test.graph), 0));
  FrontReplacementSubgraph by_sub_graph;
  EXPECT_CODE(Code::BadPattern, (by_sub_graph.find_and_replace_pattern(test.graph), 0));
  FrontReplacementOp by_op;
  EXPECT_CODE(Code::BadPattern, (by_op.find_and_replace_pattern(test.graph), 0));
  MiddleReplacementPattern middle;
  EXPECT_CODE(Code::BadPattern, (middle.find_and_replace_pattern(test.graph), 0));
}

TEST(Spec, T_25_AliasesAreTheKeysOfTheMatch) {
  MishGraph test;
  const Match match = find_matches(test.graph, mish_pattern()).at(0);
  EXPECT_EQ(match.aliases(), (Strings{"mul", "tanh", "softplus"}));
  EXPECT_EQ(match["softplus"].node, test.graph.find("softplus"));
}

TEST(Spec, T_27_EdgesMayNamePorts) {
  MishGraph test;
  const auto count = [&](Pattern::Edge edge) {
    return find_matches(test.graph, {{{"t", {{"op", "Tanh"}}}, {"m", {{"op", "Mul"}}}}, {edge}}).size();
  };
  EXPECT_EQ(count({"t", "m"}), 1u);
  EXPECT_EQ(count({"t", "m", 1}), 1u);
  EXPECT_EQ(count({"t", "m", 0}), 0u);
  EXPECT_EQ(count({"t", "m", 1, 0}), 1u);
  EXPECT_EQ(count({"t", "m", {}, 1}), 0u);
}

TEST(Spec, T_28_MatchGivesNodesByAlias) {
  MishGraph test;
  const Match match = find_matches(test.graph, mish_pattern()).at(0);
  EXPECT_EQ(match["mul"].node, &match.op("mul"));
  EXPECT_TRUE(match.has("mul"));
  EXPECT_FALSE(match.has("div"));
  EXPECT_CODE(Code::UnknownAlias, match["div"]);
}

/// Creates a Mish with the functions for edges, instead of the matched nodes.
struct GenerateMish : FrontReplacementSubgraph {
  Pattern pattern() override { return mish_pattern(); }
  Replacement generate_sub_graph(Graph& graph, const Match&) override { return {{"mish", &make_mish(graph)}}; }
  InputEdges input_edges_match(Graph&, const Match& match, const Replacement& made) override {
    return {{match.op("softplus").in(0), made[0].second->in(0)}};
  }
  OutputEdges output_edges_match(Graph&, const Match& match, const Replacement& made) override {
    return {{match.op("mul").out(0), made[0].second->out(0)}};
  }
};

TEST(Spec, T_29_GenerateSubGraphIsConnectedByItsTables) {
  MishGraph test(2);
  GenerateMish transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.text(), "x() result(mish) result_1(mish_1) mish(x) mish_1(x) ");
  EXPECT_EQ(test.graph.find("mish")->out().tensor().names, Strings{"y0"});
  EXPECT_TRUE(test.messages().empty());
}

TEST(Spec, T_29_NodesToRemoveMayBeFewer) {
  struct KeepTanh : GenerateMish {
    std::vector<Node*> nodes_to_remove(Graph&, const Match& match) override { return {&match.op("mul")}; }
  };
  MishGraph test;
  KeepTanh transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.text(), "x() softplus(x) tanh(softplus) result(mish) mish(x) ");
}

TEST(Spec, T_30_EarlyReturnLeavesTheMatch) {
  struct OnlySecond : FrontReplacementSubgraph {
    Pattern pattern() override { return mish_pattern(); }
    void replace_sub_graph(Graph& graph, const Match& match) override {
      if (match.op("mul").name() == "mul") return;
      Node& mish = make_mish(graph);
      mish.in(0).connect(match.op("softplus").source(0));
      match.op("mul").out().connection().set_source(mish);
    }
  };
  MishGraph test(2);
  OnlySecond transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.graph.find("result")->source(0), OutPort(*test.graph.find("mul")));
  EXPECT_EQ(test.graph.find("result_1")->source(0), OutPort(*test.graph.find("mish")));
}

TEST(Spec, T_31_OpClassesRunForEachNodeOfThatOp) {
  struct Tanhs : FrontReplacementOp {
    std::string op() const override { return "Tanh"; }
    void replace_sub_graph(Graph&, const Match& match) override { names += match.op("op").name() + " "; }
    std::string names;
  };
  MishGraph test(2);
  Tanhs transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(transform.names, "tanh tanh_1 ");
}

TEST(Spec, T_32_ReplaceSubGraphOfAnOpClassGetsOneKeyAndDoesAll) {
  struct Tanhs : FrontReplacementOp {
    std::string op() const override { return "Tanh"; }
    void replace_sub_graph(Graph&, const Match& match) override { EXPECT_EQ(match.aliases(), Strings{"op"}); }
    std::vector<OutPort> replace_op(Graph&, Node&) override {
      ADD_FAILURE() << "replace_op was called, too";
      return {};
    }
  };
  MishGraph test;
  const std::string before = test.text();
  Tanhs transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.text(), before);
}

/// SoftPlus becomes Log(Exp).
struct ReplaceSoftPlus : FrontReplacementOp {
  std::string op() const override { return "SoftPlus"; }
  std::vector<OutPort> replace_op(Graph& graph, Node& node) override {
    Node& exp = graph.add_node("Exp", "exp");
    Node& log = graph.add_node("Log", "log");
    for (Node* made : {&exp, &log}) made->add_in_ports(1), made->add_out_ports(1);
    exp.in(0).connect(node.source(0));
    log.in(0).connect(exp);
    return {log};
  }
};

TEST(Spec, T_33_ReplaceOpGetsGraphAndNode) {
  struct Looks : ReplaceSoftPlus {
    std::vector<OutPort> replace_op(Graph& graph, Node& node) override {
      seen_graph = &graph, seen_node = &node;
      return ReplaceSoftPlus::replace_op(graph, node);
    }
    Graph* seen_graph = nullptr;
    Node* seen_node = nullptr;
  };
  MishGraph test;
  Node* softplus = test.graph.find("softplus");
  Looks transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(transform.seen_graph, &test.graph);
  EXPECT_EQ(transform.seen_node, softplus);
}

TEST(Spec, T_34_WhatReplaceOpReturnsTakesTheConsumersAndTensorNames) {
  MishGraph test;
  test.graph.find("softplus")->out().tensor().names = {"s"};
  ReplaceSoftPlus transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.text(), "x() tanh(log) mul(x, tanh) result(mul) exp(x) log(exp) ");
  EXPECT_EQ(test.graph.find("log")->out().tensor().names, Strings{"s"});
}

TEST(Spec, T_35_TheMatchedNodeIsRemoved) {
  MishGraph test;
  const Node& softplus = *test.graph.find("softplus");
  ReplaceSoftPlus transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_TRUE(softplus.removed());
  EXPECT_EQ(test.graph.find("softplus"), nullptr);
}

TEST(Spec, T_34_ElementIOfTheListIsForOutputI) {
  struct Swap : FrontReplacementOp {
    std::string op() const override { return "Split"; }
    std::vector<OutPort> replace_op(Graph& graph, Node& node) override {
      Node& made = graph.add_node("Halves", "halves");
      made.add_in_ports(1), made.add_out_ports(2);
      made.in(0).connect(node.source(0));
      return {made.out(1), made.out(0)};
    }
  };
  test::TestGraph test;
  Node& split = test.add("Split", "split", {test.add("Parameter", "x")}, 2);
  Node& first = test.add("Relu", "first", {split.out(0)});
  Node& second = test.add("Relu", "second", {split.out(1)});
  Swap transform;
  transform.find_and_replace_pattern(test.graph);
  Node& halves = *test.graph.find("halves");
  EXPECT_EQ(first.source(0), halves.out(1));
  EXPECT_EQ(second.source(0), halves.out(0));
}

/// Returns the given port.
struct ReturnThis : FrontReplacementOp {
  std::string op() const override { return "Tanh"; }
  std::vector<OutPort> replace_op(Graph&, Node&) override { return outputs; }
  std::vector<OutPort> outputs;
};

TEST(FrontReplacementOp, ConsumersMustNotBeLeftWithoutASource) {
  MishGraph test;
  ReturnThis transform;
  EXPECT_CODE(Code::NotReplaced, (transform.find_and_replace_pattern(test.graph), 0));
  transform.outputs = {OutPort()};
  EXPECT_CODE(Code::NotReplaced, (transform.find_and_replace_pattern(test.graph), 0));
  transform.outputs = {*test.graph.find("tanh")};  // the node that is removed
  EXPECT_CODE(Code::NotReplaced, (transform.find_and_replace_pattern(test.graph), 0));
  transform.outputs = {OutPort(test.graph.find("softplus"), 5)};
  EXPECT_CODE(Code::NoSuchPort, (transform.find_and_replace_pattern(test.graph), 0));
}

TEST(FrontReplacementOp, AnOutputWithoutConsumersNeedsNoReplacement) {
  test::TestGraph test;
  test.add("Tanh", "unused", {test.add("Parameter", "x")});
  ReturnThis transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.graph.find("unused"), nullptr);
}

TEST(FrontReplacementOp, TheInputMayTakeTheNodesPlace) {
  MishGraph test;
  ReturnThis transform;
  transform.outputs = {*test.graph.find("softplus")};
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.text(), "x() softplus(x) mul(x, softplus) result(mul) ");
}

TEST(FrontReplacementSubgraph, RemovedResultsAndParametersAreNoMoreTheGraphsOwn) {
  struct Erase : FrontReplacementSubgraph {
    Pattern pattern() override {
      return {{{"from", {{"op", "Parameter"}}}, {"to", {{"op", "Result"}}}}, {{"from", "to"}}};
    }
    Replacement generate_sub_graph(Graph&, const Match&) override { return {}; }
  };
  MishGraph test;
  Node& unused = test.add("Parameter", "unused");
  test.add("Result", "end", {unused}, 0);
  Erase transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.graph.parameters, std::vector<Node*>{test.graph.find("x")});
  EXPECT_EQ(test.graph.results, std::vector<Node*>{test.graph.find("result")});
}

template <typename Base>
struct Generic : Base {
  void find_and_replace_pattern(Graph&) override { ++calls; }
  int calls = 0;
};
template <typename Base>
int generic_calls() {
  MishGraph test;
  Generic<Base> transform;
  for_each_graph(test.graph, [&](Graph& graph) { static_cast<Transform&>(transform).find_and_replace_pattern(graph); });
  return transform.calls;
}

TEST(Spec, T_36_GenericFrontClassesAreCalledOnce) {
  EXPECT_EQ(generic_calls<FrontReplacementPattern>(), 1);
  EXPECT_EQ(generic_calls<FrontReplacementSubgraph>(), 1);
}

template <typename Base>
struct CountingTensors : Base {
  Pattern pattern() override {
    return {{{"softplus", {{"op", "SoftPlus"}}}, {"d", {{"kind", "data"}}}, {"tanh", {{"op", "Tanh"}}}},
            {{"softplus", "d"}, {"d", "tanh"}}};
  }
  void replace_pattern(Graph&, const Match& match) override {
    ++calls;
    EXPECT_EQ(match.tensor("d"), match.op("softplus").out(0));
  }
  int calls = 0;
};
template <typename Base>
int calls_with_tensors() {
  MishGraph test(2);
  CountingTensors<Base> transform;
  transform.find_and_replace_pattern(test.graph);
  return transform.calls;
}

TEST(Spec, T_37_MiddlePatternClass) { EXPECT_EQ(calls_with_tensors<MiddleReplacementPattern>(), 2); }

TEST(Spec, T_38_MiddlePatternsContainDataNodes) {
  struct WithoutTensors : MiddleReplacementPattern {
    Pattern pattern() override { return mish_pattern(); }
    void replace_pattern(Graph&, const Match&) override { ADD_FAILURE() << "matched"; }
  };
  MishGraph test;
  WithoutTensors transform;
  transform.find_and_replace_pattern(test.graph);
}

TEST(Spec, T_39_GenericMiddleClassIsCalledOnce) { EXPECT_EQ(generic_calls<MiddleReplacementPattern>(), 1); }

TEST(Spec, T_40_BackPatternClass) {
  EXPECT_EQ(calls_with_tensors<BackReplacementPattern>(), 2);
  const BackReplacementPattern back;
  const MiddleReplacementPattern& under_the_middle_ones_name = back;
  EXPECT_EQ(under_the_middle_ones_name.run_after(), Names{"BackStart"});
  EXPECT_EQ(under_the_middle_ones_name.run_before(), Names{"BackFinish"});
}

TEST(Spec, T_41_GenericBackClassIsCalledOnce) { EXPECT_EQ(generic_calls<BackReplacementPattern>(), 1); }

TEST(Replacement, AMatchThatLostANodeIsSkipped) {
  // Two matches share a softplus: the first removes it.
  MishGraph test;
  Node& x = *test.graph.find("x");
  Node& tanh = test.add("Tanh", "tanh", {*test.graph.find("softplus")});
  test.add("Result", "result", {test.add("Mul", "mul", {x, tanh})}, 0);
  GenerateMish transform;
  transform.find_and_replace_pattern(test.graph);
  EXPECT_EQ(test.graph.nodes("Mish").size(), 1u);
  ASSERT_EQ(test.messages().size(), 1u);
  EXPECT_EQ(test.messages()[0].severity, Message::Severity::Warning);
  EXPECT_EQ(test.messages()[0].node, "softplus");
}

}  // namespace
}  // namespace mo
