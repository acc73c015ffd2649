// Networks of Kaldi become graphs, and frames at other times become states.

#include <sstream>

#include "core/front/kaldi/load/dimensions.h"
#include "core/front/kaldi/load/graph_loader.h"
#include "core/front/kaldi/load/model_facts.h"
#include "core/front/kaldi/time/recurrence.h"
#include "core/front/kaldi/time/times.h"
#include "core/pipeline/convert_graph.h"
#include "tests/core/support/converted.h"

namespace mo::kaldi {
namespace {

using mo::test::MemoryFiles;
using Kind = Descriptor::Kind;

Descriptor node(const std::string& name) { return {.kind = Kind::Node, .node = name}; }
Descriptor of(Kind kind, std::vector<Descriptor> parts) { return {.kind = kind, .parts = std::move(parts)}; }
Descriptor offset(Descriptor part, int64_t t) { return {.kind = Kind::Offset, .parts = {std::move(part)}, .t = t}; }
Descriptor defined(Descriptor part) { return of(Kind::IfDefined, {std::move(part)}); }
Descriptor at(Descriptor part, int64_t t) { return {.kind = Kind::ReplaceIndex, .parts = {std::move(part)}, .t = t}; }
Descriptor rounded(Descriptor part, int64_t modulus) {
  return {.kind = Kind::Round, .parts = {std::move(part)}, .modulus = modulus};
}

/// A network of nnet3 whose components pass frames of two numbers on.
struct Nnet3 {
  Network network{.generation = Network::Generation::Nnet3};

  Nnet3& input(const std::string& name, int64_t dim = 2) {
    network.nodes.push_back({.kind = NetworkNode::Kind::Input, .name = name, .dim = dim});
    return *this;
  }
  Nnet3& component(const std::string& name, Descriptor from, int64_t dim = 2, const std::string& type = "ReLU") {
    Component made{.type = type, .name = name};
    made.fields.set("Dim", dim);
    network.nodes.push_back({.kind = NetworkNode::Kind::Component,
                             .name = name,
                             .component = network.components.size(),
                             .input = std::move(from)});
    network.components.push_back(std::move(made));
    return *this;
  }
  Nnet3& output(const std::string& name, Descriptor from) {
    network.nodes.push_back({.kind = NetworkNode::Kind::Output, .name = name, .input = std::move(from)});
    return *this;
  }
};

/// A conversion that begins with a network.
struct Made {
  MemoryFiles files;
  std::unique_ptr<Conversion> conversion;
  pugi::xml_document document;

  explicit Made(const Network& network, ModelFacts facts = {}) {
    files.put("m", {});
    const auto make = [&](Graph& graph) {
      graph.model().framework = "kaldi";
      graph.model().of_loader = std::make_shared<ModelFacts>(facts);
      const ModelFile model(graph.files(), "m");
      const LoadOptions options;
      ModelHead head;
      GraphLoader({model, options, graph, graph.model().diagnostics, head}, 0).load(network);
      for (Node* each : graph.nodes())
        if (each->pb) each->pb = nullptr, each->attributes = {};
      if (!graph.model().diagnostics.has_errors()) remove_unread_states(graph);
    };
    conversion = convert_graph(files, make, {});
    if (conversion->ok()) document.load_string(conversion->xml().c_str());
  }

