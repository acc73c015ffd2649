// Connections.

#include "tests/core/spec/samples.h"

namespace mo::test {
namespace {

TEST(Spec, C_01_AConnectionIsSeenFromEitherEnd) {
  FourOperations s;
  EXPECT_EQ(s.op1->out(1).connection().destinations().size(), 2u);
  EXPECT_EQ(s.op4->in(1).connection().destinations(), std::vector<InPort>{s.op4->in(1)});
}

TEST(Spec, C_02_BothEndsHaveOneSource) {
  FourOperations s;
  EXPECT_EQ(s.op1->out(1).connection().source(), s.op1->out(1));
  EXPECT_EQ(s.op4->in(1).connection().source(), s.op1->out(1));
}

TEST(Spec, C_03_DestinationsAreTheConsumers) {
  FourOperations s;
  EXPECT_EQ(s.op1->out(1).connection().destinations(), (std::vector<InPort>{s.op2->in(0), s.op4->in(1)}));
}

TEST(Spec, C_04_OneDestinationOrAnError) {
  FourOperations s;
  EXPECT_EQ(s.op3->out().connection().destination(), s.op4->in(0));
  EXPECT_CODE(Code::SeveralDestinations, s.op1->out(1).connection().destination());
}

TEST(Spec, C_05_SetSourceMovesAllDestinations) {
  FourOperations s;
  s.op1->out(1).connection().set_source(s.op1->out(0));
  EXPECT_TRUE(s.op1->out(1).disconnected());
  EXPECT_EQ(s.op1->out(0).destinations(), (std::vector<InPort>{s.op3->in(0), s.op2->in(0), s.op4->in(1)}));
}

TEST(Spec, C_06_WhatFedFromOp3IsFedFromOp1) {
  for (const Stage stage : kStages) {
    FourOperations s(stage);
    s.op4->in(1).connect(s.op3->out());
    s.op3->out().connection().set_source(s.op1->out(0));
    EXPECT_EQ(s.op4->source(0), s.op1->out(0));
    EXPECT_EQ(s.op4->source(1), s.op1->out(0));
    EXPECT_TRUE(s.op3->out().disconnected());
  }
}

TEST(Spec, C_07_SetDestinationLeavesTheTargetOnly) {
  for (const Stage stage : kStages) {
    FourOperations s(stage);
    s.op1->out(1).connection().set_destination(s.op4->in(0));
    EXPECT_EQ(s.op1->out(1).destinations(), std::vector<InPort>{s.op4->in(0)});
    EXPECT_TRUE(s.op2->in(0).disconnected());
    EXPECT_TRUE(s.op4->in(1).disconnected());
    EXPECT_TRUE(s.op3->out().disconnected());
  }
}

TEST(Spec, C_08_OfAnInputOnlyItsOwnLinkMoves) {
  FourOperations s;
  s.op4->in(1).connection().set_destination(s.op1->in(2));
  EXPECT_EQ(s.op1->out(1).destinations(), (std::vector<InPort>{s.op2->in(0), s.op1->in(2)}));
  EXPECT_TRUE(s.op4->in(1).disconnected());
}

TEST(Spec, C_09_ConnectionsAreTheSameInAllPhases) {
  Texts links;
  for (const Stage stage : kStages) {
    FourOperations s(stage);
    Node& put = s.add("Put", "put", 1, 1);
    s.op1->out(1).connection().insert_node(put);
    s.op3->out().connection().remove();
    s.op1->out(0).connection().add_destination(s.op4->in(0));
    links.push_back(s.links());
  }
  EXPECT_EQ(links, Texts(3, "op1.0<-x.0 op1.1<-x.0 op2.0<-put.0 op3.0<-op1.0 op4.0<-op1.0 op4.1<-put.0 put.0<-op1.1"));
}

TEST(Spec, C_10_AConsumerOfTwoInputsIsListedTwice) {
  FourOperations s(Stage::Middle);
  s.op4->in(1).connect(s.op3->out());
  EXPECT_EQ(s.op3->out().connection().destinations(), (std::vector<InPort>{s.op4->in(0), s.op4->in(1)}));
}

TEST(Spec, C_11_ConnectionsCanBeChained) {
  FourOperations s;
  EXPECT_EQ(s.op4->in(0).connection().source().node().op(), "Op3");
}

TEST(Spec, C_05_NamesOfTensorsMoveByMode) {
  const auto moved = [](TensorNames mode) {
    FourOperations s;
    s.op3->out().tensor().names = {"old"};
    s.op2->out().tensor().names = {"new"};
    s.op3->out().connection().set_source(s.op2->out(), mode);
    Texts out = s.op2->out().tensor().names;
    out.push_back("|");
    for (const std::string& name : s.op3->out().tensor().names) out.push_back(name);
    return out;
  };
  EXPECT_EQ(moved(TensorNames::Default), (Texts{"new", "old", "|"}));
  EXPECT_EQ(moved(TensorNames::Merge), (Texts{"new", "old", "|"}));
  EXPECT_EQ(moved(TensorNames::Source), (Texts{"new", "|", "old"}));
  EXPECT_EQ(moved(TensorNames::Dest), (Texts{"old", "|"}));
}

TEST(Spec, C_07_NamesAtTheTargetMoveByMode) {
  const auto moved = [](TensorNames mode) {
    FourOperations s;
    s.op2->out().tensor().names = {"source"};
    s.op3->out().tensor().names = {"target"};
    s.op2->out().connection().set_destination(s.op4->in(0), mode);
    return s.op2->out().tensor().names;
  };
  EXPECT_EQ(moved(TensorNames::Default), (Texts{"source", "target"}));
  EXPECT_EQ(moved(TensorNames::Merge), (Texts{"source", "target"}));
  EXPECT_EQ(moved(TensorNames::Source), (Texts{"source"}));
  EXPECT_EQ(moved(TensorNames::Dest), (Texts{"target"}));
}

}  // namespace
}  // namespace mo::test
