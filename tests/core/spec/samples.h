// The two sample graphs used by several requirements.
#pragma once

#include "core/front/loader.h"
#include "core/ops/op_def.h"
#include "tests/core/support/converted.h"

namespace mo::test {

/// A graph at some stage of a conversion, to edit directly.
struct StagedGraph {
  explicit StagedGraph(Stage stage = Stage::Front) : graph(std::make_shared<Model>(set, built_in_operations())) {
    graph.model().stage = stage;
  }
  Node& add(std::string_view op, std::string_view name, int inputs, int outputs) {
    Node& node = graph.add_node(std::string(op), name);
    node.add_in_ports(inputs);
    node.add_out_ports(outputs);
    return node;
  }
  /// The source of each connected input, in order of creation: "op2.0<-op1.1 …".
  std::string links() const {
    std::string out;
    for (const Node* node : graph.nodes())
      for (int i = 0; i < node->in_count(); ++i)
        if (const OutPort source = node->source(i))
          out += cat(out.empty() ? "" : " ", node->name(), ".", i, "<-", source.node().name(), ".", source.index());
    return out;
  }

  MemoryFiles set;
  Graph graph;
};

/// op1, whose input 2 is not connected, feeds op2 and op4 from its output 1 and op3 from its output 0; op3 feeds
/// op4.
struct FourOperations : StagedGraph {
  explicit FourOperations(Stage stage = Stage::Front) : StagedGraph(stage) {
    x = &add("Parameter", "x", 0, 1);
    op1 = &add("Op1", "op1", 3, 2);
    op2 = &add("Op2", "op2", 1, 1);
    op3 = &add("Op3", "op3", 1, 1);
    op4 = &add("Op4", "op4", 2, 1);
    op1->in(0).connect(x->out());
    op1->in(1).connect(x->out());
    op2->in(0).connect(op1->out(1));
    op3->in(0).connect(op1->out(0));
    op4->in(0).connect(op3->out(0));
    op4->in(1).connect(op1->out(1));
  }
  static constexpr const char* kLinks = "op1.0<-x.0 op1.1<-x.0 op2.0<-op1.1 op3.0<-op1.0 op4.0<-op3.0 op4.1<-op1.1";

  Node *x, *op1, *op2, *op3, *op4;
};

/// A-33 as a model: Op2's output 0 goes to input 0 of Op5 and input 1 of Op3, its output 1 to input 0 of Op4.
inline OnnxGraph five_operations() {
  OnnxGraph model;
  model.input("x", "2,6").node("Relu", {"x"}, {"one"}, {}, "Op1");
  model.node("Split", {"one"}, {"two_0", "two_1"}, {onnx_attribute("axis", 1)}, "Op2");
  model.weight(onnx_floats("w", {3}, {1, 2, 3}));
  model.node("Sub", {"w", "two_0"}, {"three"}, {}, "Op3").node("Abs", {"two_1"}, {"four"}, {}, "Op4");
  model.node("Sum", {"two_0", "three", "four"}, {"five"}, {}, "Op5").output("five");
  return model;
}

inline constexpr Stage kStages[] = {Stage::Front, Stage::Middle, Stage::Back};

/// Names of one kind of node: "a b".
inline std::string names_of(const std::vector<Node*>& nodes) {
  std::string out;
  for (const Node* node : nodes) out += (out.empty() ? "" : " ") + node->name();
  return out;
}

/// x -> op… -> y; each operation has one input, is named like its op, and has shape 2,3.
inline OnnxGraph chain(const std::vector<std::string>& ops, std::string_view domain = {}) {
  OnnxGraph model;
  model.input("x", "2,3");
  std::string last = "x";
  for (size_t i = 0; i < ops.size(); ++i) {
    const std::string next = i + 1 == ops.size() ? "y" : cat("t", i);
    model.node(ops[i], {last}, {next}, {}, ops[i], domain);
    last = next;
  }
  model.output("y");
  return model;
}

}  // namespace mo::test
