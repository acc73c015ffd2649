// Graphs for tests of the transformations configuration, and helpers to inspect them.
#pragma once

#include <gtest/gtest.h>

#include "core/front/config/FrontReplacementFromConfigFileSubGraph.h"
#include "core/front/config/subgraph_matcher.h"
#include "core/front/config/transformations_config.h"
#include "core/ops/op_def.h"
#include "tests/core/support/memory_files.h"

namespace mo::test {

struct ConfigGraph {
  ConfigGraph() : graph(std::make_shared<Model>(files, built_in_operations())) { graph.model().framework = "onnx"; }

  /// A node with one output and these sources.
  Node& add(const char* op, const std::string& name, const std::vector<Node*>& sources, int outputs = 1) {
    Node& node = graph.add_node(op, name);
    node.add_in_ports(static_cast<int>(sources.size()));
    node.add_out_ports(outputs);
    for (size_t i = 0; i < sources.size(); ++i) node.in(static_cast<int>(i)).connect(sources[i]->out());
    return node;
  }
  Node& parameter(const std::string& name) { return add("Parameter", name, {}); }
  Node& result(Node& source) { return add("Result", source.name() + "/result", {&source}, 0); }
  Node& node(const std::string& name) {
    Node* found = graph.find(name);
    if (!found) throw std::runtime_error("no node " + name);
    return *found;
  }
  /// Names of the nodes, in order, each followed by a space.
  static std::string names(const std::vector<Node*>& nodes) {
    std::string out;
    for (const Node* n : nodes) out += n->name() + " ";
    return out;
  }
  std::vector<SubgraphMatch> match(std::string_view json) {
    set_transformations_config(graph.model(), json);
    return match_subgraphs(graph, transformations_config(graph.model())->descriptions[0]);
  }
  std::string update(std::string_view json) {
    set_transformations_config(graph.model(), json);
    return updated_config(graph, *transformations_config(graph.model()));
  }
  /// Codes of all messages, each followed by a space.
  std::string warnings() const {
    std::string out;
    for (const Message& m : graph.model().diagnostics.messages()) out += m.code + " ";
    return out;
  }

  MemoryFiles files;
  Graph graph;
};

/// Consecutive blocks Mixed_5b, 5c and 5d, as in the documentation: four branches that read the previous concat.
struct InceptionGraph : ConfigGraph {
  explicit InceptionGraph(const std::string& prefix = "") {
    Node* last = &add("Concat", prefix + "InceptionV4/Mixed_5a/concat", {&parameter("input")});
    for (const char* block : {"Mixed_5b", "Mixed_5c", "Mixed_5d"}) {
      const std::string scope = prefix + "InceptionV4/" + block + "/";
      std::vector<Node*> branches;
      for (const std::string branch : {"Branch_0", "Branch_1", "Branch_2"}) {
        Node& weights = add("Const", scope + branch + "/Conv2d_0a_1x1/weights", {});
        Node& conv = add("Conv2D", scope + branch + "/Conv2d_0a_1x1/Conv2D", {last, &weights});
        branches.push_back(&add("ReLU", scope + branch + "/Conv2d_0a_1x1/Relu", {&conv}));
      }
      Node& pool = add("AvgPool", scope + "Branch_3/AvgPool_0a_3x3/AvgPool", {last});
      branches.push_back(&add("Conv2D", scope + "Branch_3/Conv2d_0b_1x1/Conv2D", {&pool}));
      last = &add("Concat", scope + "concat", branches);
    }
    last = &add("ReLU", prefix + "InceptionV4/Mixed_6a/Relu", {last});
    result(*last);
  }
};

/// The entry in the documentation, before its update.
inline const char kInceptionTemplate[] = R"([
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
        "match_kind": "scope"
    }
])";

/// Runs `action` and expects mo::Error with that code and a message that contains `part`.
template <typename Action>
void expect_error(Code code, const std::string& part, Action action) {
  try {
    action();
    ADD_FAILURE() << "no error " << info(code).name;
  } catch (const Error& error) {
    EXPECT_EQ(info(error.code()).name, info(code).name) << error.what();
    EXPECT_NE(error.message().text.find(part), std::string::npos) << error.message().text;
  }
}

}  // namespace mo::test
