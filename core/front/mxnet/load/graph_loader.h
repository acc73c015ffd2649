// Makes the graph of a symbol: a node for each of its nodes that the outputs need, with the same inputs and outputs,
// and the attributes as texts. A variable is a constant if there is an array of its name, else an input.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/front/expansion.h"
#include "core/front/loader.h"
#include "core/front/mxnet/load/arrays.h"
#include "core/front/mxnet/load/symbol.h"

namespace mo::mxnet {

class GraphLoader {
 public:
  /// `shapes` are those of inputs, by their names, where a file besides says them.
  GraphLoader(const LoadRequest& request, FileId file, const Parameters& parameters,
              const std::map<std::string, PartialShape>& shapes);

  /// Errors of single nodes go to the diagnostics.
  void load(const Symbol& symbol);
  /// Variables that operations use as parameters, and that have no array.
  const Strings& without_array() const { return without_array_; }

 private:
  using Ports = std::vector<OutPort>;
  /// A graph that is being made of a symbol.
  struct Scope {
    const Symbol& symbol;
    Graph& graph;
    int depth = 0;
    std::vector<Node*> nodes = {};        ///< by number; null: not needed, or failed
    std::vector<OutPort> variables = {};  ///< by number
    std::vector<char> failed = {};
  };

  void add_node(Scope& scope, uint32_t number);
  void add_variable(Scope& scope, uint32_t number);
  Node& new_node(const SymbolNode& from, Scope& scope);
  /// The symbol's node is what the node comes from.
  void describe(Node& node, const SymbolNode& from, const std::string& op, const std::string& domain,
                int64_t version) const;
  OutPort read(const Scope& scope, const Entry& entry) const;
  void add_results(const Scope& scope);

  // control_flow.cpp
  void add_foreach(Scope& scope, const SymbolNode& from, Node& node, const Ports& inputs);
  /// The node with the outputs.
  Node& add_while(Scope& scope, const SymbolNode& from, Node& node, const Ports& inputs);
  void add_if(Scope& scope, const SymbolNode& from, Node& node, const Ports& inputs);
  /// The nodes that one was made of.
  Node& add_fused_network(Scope& scope, const SymbolNode& from, const Ports& inputs);
  /// The nodes of a sub-graph in a graph, where its variables are these. Returns what its heads are.
  Ports inlined(const Symbol& symbol, Graph& graph, const Ports& variables, int depth);

  Graph& graph_;
  Diagnostics& diagnostics_;
  FileId file_;
  const Parameters& parameters_;
  const std::map<std::string, PartialShape>& shapes_;
  std::map<std::string, OutPort> by_name_;  ///< variables: two of one name are the same
  Strings without_array_;
  Expansion expansion_;
};

}  // namespace mo::mxnet
