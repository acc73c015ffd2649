// Ports of a graph without a conversion.

#include <type_traits>

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

TEST(Spec, P_01_InputsAndOutputsAreNumberedEachFromZero) {
  StagedGraph s;
  Node& node = s.add("Split", "n", 2, 3);
  EXPECT_EQ(node.in(1).index(), 1);
  EXPECT_EQ(node.out(2).index(), 2);
  EXPECT_FALSE(node.has_in_port(2));
  EXPECT_FALSE(node.has_out_port(3));
}

TEST(Spec, P_02_APortKnowsItsNode) {
  FourOperations s;
  EXPECT_EQ(&s.op4->in(1).node(), s.op4);
  EXPECT_EQ(&s.op4->out(0).node(), s.op4);
}

TEST(Spec, P_03_AReluHasOneInputAndOneOutput) {
  Extensions extensions;
  std::vector<int> ports;
  add_transform(extensions, "Look", Phase::Front, [&](Graph& graph) {
    Node& relu = *graph.find("Relu");
    ports = {relu.in(0).index(), relu.out(0).index(), relu.in_count(), relu.out_count()};
  });
  ASSERT_TRUE(convert_model(chain({"Relu"}), &extensions).ok());
  EXPECT_EQ(ports, (std::vector<int>{0, 0, 1, 1}));
}

TEST(Spec, P_04_APortIsAnInputOrAnOutput) {
  EXPECT_TRUE((std::is_same_v<decltype(std::declval<Node&>().in(0)), InPort>));
  EXPECT_TRUE((std::is_same_v<decltype(std::declval<Node&>().out(0)), OutPort>));
  EXPECT_FALSE((std::is_convertible_v<InPort, OutPort>));
}

TEST(Spec, P_06_AnInputSpeaksOfTheTensorThatFeedsIt) {
  FourOperations s;
  s.op1->out(1).tensor().shape = Shape{2, 3};
  EXPECT_EQ(&s.op4->source(1).tensor(), &s.op1->out(1).tensor());
  EXPECT_EQ(s.op2->source(0).tensor().shape, PartialShape(Shape{2, 3}));
}

