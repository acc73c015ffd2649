// Converts a GraphDef to Graph: a node for each NodeDef, connected by names.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/front/tf/load/node_def.h"
#include "core/graph/graph.h"

namespace mo::tf {

class GraphLoader {
 public:
  GraphLoader(Graph& graph, const Origin& origin, Diagnostics& diagnostics)
      : graph_(graph), origin_(origin), diagnostics_(diagnostics) {}
  /// Loads the nodes of a GraphDef. What nothing reads becomes an output of the model, and channels are last if a
  /// convolution has them there. Errors of single nodes go to the diagnostics: UnknownTensor, DuplicateNode, and those
  /// of read_node().
  void load(const proto::Message& graph_def);

 private:
  struct Loaded {
    Node* node;
    std::vector<std::string> inputs;
  };

  void add_node(const proto::Message& message, const proto::Entry& entry);
  void connect(const Loaded& loaded);
  void add_results();
  void name_outputs();
  void choose_layout();

  Graph& graph_;
  Origin origin_;
  Diagnostics& diagnostics_;
  std::vector<Loaded> nodes_;
  std::unordered_map<std::string, Node*> by_name_;
};

}  // namespace mo::tf