  std::string error() const {
    for (const Message& message : conversion->messages()) return message.code + ": " + message.text;
    return {};
  }
  size_t count(std::string_view type) const {
    size_t found = 0;
    for (const pugi::xml_node layer : document.child("net").child("layers"))
      found += layer.attribute("type").value() == type;
    return found;
  }
  std::string fact(const char* name) const {
    return document.child("net").child("rt_info").child("kaldi").child(name).attribute("value").value();
  }
  /// "id 1,6": the variables and their shapes.
  std::vector<std::string> variables() const {
    std::vector<std::string> out;
    for (const pugi::xml_node layer : document.child("net").child("layers"))
      if (std::string_view(layer.attribute("type").value()) == "ReadValue")
        out.push_back(std::string(layer.child("data").attribute("variable_id").value()) + " " +
                      layer.child("data").attribute("variable_shape").value());
    std::sort(out.begin(), out.end());
    return out;
  }
};

using Texts = std::vector<std::string>;

TEST(KaldiGraph, WithoutTimeThereIsNoState) {
  const Made run(Nnet3().input("input").component("a", node("input")).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.variables(), Texts{});
  EXPECT_EQ(run.fact("left_context"), "0");
  EXPECT_EQ(run.fact("right_context"), "0");
}

TEST(KaldiGraph, FramesOfOneTensorAreAWindow) {
  const Descriptor window = of(Kind::Append, {offset(node("input"), -1), node("input"), offset(node("input"), 2)});
  const Made run(Nnet3().input("input").component("a", window, 6).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.variables(), (Texts{"input/Splice 1,6"}));
  EXPECT_EQ(run.fact("left_context"), "1");
  EXPECT_EQ(run.fact("right_context"), "2");
}

TEST(KaldiGraph, NeighboursInOrderAreTheWindowItself) {
  const Descriptor window = of(Kind::Append, {offset(node("input"), -1), node("input"), offset(node("input"), 1)});
  const Made run(Nnet3().input("input").component("a", window, 6).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.count("Concat"), 1u);
  EXPECT_EQ(run.count("StridedSlice"), 1u) << run.conversion->xml();
}

TEST(KaldiGraph, TheOrderOfAppendStays) {
  const Descriptor window = of(Kind::Append, {node("input"), offset(node("input"), -1)});
  const Made run(Nnet3().input("input").component("a", window, 4).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.variables(), (Texts{"input/Splice 1,2"}));
  EXPECT_EQ(run.count("Concat"), 2u) << "of the window, and of its frames in the order of the text";
}

TEST(KaldiGraph, ARecurrenceIsAState) {
  const Descriptor sum = of(Kind::Sum, {node("input"), defined(offset(node("a"), -3))});
  const Made run(Nnet3().input("input").component("a", sum).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.variables(), (Texts{"a 1,6"}));
  EXPECT_EQ(run.count("Select"), 0u) << "the first frame can be computed";
}

TEST(KaldiGraph, RubbishStaysOutOfStates) {
  const Descriptor ahead = of(Kind::Sum, {offset(node("input"), 2), defined(offset(node("a"), -1))});
  const Made run(Nnet3().input("input").component("a", ahead).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.fact("right_context"), "2");
  EXPECT_EQ(run.fact("left_context"), "0");
  EXPECT_EQ(run.count("Select"), 0u) << "a frame ahead is only a matter of labels: " << run.conversion->xml();
  const Descriptor window = of(Kind::Sum, {node("w"), defined(offset(node("a"), -1))});
  const Made waits(Nnet3()
                       .input("input")
                       .component("w", of(Kind::Sum, {offset(node("input"), -2), offset(node("input"), 1)}))
                       .component("a", window)
                       .output("output", node("a"))
                       .network);
  ASSERT_TRUE(waits.conversion->ok()) << waits.error();
  EXPECT_EQ(waits.count("Select"), 1u);
  EXPECT_EQ(waits.variables(), (Texts{"a 1,2", "inferences 1", "input/Splice 1,6"}));
}

TEST(KaldiGraph, AnIvectorHasNoTime) {
  const Descriptor both = of(Kind::Append, {offset(node("input"), 1), at(node("ivector"), 0)});
  const Made run(Nnet3().input("input").input("ivector").component("a", both, 4).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.variables(), Texts{});
  EXPECT_EQ(run.count("Parameter"), 2u);
}

TEST(KaldiGraph, ComputedValuesOfOneTimeAreKept) {
  const Descriptor both = of(Kind::Append, {node("a"), at(node("a"), 0)});
  const Made run(
      Nnet3().input("input").component("a", node("input")).component("b", both, 4).output("output", node("b")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.variables(), (Texts{"b/TimeAt 1,2", "inferences 1"}));
}

TEST(KaldiGraph, RoundAndSwitchCountFrames) {
  const Made run(Nnet3().input("input").component("a", rounded(node("input"), 3)).output("output", node("a")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.fact("left_context"), "2");
  EXPECT_EQ(run.variables(), (Texts{"a/TimeRound 1,2", "inferences_mod_3 1"}));
  const Descriptor turns = of(Kind::Switch, {node("input"), offset(node("input"), -1)});
  const Made switched(Nnet3().input("input").component("a", turns).output("output", node("a")).network);
  ASSERT_TRUE(switched.conversion->ok()) << switched.error();
  EXPECT_EQ(switched.variables(), (Texts{"inferences_mod_2 1", "input/Splice 1,2"}));
}

TEST(KaldiGraph, ANodeThatNeedsItself) {
  const Made run(Nnet3()
                     .input("input")
                     .component("a", of(Kind::Sum, {node("input"), node("a")}))
                     .output("output", node("a"))
                     .network);
  EXPECT_EQ(run.error().substr(0, 6), "MO3001") << run.error();
  const Made later(Nnet3()
                       .input("input")
                       .component("a", of(Kind::Sum, {node("input"), defined(offset(node("a"), 1))}))
                       .output("output", node("a"))
                       .network);
  EXPECT_EQ(later.error().substr(0, 6), "MO3001") << later.error();
}

TEST(KaldiGraph, ARecurrenceOverLaterFrames) {
  const Descriptor sum = of(Kind::Sum, {node("input"), defined(offset(node("b"), -1))});
  const Made run(Nnet3()
                     .input("input")
                     .component("a", sum)
                     .component("b", offset(node("a"), 2))
                     .output("output", node("a"))
                     .network);
  EXPECT_EQ(run.error().substr(0, 6), "MO2004") << run.error();
}

TEST(KaldiGraph, HugeOffsetsAreNoAllocation) {
  const Made run(Nnet3()
                     .input("input")
                     .component("a", of(Kind::Append, {offset(node("input"), -2147483647), node("input")}), 4)
                     .output("output", node("a"))
                     .network);
  EXPECT_EQ(run.error().substr(0, 6), "MO2004") << run.error();
  const Made sum(Nnet3()
                     .input("input")
                     .component("a", offset(offset(node("input"), -2147483647), -2147483647))
                     .output("output", node("a"))
                     .network);
  EXPECT_EQ(sum.error().substr(0, 6), "MO2002") << sum.error();
}

TEST(KaldiGraph, AStateThatNoOutputNeedsIsGone) {
  const Descriptor sum = of(Kind::Sum, {node("input"), defined(offset(node("a"), -1))});
  const Made run(
      Nnet3().input("input").component("a", sum).component("b", node("input")).output("output", node("b")).network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.variables(), Texts{});
}

TEST(KaldiGraph, DropoutMasksReadNothing) {
  const Network network = Nnet3()
                              .input("input")
                              .component("mask", node("mask"), 2, "DropoutMaskComponent")
                              .output("output", node("input"))
                              .network;
  MemoryFiles files;
  EXPECT_FALSE(has_input(network.components[0]));
}

TEST(KaldiGraph, OutputsAreEquallyLate) {
  const Made run(Nnet3()
                     .input("input")
                     .component("a", offset(node("input"), 2))
                     .component("b", node("input"))
                     .output("output", node("a"))
                     .output("output-xent", node("b"))
                     .network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.count("Result"), 2u);
  EXPECT_EQ(run.variables(), (Texts{"b/Splice 1,4"}));
}

TEST(KaldiGraph, MemoryBecomesInputsAndOutputs) {
  const Descriptor sum = of(Kind::Sum, {node("input"), defined(offset(node("a"), -1))});
  const Made run(Nnet3().input("input").component("a", sum).output("output", node("a")).network,
                 {.remove_memory = true});
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.count("ReadValue") + run.count("Assign"), 0u);
  EXPECT_NE(run.conversion->xml().find("name=\"Parameter_0_for_a\""), std::string::npos);
  EXPECT_NE(run.conversion->xml().find("Result_for_a"), std::string::npos);
}

TEST(KaldiGraph, NetworksSideBySide) {
  const auto chain = [](int64_t dim) {
    Network part;
    part.components.push_back({.type = "ReLU", .name = "relu", .inputs = dim, .outputs = dim});
    return part;
  };
  Network network;
  network.components.push_back({.type = "ParallelComponent", .name = "parallelcomponent", .inputs = 5, .outputs = 5});
  network.components[0].parts = {chain(2), chain(3)};
  const Made run(network);
  ASSERT_TRUE(run.conversion->ok()) << run.error();
  EXPECT_EQ(run.count("ReLU"), 2u);
  EXPECT_NE(run.conversion->xml().find("name=\"parallelcomponent/2/relu\""), std::string::npos);
  network.components[0].parts = {chain(2), chain(2)};
  EXPECT_EQ(Made(network).error().substr(0, 6), "MO3002");
}

TEST(KaldiTimes, FramesByRemainder) {
  const Times input(3, 4);
  EXPECT_EQ(input.rounded(3).first(4), 6);
  EXPECT_EQ(input.shifted(-2).first(4), 6);
  EXPECT_EQ(input.shifted(2).first(0), 2);
  EXPECT_EQ(input.calls(4, 1), Ints{1});
  EXPECT_EQ(input.rounded(3).calls(4, 0), Ints{2});
  const Times turns = Times::in_turn({Times(2, 4), Times(2, 9)});
  EXPECT_EQ(turns.first(4), 4);
  EXPECT_EQ(turns.calls(4, 0), (Ints{0, 5}));
  EXPECT_TRUE(Times(2, Times::kAlways).is_always());
}

}  // namespace
}  // namespace mo::kaldi
