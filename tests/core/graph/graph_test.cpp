#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "core/build/builder.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

/// x (Parameter) -> a -> b -> Result
class GraphTest : public testing::Test {
 protected:
  GraphTest() : graph(std::make_shared<Model>(files, built_in_operations())) {
    x = &add("Parameter", "x", 0, 1);
    a = &add("Abs", "a", 1, 1);
    b = &add("Exp", "b", 1, 1);
    result = &add("Result", "r", 1, 0);
    a->in(0).connect(x->out());
    b->in(0).connect(a->out());
    result->in(0).connect(b->out());
  }

  Node& add(const char* op, const char* name, int inputs, int outputs) {
    Node& node = graph.add_node(op, name);
    node.add_in_ports(inputs);
    node.add_out_ports(outputs);
    return node;
  }

  std::string order() {
    std::string out;
    for (Node* node : graph.topological_order()) out += node->name() + " ";
    return out;
  }

  test::MemoryFiles files;
  Graph graph;
  Node *x, *a, *b, *result;
};

template <typename Action>
Code code_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::Unexpected;
}

TEST_F(GraphTest, ASinkIsKeptWithWhatItNeeds) {
  Node& state = add("ReadValue", "state", 0, 1);
  Node &sum = add("Add", "sum", 2, 1), &sink = add("Assign", "sink", 1, 1), &unread = add("Abs", "unread", 1, 1);
  sum.in(0).connect(state.out());
  sum.in(1).connect(a->out());
  sink.in(0).connect(sum.out());
  unread.in(0).connect(sum.out());
  graph.clean_up();
  EXPECT_EQ(order(), "x a b r state sum sink ");
}

TEST_F(GraphTest, NamesAreUnique) {
  EXPECT_EQ(graph.add_node("Abs", "a").name(), "a_1");
  EXPECT_EQ(graph.add_node("Abs", "a").name(), "a_2");
  EXPECT_EQ(graph.add_node("Abs").name(), "Abs");
}

TEST_F(GraphTest, AKeyThatIsGivenIsTaken) {
  EXPECT_EQ(code_of([&] { graph.add_node_with_key("Abs", "a"); }), Code::DuplicateNode);
  graph.remove(*a);
  Node& again = graph.add_node_with_key("Exp", "a");
  EXPECT_EQ(graph.find("a"), &again);
  EXPECT_EQ(again.name(), "a");
  again.set_name("renamed");
  Node& third = graph.add_node_with_key("Abs", "renamed");
  EXPECT_EQ(graph.find("renamed"), &third);
  EXPECT_EQ(graph.find("a"), &again);
  EXPECT_EQ(graph.add_node("Abs", "renamed").key(), "renamed_1");
}

TEST_F(GraphTest, OrderPutsProducersFirst) {
  Node& late = add("Exp", "late", 1, 1);
  late.in(0).connect(x->out());
  a->in(0).connect(late.out());
  EXPECT_EQ(order(), "x late a b r ");
}

TEST_F(GraphTest, ACycleIsNamed) {
  a->in(0).connect(b->out());
  try {
    graph.topological_order();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::CyclicGraph);
    EXPECT_STREQ(error.what(), "a <- b <- a");
  }
}

TEST_F(GraphTest, SetSourceMergesNamesButLeavesAParametersOwn) {
  a->out().tensor().names = {"ta"};
  x->out().tensor().names = {"tx"};
  Node& n = add("Exp", "n", 1, 1);
  n.out().tensor().names = {"tn"};
  n.in(0).connect(x->out());
  a->out().connection().set_source(n.out());
  EXPECT_EQ(n.out().tensor().names, (std::vector<std::string>{"tn", "ta"}));
  EXPECT_TRUE(a->out().tensor().names.empty());
  EXPECT_EQ(b->source(0), n.out());

  Node& m = add("Exp", "m", 1, 1);
  x->out().connection().set_source(m.out());
  EXPECT_EQ(x->out().tensor().names, (std::vector<std::string>{"tx"}));
  EXPECT_TRUE(m.out().tensor().names.empty());
}

