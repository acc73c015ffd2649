// A graph that tests build directly, without a framework.
#pragma once

#include <initializer_list>
#include <memory>
#include <string>

#include "core/ops/op_def.h"
#include "tests/core/support/memory_files.h"

namespace mo::test {

struct TestGraph {
  TestGraph() : graph(std::make_shared<Model>(files, built_in_operations())) {}

  /// A node whose inputs are these ports, in order; an empty port leaves its input unconnected.
  Node& add(const char* op, const std::string& name, std::initializer_list<OutPort> inputs = {}, int outputs = 1) {
    Node& node = graph.add_node(op, name);
    node.add_in_ports(static_cast<int>(inputs.size()));
    node.add_out_ports(outputs);
    int i = 0;
    for (const OutPort& source : inputs) {
      if (source) node.in(i).connect(source);
      ++i;
    }
    return node;
  }

  const std::vector<Message>& messages() const { return graph.model().diagnostics.messages(); }

  MemoryFiles files;
  Graph graph;
};

}  // namespace mo::test
