#include "core/graph/pattern.h"

#include <gtest/gtest.h>

#include "tests/core/support/test_graph.h"

namespace mo {
namespace {

class PatternTest : public testing::Test, protected test::TestGraph {
 protected:
  /// "a=x b=y:0 | …": every match with its aliases; tensors with the number of their output.
  std::string found(const Pattern& pattern, bool with_data = false) {
    std::string out;
    for (const Match& match : find_matches(graph, pattern, with_data)) {
      if (!out.empty()) out += "| ";
      for (const std::string& alias : match.aliases()) {
        const PatternNode& node = match[alias];
        out += alias + "=" + node.node->name() + (node.is_data() ? cat(":", node.output) : "") + " ";
      }
    }
    return out;
  }
};

const Pattern kMish = {
    {{"mul", {{"op", "Mul"}}}, {"tanh", {{"op", "Tanh"}}}, {"softplus", {{"op", "SoftPlus"}}}},
    {{"softplus", "tanh"}, {"tanh", "mul"}},
};

TEST_F(PatternTest, EveryInstanceIsFoundInOrderOfTheFirstAlias) {
  Node& x = add("Parameter", "x");
  Node& s1 = add("SoftPlus", "s1", {x});
  Node& s2 = add("SoftPlus", "s2", {x});
  Node& t1 = add("Tanh", "t1", {s1});
  Node& t2 = add("Tanh", "t2", {s2});
  add("Mul", "m2", {x, t2});
  add("Mul", "m1", {x, t1});
  add("Tanh", "other", {x});
  EXPECT_EQ(found(kMish), "mul=m2 tanh=t2 softplus=s2 | mul=m1 tanh=t1 softplus=s1 ");
}

TEST_F(PatternTest, AnEdgeMoreThanThePatternHasIsNoMatch) {
  Node& x = add("Parameter", "x");
  Node& s = add("SoftPlus", "s", {x});
  Node& t = add("Tanh", "t", {s});
  Node& m = add("Mul", "m", {x, t});
  EXPECT_NE(found(kMish), "");
  m.in(0).connect(s);
  EXPECT_EQ(found(kMish), "");
}

TEST_F(PatternTest, ParallelEdgesAreCounted) {
  Node& x = add("Relu", "x");
  add("Mul", "square", {x, x});
  add("Mul", "product", {x, add("Parameter", "y")});
  const Pattern::Vertex a{"x", {{"op", "Relu"}}}, b{"mul", {{"op", "Mul"}}};
  EXPECT_EQ(found({{a, b}, {{"x", "mul"}}}), "x=x mul=product ");
  EXPECT_EQ(found({{a, b}, {{"x", "mul"}, {"x", "mul"}}}), "x=x mul=square ");
  EXPECT_EQ(found({{a, b}, {{"x", "mul", 1}, {"x", "mul"}}}), "x=x mul=square ");
  EXPECT_EQ(found({{a, b}, {{"x", "mul", 1}, {"x", "mul", 1}}}), "");
  EXPECT_EQ(found({{a, b}, {{"x", "mul", 1}, {"x", "mul", 0}}}), "x=x mul=square ");
  EXPECT_EQ(found({{a, b}, {{"x", "mul"}, {"x", "mul"}, {"x", "mul"}}}), "");
}

TEST_F(PatternTest, SelfLoopsAreEdges) {
  Node& loop = add("Relu", "loop", {OutPort()});
  loop.in(0).connect(loop);
  add("Relu", "line", {add("Parameter", "x")});
  const Pattern::Vertex relu{"r", {{"op", "Relu"}}};
  EXPECT_EQ(found({{relu}, {}}), "r=line ");
  EXPECT_EQ(found({{relu}, {{"r", "r"}}}), "r=loop ");
}

TEST_F(PatternTest, PortsCountWhereTheyAreNamed) {
  Node& split = add("Split", "split", {}, 3);
  add("Relu", "first", {split.out(0)});
  add("Relu", "last", {split.out(2)});
  add("Relu", "second_input", {OutPort(), split.out(2)});
  const Pattern::Vertex a{"s", {{"op", "Split"}}}, b{"r", {{"op", "Relu"}}};
  EXPECT_EQ(found({{a, b}, {{"s", "r", {}, 2}}}), "s=split r=last | s=split r=second_input ");
  EXPECT_EQ(found({{a, b}, {{"s", "r", 0, 2}}}), "s=split r=last ");
  EXPECT_EQ(found({{a, b}, {{"s", "r", 1}}}), "s=split r=second_input ");
  EXPECT_EQ(found({{a, b}, {{"s", "r", 7}}}), "");
  EXPECT_EQ(found({{a, b}, {{"s", "r", -1}}}), "");
  // The same from the consumer's end.
  EXPECT_EQ(found({{b, a}, {{"s", "r", 0, 2}}}), "r=last s=split ");
  EXPECT_EQ(found({{b, a}, {{"s", "r", 1}}}), "r=second_input s=split ");
  EXPECT_EQ(found({{b, a}, {{"s", "r", 7}}}), "");
}

TEST_F(PatternTest, EdgesThatNameOnlyOutputsTakeAnyFromThere) {
  Node& split = add("Split", "split", {}, 2);
  add("Concat", "c", {split.out(1), split.out(0), split.out(1)});
  const std::vector<Pattern::Vertex> both = {{"s", {{"op", "Split"}}}, {"c", {{"op", "Concat"}}}};
  EXPECT_NE(found({both, {{"s", "c"}, {"s", "c", {}, 1}, {"s", "c", 0}}}), "");
  EXPECT_NE(found({both, {{"s", "c", {}, 1}, {"s", "c", {}, 0}, {"s", "c", {}, 1}}}), "");
  EXPECT_EQ(found({both, {{"s", "c", {}, 1}, {"s", "c", {}, 0}, {"s", "c", {}, 0}}}), "");
  EXPECT_EQ(found({both, {{"s", "c"}, {"s", "c", {}, 0}, {"s", "c", 1}}}), "");
}

TEST_F(PatternTest, ConditionsOnAttributes) {
  Node& a = add("Softmax", "a");
  a.set("axis", int64_t{1});
  Node& b = add("Softmax", "b");
  b.set("axis", int64_t{-1});
  add("Softmax", "c");
  const auto where = [&](Pattern::Condition axis) { return found({{{"s", {{"axis", axis}}}}, {}}); };
  EXPECT_EQ(where(1), "s=a ");
  EXPECT_EQ(where(1.0), "s=a ");
  EXPECT_EQ(where(true), "s=a ");
  EXPECT_EQ(where("1"), "");
  EXPECT_EQ(where([](const Attribute* axis, const PatternNode&) {
              const int64_t* number = axis ? std::get_if<int64_t>(axis) : nullptr;
              return number && *number < 0;
            }),
            "s=b ");
  EXPECT_EQ(where([](const Attribute* axis, const PatternNode& node) { return !axis && node.node->name() == "c"; }),
            "s=c ");
}

TEST(Spec, T_26_AbsentAttributeEqualsOnlyNull) {
  test::TestGraph test;
  test.add("Relu", "absent");
  test.add("Relu", "null").set("alpha", std::monostate());
  test.add("Relu", "zero").set("alpha", int64_t{0});
  const auto count = [&](Pattern::Condition alpha) {
    return find_matches(test.graph, {{{"r", {{"alpha", alpha}}}}, {}}).size();
  };
  EXPECT_EQ(count(std::monostate()), 2u);
  EXPECT_EQ(count(0), 1u);
  EXPECT_EQ(count(false), 1u);
  EXPECT_EQ(count(""), 0u);
}

TEST_F(PatternTest, AttributesThatEveryOperationHas) {
  add("Mul", "m");
  add("Unheard", "u").set("type", std::string("Own"));
  const auto where = [&](const char* key, const char* value) { return found({{{"v", {{key, value}}}}, {}}); };
  EXPECT_EQ(where("op", "Mul"), "v=m ");
  EXPECT_EQ(where("name", "m"), "v=m ");
  EXPECT_EQ(where("id", "m"), "v=m ");
  EXPECT_EQ(where("type", "Multiply"), "v=m ");
  EXPECT_EQ(where("type", "Own"), "v=u ");
  EXPECT_EQ(where("kind", "op"), "v=m | v=u ");
  EXPECT_EQ(where("kind", "data"), "");
}

TEST(PatternLiterals, AreEqualByMeaning) {
  const auto same = [](const Attribute& a, const Attribute& b) {
    EXPECT_EQ(same_value(a, b), same_value(b, a));
    return same_value(a, b);
  };
  EXPECT_TRUE(same(int64_t{3}, 3.0));
  EXPECT_FALSE(same(int64_t{3}, 3.5));
  EXPECT_FALSE(same(int64_t{(int64_t{1} << 53) + 1}, 9007199254740992.0));
  EXPECT_FALSE(same(INT64_MAX, 9223372036854775808.0));
  EXPECT_TRUE(same(true, int64_t{1}));
  EXPECT_TRUE(same(std::string("a"), std::string("a")));
  EXPECT_FALSE(same(std::string("a"), std::string("A")));
  EXPECT_TRUE(same(Ints{1, 2}, Doubles{1, 2}));
  EXPECT_FALSE(same(Ints{1, 2}, Doubles{1}));
  EXPECT_TRUE(same(Ints{}, Strings{}));
  EXPECT_FALSE(same(Ints{}, std::monostate()));
  EXPECT_FALSE(same(Ints{1}, int64_t{1}));
  EXPECT_TRUE(same(Strings{"a"}, Strings{"a"}));
  EXPECT_TRUE(same(Ints{1, 3}, PartialShape{1, 3}));
  EXPECT_FALSE(same(Ints{1, 3}, (PartialShape{1, kAnyDimension})));
  EXPECT_TRUE(same((PartialShape{1, kAnyDimension}), (PartialShape{1, kAnyDimension})));
  EXPECT_TRUE(same(ElementType::F32, std::string("f32")));
  EXPECT_FALSE(same(ElementType::F32, std::string("f16")));
  EXPECT_TRUE(same(make_i64({1, 2}), make_i64({1, 2})));
  EXPECT_FALSE(same(make_i64({1, 2}), make_i64({1, 3})));
  EXPECT_FALSE(same(std::monostate(), false));
}

TEST_F(PatternTest, DataNodesLieBetweenOperations) {
  Node& x = add("Parameter", "x", {}, 1);
  Node& split = add("Split", "split", {x}, 3);
  split.out(2).tensor().type = ElementType::F32;
  split.out(2).tensor().shape = {1, 8};
  Node& mul = add("Mul", "mul", {split.out(0), split.out(2)});
  add("Result", "r", {mul}, 0);
  const Pattern::Vertex s{"split", {{"op", "Split"}}}, d{"d", {{"kind", "data"}}}, m{"mul", {{"op", "Mul"}}};
  EXPECT_EQ(found({{s, d, m}, {{"split", "d"}, {"d", "mul"}}}, true),
            "split=split d=split:0 mul=mul | split=split d=split:2 mul=mul ");
  EXPECT_EQ(found({{s, d, m}, {{"split", "d", {}, 2}, {"d", "mul"}}}, true), "split=split d=split:2 mul=mul ");
  EXPECT_EQ(found({{s, d, m}, {{"split", "d"}, {"d", "mul", 1}}}, true), "split=split d=split:2 mul=mul ");
  EXPECT_EQ(found({{m, d, s}, {{"split", "d"}, {"d", "mul", 1}}}, true), "mul=mul d=split:2 split=split ");
  // A port at the wrong end of an edge is a condition that is never true.
  EXPECT_EQ(found({{s, d, m}, {{"split", "d", 0}, {"d", "mul"}}}, true), "");
  EXPECT_EQ(found({{s, d, m}, {{"split", "d"}, {"d", "mul", {}, 0}}}, true), "");
  // Output 1 is not used: it has no data node.
  EXPECT_EQ(found({{s, d}, {{"split", "d", {}, 1}}}, true), "");
  EXPECT_EQ(found({{{"d", {{"shape", Ints{1, 8}}}}}, {}}, true), "d=split:2 ");
  EXPECT_EQ(found({{{"d", {{"data_type", "f32"}}}}, {}}, true), "d=split:2 ");
  EXPECT_EQ(found({{{"d", {{"name", "split/Output_2/Data_0"}}}}, {}}, true), "d=split:2 ");
  const Match match = find_matches(graph, {{s, d}, {{"split", "d", {}, 2}}}, true).at(0);
  EXPECT_EQ(match.tensor("d"), split.out(2));
  EXPECT_EQ(&match.op("split"), &split);
  EXPECT_CODE(Code::UnknownAlias, match.op("d"));
  EXPECT_CODE(Code::UnknownAlias, match.tensor("split"));
  EXPECT_CODE(Code::UnknownAlias, match["nobody"]);
}

TEST_F(PatternTest, OneTensorForSeveralInputs) {
  Node& x = add("Relu", "x");
  add("Mul", "square", {x, x});
  const Pattern::Vertex d{"d", {{"kind", "data"}}}, m{"mul", {{"op", "Mul"}}};
  EXPECT_EQ(found({{d, m}, {{"d", "mul"}}}, true), "");
  EXPECT_EQ(found({{d, m}, {{"d", "mul"}, {"d", "mul"}}}, true), "d=x:0 mul=square ");
}

TEST_F(PatternTest, ValueOfATensorIsAnAttribute) {
  Node& c = add("Const", "c");
  c.out().tensor().value = make_f32_scalar(0.5f);
  add("Mul", "m", {add("Parameter", "x"), c});
  const auto known = [](const Attribute* value, const PatternNode&) { return value != nullptr; };
  EXPECT_EQ(found({{{"d", {{"kind", "data"}, {"value", known}}}}, {}}, true), "d=c:0 ");
  EXPECT_EQ(found({{{"d", {{"kind", "data"}, {"value", std::monostate()}}}}, {}}, true), "d=x:0 ");
}

TEST_F(PatternTest, ShapeAndTypeOfAConstantAreThoseOfItsValue) {
  add("Const", "c").set("value", make_f32({3}, {1, 2, 3}));
  Node& own = add("Const", "own");
  own.set("value", make_f32({3}, {1, 2, 3}));
  own.set("shape", PartialShape(Shape{1, 3}));
  add("Relu", "r").set("value", make_f32({3}, {1, 2, 3}));
  const auto where = [&](const char* key, Attribute value) { return found({{{"v", {{key, value}}}}, {}}); };
  EXPECT_EQ(where("shape", PartialShape(Shape{3})), "v=c ");
  EXPECT_EQ(where("shape", PartialShape(Shape{1, 3})), "v=own ");
  EXPECT_EQ(where("data_type", ElementType::F32), "v=c | v=own ");
}

TEST_F(PatternTest, WithoutKindAVertexStandsForBoth) {
  add("Result", "r", {add("Parameter", "x")}, 0);
  EXPECT_EQ(found({{{"v"}}, {}}, true), "v=x | v=x:0 | v=r ");
  EXPECT_EQ(found({{{"v"}, {"w"}}, {{"v", "w"}}}, true), "v=x w=x:0 | v=x:0 w=r ");
  EXPECT_EQ(found({{{"v"}, {"w"}}, {{"v", "w"}}}, false), "v=x w=r ");
}

TEST(Spec, M_07_MiddlePatternsListDataNodes) {
  test::TestGraph test;
  test.add("Result", "r", {test.add("Parameter", "x")}, 0);
  const Pattern::Vertex x{"x", {{"op", "Parameter"}}}, d{"d", {{"kind", "data"}}}, r{"r", {{"op", "Result"}}};
  EXPECT_EQ(find_matches(test.graph, {{x, r}, {{"x", "r"}}}, false).size(), 1u);
  EXPECT_EQ(find_matches(test.graph, {{x, r}, {{"x", "r"}}}, true).size(), 0u);
  EXPECT_EQ(find_matches(test.graph, {{x, d, r}, {{"x", "d"}, {"d", "r"}}}, true).size(), 1u);
}

TEST_F(PatternTest, AMatchOfTheSameNodesIsReportedOnce) {
  Node& x = add("Parameter", "x");
  Node& a = add("Relu", "a", {x});
  Node& b = add("Relu", "b", {x});
  add("Add", "sum", {b, a});
  const Pattern diamond = {{{"one", {{"op", "Relu"}}}, {"sum", {{"op", "Add"}}}, {"other", {{"op", "Relu"}}}},
                           {{"one", "sum"}, {"other", "sum"}}};
  EXPECT_EQ(found(diamond), "one=a sum=sum other=b ");
}

TEST_F(PatternTest, TheOrderDoesNotHangOnWhereTheSearchBegins) {
  Node& rare = add("Const", "rare");
  for (const char* name : {"a", "b", "c"}) add("Relu", name, {add("Parameter", cat("p_", name)), rare});
  const Pattern::Vertex any{"any"}, relu{"relu", {{"op", "Relu"}}}, c{"const", {{"op", "Const"}}};
  EXPECT_EQ(found({{any, relu, c}, {{"any", "relu", 0}, {"const", "relu"}}}),
            "any=p_a relu=a const=rare | any=p_b relu=b const=rare | any=p_c relu=c const=rare ");
}

TEST_F(PatternTest, APatternOfSeveralPartsMatchesAllPairsWithoutEdgesBetweenThem) {
  Node& x = add("Parameter", "x");
  Node& e = add("Exp", "e", {x});
  add("Log", "l", {e});
  add("Log", "far", {x});
  EXPECT_EQ(found({{{"e", {{"op", "Exp"}}}, {"l", {{"op", "Log"}}}}, {}}), "e=e l=far ");
}

TEST_F(PatternTest, AnEdgeWithAnUnknownAliasIsIgnoredWithAWarning) {
  add("Relu", "a");
  EXPECT_EQ(found({{{"r", {{"op", "Relu"}}}}, {{"r", "nobody"}}}), "r=a ");
  ASSERT_EQ(messages().size(), 1u);
  EXPECT_EQ(messages()[0].severity, Message::Severity::Warning);
  EXPECT_NE(messages()[0].text.find("nobody"), std::string::npos);
}

TEST_F(PatternTest, WhatCannotBeAPatternIsRefused) {
  Pattern large;
  for (size_t i = 0; i < Pattern::kMaxNodes; ++i) large.nodes.push_back({cat("v", i)});
  EXPECT_EQ(found(large), "");
  large.nodes.push_back({"one more"});
  EXPECT_CODE(Code::BadPattern, find_matches(graph, large));
  EXPECT_CODE(Code::BadPattern, find_matches(graph, {{{"a"}, {"a"}}, {}}));
  EXPECT_EQ(found({}), "");
}

TEST_F(PatternTest, TooManyPlacesAreRefusedBeforeMemoryEnds) {
  for (int i = 0; i < 120; ++i) add("Relu", cat("r", i));
  const Pattern free = {{{"a"}, {"b"}, {"c"}}, {}};  // 120 choose 3 are 280,840
  EXPECT_CODE(Code::BadPattern, find_matches(graph, free));
}

TEST_F(PatternTest, RemovedNodesAreNotFound) {
  Node& gone = add("Relu", "gone");
  add("Relu", "here");
  graph.remove(gone);
  EXPECT_EQ(found({{{"r", {{"op", "Relu"}}}}, {}}), "r=here ");
  EXPECT_EQ(found({{{"r"}}, {}}, true), "r=here ");
}

TEST_F(PatternTest, MatchesThatLostANodeAreSkippedWithOneWarning) {
  OutPort last = add("Parameter", "x");
  for (const char* name : {"a", "b", "c", "d"}) last = add("Relu", name, {last});
  const Pattern pairs = {{{"one", {{"op", "Relu"}}}, {"two", {{"op", "Relu"}}}}, {{"one", "two"}}};
  std::string seen;
  for_each_match(graph, pairs, false, [&](const Match& match) {
    seen += match.op("one").name() + match.op("two").name() + " ";
    graph.remove(match.op("two"));
  });
  EXPECT_EQ(seen, "ab cd ");  // bc lost b
  ASSERT_EQ(messages().size(), 1u);
  EXPECT_EQ(messages()[0].node, "b");
}

TEST_F(PatternTest, AHostMayStopTheSearch) {
  for (int i = 0; i < 5000; ++i) add("Relu", cat("r", i));
  graph.model().heartbeat = [] { throw Error(Code::Unexpected, "stopped"); };
  EXPECT_CODE(Code::Unexpected, find_matches(graph, {{{"r", {{"op", "Relu"}}}}, {}}));
}

}  // namespace
}  // namespace mo
