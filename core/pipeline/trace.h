// What each step of a conversion has changed in the graph, as JSON: option trace.
//
//   {"steps": [{"phase", "transform", "added": [node…], "removed": [[graph, id]…], "changed": [node…],
//               "decomposed": [{"transform", "graph", "node", "added": [first, end]}…], "layers": [[graph, id,
//               layer]…]}…]}
//   node: {"graph", "id", "name", "op", "in": [[id, port]…], "out": [{"shape", "type", "names"}…],
//          "attributes": {name: text}, "source": {"op", "domain", "offset", "line"}}
//
// A node of a body has the path of its graph, "12.then_graph" for that attribute of node 12, "12.body/3.body" inside of
// it; the model's own graph is "". Ids are unique in their graph and never used again. A port that is not there or not
// connected is null. Empty fields are left out; of a changed node all fields that have not changed are, too.
// The steps: "load" adds all nodes, with the framework's operations; "cut" and "extract" make internal operations of
// them; each transformation that changed something follows; "emit" says which layer of the IR a node has become, and
// gives the node that layer's type as its op. If another graph takes the place of one at the same path, all nodes of
// the replaced graph are in "removed".
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/ir/ir_writer.h"

namespace mo {

class Trace {
 public:
  explicit Trace(Graph& model) : model_(model) {}

  /// Adds a step with what has changed since the last one, unless nothing has.
  void step(std::string_view phase, std::string_view transform);
  /// During a step: the transform has replaced the node by those with the ids from `first` on.
  void decomposed(const Node& node, std::string_view transform, size_t first);
  /// Adds the last step.
  void emit(const NodeLayers& layers);
  /// The JSON. The trace is empty then.
  std::string take();

 private:
  /// What a node looked like: hashes of its parts.
  struct Seen {
    uint64_t parts[4] = {};
    bool there = false;
  };
  struct Known {
    std::shared_ptr<Graph> graph;  ///< null for the model's own. A graph that is held keeps its address.
    std::vector<Seen> nodes;       ///< by id
    bool visited = false;
  };

  void visit(Graph& graph, const std::string& path);
  void compare(const Node& node, const std::string& path, Seen& seen);
  void remove_all(const std::string& path, const Known& known);
  void close_step(std::string_view phase, std::string_view transform);

  Graph& model_;
  std::map<std::string, Known> graphs_;  ///< by path
  std::string steps_, added_, removed_, changed_, decomposed_, layers_;
};

}  // namespace mo