TEST_F(GraphTest, AConnectionKnowsWhatItsEditsMadeOfIt) {
  Node& second = add("Exp", "second", 1, 1);
  Connection connection = a->out().connection();
  connection.add_destination(b->in(0));
  EXPECT_EQ(connection.destinations().size(), 1u);  // it is a destination already
  connection.add_destination(second.in(0));
  EXPECT_EQ(connection.destinations(), (std::vector{b->in(0), second.in(0)}));
  connection.set_source(x->out());
  EXPECT_EQ(connection.source(), x->out());
  EXPECT_EQ(second.source(0), x->out());
  connection.remove();
  EXPECT_TRUE(connection.destinations().empty());
  EXPECT_FALSE(b->has_in(0));
}

TEST_F(GraphTest, NamesStayWhereAConnectionIsMovedToItsOwnPlace) {
  a->out().tensor().names = {"ta"};
  a->out().connection().set_source(a->out());
  EXPECT_EQ(a->out().tensor().names, std::vector<std::string>{"ta"});
  a->out().connection().set_destination(b->in(0), TensorNames::Merge);
  EXPECT_EQ(a->out().tensor().names, std::vector<std::string>{"ta"});
  EXPECT_EQ(b->source(0), a->out());
}

TEST_F(GraphTest, AnInputOfARemovedNodeIsNotConnected) {
  Node& gone = add("Exp", "gone", 1, 1);
  const InPort input = gone.in(0);
  graph.remove(gone);
  EXPECT_EQ(code_of([&] { input.connect(a->out()); }), Code::InvalidGraph);
}

TEST_F(GraphTest, InsertNodeGoesBetweenSourceAndAllDestinations) {
  Node& second = add("Exp", "second", 1, 1);
  second.in(0).connect(a->out());
  Node& n = add("Exp", "n", 1, 1);
  a->out().connection().insert_node(n);
  EXPECT_EQ(n.source(0), a->out());
  EXPECT_EQ(b->source(0), n.out());
  EXPECT_EQ(second.source(0), n.out());
  EXPECT_EQ(a->out().destinations().size(), 1u);
}

TEST_F(GraphTest, CleanUpRemovesWhatNoResultNeeds) {
  Node& dead = add("Exp", "dead", 1, 1);
  dead.in(0).connect(a->out());
  Node& input = add("Parameter", "unused", 0, 1);
  graph.clean_up();
  EXPECT_TRUE(dead.removed());
  EXPECT_FALSE(input.removed());  // an input stays an input
  EXPECT_EQ(order(), "x a b r unused ");
}

TEST_F(GraphTest, CleanUpTurnsWhatIsKnownIntoConstantsUnlessItHangsOnAShape) {
  a->out().tensor().value = make_i64({1, 2});
  graph.clean_up();
  EXPECT_EQ(b->source(0).node().op(), "Const");
  EXPECT_TRUE(a->removed());

  b->out().tensor().value = make_i64({1, 2});
  b->out().tensor().from_shape = true;
  graph.clean_up();
  EXPECT_EQ(result->source(0), b->out());
}

// A clean-up is skipped unless the model is `edited`: edits that make a node superfluous or a value known set that.
TEST_F(GraphTest, EveryEditThatACleanUpCouldNeedIsNoticed) {
  const auto edits = [&](const std::function<void()>& action) {
    graph.model().edited = false;
    action();
    return graph.model().edited;
  };
  Node& spare = add("Exp", "spare", 1, 1);
  EXPECT_TRUE(edits([&] { graph.add_node("Abs"); }));
  EXPECT_TRUE(edits([&] { spare.in(0).connect(x->out()); }));
  EXPECT_TRUE(edits([&] { spare.in(0).disconnect(); }));
  EXPECT_TRUE(edits([&] { spare.set_op("Assign"); }));  // a sink, which nothing removes
  EXPECT_TRUE(edits([&] { infer_node(*a); }));
  EXPECT_TRUE(edits([&] { graph.remove(spare); }));
  EXPECT_TRUE(edits([&] { result->control_in(0).connect(a->control_out(0)); }));
  EXPECT_TRUE(edits([&] { result->control_in(0).disconnect(); }));
}

TEST_F(GraphTest, WhatNoCleanUpNeedsIsNoEdit) {
  graph.clean_up();
  graph.model().edited = false;
  graph.clean_up();  // finds nothing
  a->set("alpha", 1.0);
  a->set_name("renamed");
  a->out().tensor().names = {"t"};
  a->in(0).source();
  EXPECT_EQ(order(), "x renamed b r ");
  EXPECT_FALSE(graph.model().edited);
}