TEST(Spec, P_08_AValueSetsTheShape) {
  StagedGraph s(Stage::Middle);
  Node& node = s.add("Abs", "n", 1, 1);
  InferContext(node).set_value(0, make_f32({2, 3}, {1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(node.out().tensor().shape, PartialShape(Shape{2, 3}));
  EXPECT_EQ(node.out().tensor().type, ElementType::F32);
}

TEST(Spec, P_09_ANumberWithoutAPortIsAnError) {
  FourOperations s;
  EXPECT_CODE(Code::NoSuchPort, s.op4->in(2));
  EXPECT_CODE(Code::NoSuchPort, s.op4->in(-1));
  EXPECT_CODE(Code::NoSuchPort, s.op4->out(1));
}

TEST(Spec, P_11_PortsAreCountedWhetherConnectedOrNot) {
  StagedGraph s;
  Node& node = s.add("Concat", "n", 3, 1);
  EXPECT_EQ(node.in_count(), 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(node.in(i), InPort(&node, i));
}

TEST(Spec, P_13_AndO_12_PortsAreAddedBeyondThose) {
  StagedGraph s;
  Node& node = s.add("Concat", "n", 2, 1);
  node.add_in_port(2);
  EXPECT_TRUE(node.in(2).disconnected());
  node.add_out_port(4);
  EXPECT_TRUE(node.has_out_port(4));
  EXPECT_FALSE(node.has_out_port(3));
  EXPECT_CODE(Code::DuplicatePort, node.add_in_port(0));
  EXPECT_CODE(Code::NoSuchPort, node.add_in_port(1 << 30));
}

TEST(Spec, P_14_AndO_13_PortsKeepTheirNumbersWhenOneIsDeleted) {
  FourOperations s;
  s.op4->delete_in_port(0);
  EXPECT_FALSE(s.op4->has_in_port(0));
  EXPECT_CODE(Code::NoSuchPort, s.op4->in(0));
  EXPECT_EQ(s.op4->source(1), s.op1->out(1));
  EXPECT_TRUE(s.op3->out().disconnected());
  s.op1->delete_out_port(0);
  EXPECT_TRUE(s.op3->in(0).disconnected());
  EXPECT_EQ(s.op1->out(1).destinations().size(), 2u);
  s.op4->add_in_port(0);
  EXPECT_TRUE(s.op4->in(0).disconnected());
  EXPECT_CODE(Code::NoSuchPort, s.op4->delete_in_port(7));
}

TEST(Spec, P_16_AndA_34_AnInputMayBeFree) {
  FourOperations s;
  EXPECT_FALSE(s.op1->in(2).connection().source());
  EXPECT_FALSE(s.op1->in(2).source());
  EXPECT_EQ(names_of(s.graph.topological_order()), "x op1 op2 op3 op4");
}

TEST(Spec, P_19_TheSamePortComparesEqual) {
  FourOperations s;
  const OutPort a = s.op2->in(0).source(), b = s.op4->in(1).source();
  EXPECT_TRUE(a == b);
  EXPECT_TRUE(a == s.op1->out(1));
  EXPECT_TRUE(a != s.op1->out(0));
  EXPECT_TRUE(s.op4->in(0) != s.op4->in(1));
  EXPECT_TRUE(s.op1->in(0) != s.op2->in(0));
  EXPECT_TRUE(s.op1->control_out(1) != s.op1->out(1));
}

TEST(Spec, P_20_OneDestinationOrAnError) {
  FourOperations s;
  EXPECT_EQ(s.op3->out().destination(), s.op4->in(0));
  EXPECT_CODE(Code::SeveralDestinations, s.op1->out(1).destination());
  EXPECT_FALSE(s.op4->out().destination());
}

TEST(Spec, P_21_AllDestinationsAreListed) {
  FourOperations s;
  EXPECT_EQ(s.op1->out(1).destinations(), (std::vector<InPort>{s.op2->in(0), s.op4->in(1)}));
  EXPECT_TRUE(s.op4->out().destinations().empty());
}

TEST(Spec, P_22_DisconnectingAnInputTakesItsLinkOnly) {
  FourOperations s;
  s.op4->in(1).disconnect();
  EXPECT_TRUE(s.op4->in(1).disconnected());
  EXPECT_EQ(s.links(), "op1.0<-x.0 op1.1<-x.0 op2.0<-op1.1 op3.0<-op1.0 op4.0<-op3.0");
}

TEST(Spec, P_23_DisconnectingAnOutputFreesAllConsumers) {
  for (const Stage stage : kStages) {
    FourOperations s(stage);
    s.op3->in(0).connect(s.op1->out(1));
    s.op1->out(1).tensor().shape = Shape{2};
    s.op1->out(1).disconnect();
    EXPECT_TRUE(s.op1->out(1).destinations().empty());
    EXPECT_EQ(s.links(), "op1.0<-x.0 op1.1<-x.0 op4.0<-op3.0");
    EXPECT_EQ(s.op1->out(1).tensor().shape, PartialShape(Shape{2}));
  }
}

TEST(Spec, P_24_ConnectingAddsOneLinkWithBothNumbers) {
  FourOperations s;
  s.op1->out(1).connect(s.op1->in(2));
  EXPECT_EQ(s.links(), "op1.0<-x.0 op1.1<-x.0 op1.2<-op1.1 op2.0<-op1.1 op3.0<-op1.0 op4.0<-op3.0 op4.1<-op1.1");
}

TEST(Spec, P_26_ConnectWorksFromBothSides) {
  FourOperations a, b;
  a.op3->out().connect(a.op1->in(2));
  b.op1->in(2).connect(b.op3->out());
  EXPECT_EQ(a.links(), b.links());
  EXPECT_NE(a.links(), FourOperations::kLinks);
  EXPECT_FALSE((std::is_invocable_v<decltype(&InPort::connect), const InPort&, InPort>));
  EXPECT_CODE(Code::InvalidGraph, a.op1->in(2).connect(b.op3->out()));
  EXPECT_CODE(Code::InvalidGraph, a.op1->in(2).connect(a.op3->control_out()));
}

TEST(Spec, P_27_AnInputIsMovedToAnotherOutput) {
  for (const Stage stage : kStages) {
    FourOperations s(stage);
    EXPECT_EQ(s.links(), FourOperations::kLinks);
    s.op4->in(1).disconnect();
    s.op3->out(0).connect(s.op4->in(1));
    EXPECT_EQ(s.links(), "op1.0<-x.0 op1.1<-x.0 op2.0<-op1.1 op3.0<-op1.0 op4.0<-op3.0 op4.1<-op3.0");
  }
}

TEST(Spec, P_28_AFreePortsConnectionHasNoSource) {
  FourOperations s;
  EXPECT_FALSE(s.op1->in(2).connection().source());
  EXPECT_TRUE(s.op4->out().connection().destinations().empty());
  EXPECT_EQ(s.op4->in(1).connection().source(), s.op1->out(1));
}

}  // namespace
}  // namespace mo::test