TEST_F(GraphTest, NodesOfSeveralOpsAreInOrderOfCreation) {
  Node& second = add("Abs", "second", 1, 1);
  EXPECT_EQ(graph.nodes_of({"Exp", "Abs"}), (std::vector<Node*>{a, b, &second}));
  graph.remove(*a);
  second.set_op("Neg");
  EXPECT_EQ(graph.nodes_of({"Neg", "Abs", "Missing"}), (std::vector<Node*>{&second}));
}

TEST_F(GraphTest, SeveralNodesAreRemovedAtOnce) {
  Node& other = add("Parameter", "other", 0, 1);
  add("Result", "r2", 1, 0).in(0).connect(a->out());
  Node& third = add("Result", "r3", 1, 0);
  third.in(0).connect(a->out());
  EXPECT_EQ(a->out().reader_count(), 3u);
  graph.remove({x, result, graph.find("r2"), x});
  EXPECT_EQ(graph.parameters, std::vector{&other});
  EXPECT_EQ(graph.results, std::vector{&third});
  EXPECT_EQ(a->out().reader_count(), 2u);
  EXPECT_TRUE(x->removed());
  EXPECT_FALSE(a->has_in(0));
  EXPECT_EQ(order(), "a b other r3 ");
}

TEST_F(GraphTest, OwnersOfBodiesAreVisitedInOrderOfCreation) {
  Node &first = add("Loop", "first", 0, 1), &second = add("Loop", "second", 0, 1),
       &without = add("Loop", "third", 0, 1);
  const auto inner = std::make_shared<Graph>(graph.shared_model(), &without);
  for (Node* owner : {&second, &first, &second})
    owner->set("body", std::make_shared<Graph>(graph.shared_model(), owner));
  std::vector<const Node*> owners;
  const auto visit = [&](Graph& each) { owners.push_back(each.owner()); };
  for_each_graph(graph, visit);
  EXPECT_EQ(owners, (std::vector<const Node*>{nullptr, &first, &second}));
  graph.remove(first);
  owners.clear();
  for_each_graph(graph, visit);
  EXPECT_EQ(owners, (std::vector<const Node*>{nullptr, &second}));
}

TEST_F(GraphTest, ManyNodesKeepTheirAddresses) {
  std::vector<Node*> made;
  for (int i = 0; i < 2000; ++i) made.push_back(&graph.add_node("Abs", "many"));
  for (size_t i = 0; i < made.size(); ++i) {
    EXPECT_EQ(made[i]->id(), result->id() + 1 + static_cast<int>(i));
    EXPECT_EQ(&graph.node(made[i]->id()), made[i]);
  }
  EXPECT_EQ(&graph.node(x->id()), x);
}

TEST_F(GraphTest, ACopiedBodyKeepsTheOrderOfParametersAndResults) {
  add("Parameter", "second", 0, 1);
  Node& second = add("Result", "second result", 1, 0);
  second.in(0).connect(a->out());
  std::reverse(graph.parameters.begin(), graph.parameters.end());
  std::reverse(graph.results.begin(), graph.results.end());
  const auto names = [](const std::vector<Node*>& nodes) {
    std::string out;
    for (const Node* node : nodes) out += node->name() + " ";
    return out;
  };
  const std::shared_ptr<Graph> copy = copy_body(graph, *a);
  EXPECT_EQ(names(copy->parameters), "second x ");
  EXPECT_EQ(names(copy->results), "second result r ");
}

TEST_F(GraphTest, MisuseOfPortsIsAnError) {
  EXPECT_EQ(code_of([&] { a->in(1); }), Code::NoSuchPort);
  EXPECT_EQ(code_of([&] { a->out(-1); }), Code::NoSuchPort);
  Graph other(std::make_shared<Model>(files, built_in_operations()));
  Node& foreign = other.add_node("Abs");
  foreign.add_out_ports(1);
  EXPECT_EQ(code_of([&] { a->in(0).connect(foreign.out()); }), Code::InvalidGraph);
  graph.remove(*a);
  EXPECT_EQ(code_of([&] { b->in(0).connect(OutPort(a, 0)); }), Code::InvalidGraph);
}

}  // namespace
}  // namespace mo
