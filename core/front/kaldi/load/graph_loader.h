// Makes the graph of a network: a node for each component, with its fields as attributes, and internal operations for
// what descriptors say. Tensors are rows of numbers, [1, dim]: those of one frame. Terms at other times are
// MemoryOffset; a value of the past that depends on the node that reads it is a MemoryOffset without input, which gives
// what a MemoryStore of the same variable gets, so that the graph has no cycle (core/front/kaldi/time/recurrence.h).
#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "core/front/expansion.h"
#include "core/front/kaldi/load/network.h"
#include "core/front/kaldi/load/node_order.h"
#include "core/front/loader.h"

namespace mo::kaldi {

class GraphLoader {
 public:
  GraphLoader(const LoadRequest& request, FileId file)
      : graph_(request.graph), diagnostics_(request.diagnostics), file_(file) {}

  /// Errors of single nodes go to the diagnostics.
  void load(const Network& network);

 private:
  /// nnet3: by the numbers of nodes.
  struct Scope {
    const Network& network;
    NodeOrder order = {};
    std::map<std::string_view, size_t> numbers = {};
    std::vector<OutPort> made = {};
    std::vector<char> failed = {};
    std::set<size_t> stored = {};  ///< nodes whose earlier values are states
    /// Terms: the node, the offset, whether it has a default.
    std::map<std::tuple<size_t, int64_t, bool>, OutPort> terms = {};
    size_t at = 0;  ///< the node that is being made
  };

  void load_nodes(const Network& network);
  void add_node(Scope& scope, size_t number);
  void add_results(Scope& scope);
  std::vector<std::vector<std::pair<size_t, int64_t>>> references(const Scope& scope) const;
  OutPort value(Scope& scope, const Descriptor& descriptor, int64_t offset, int depth);
  OutPort if_defined(Scope& scope, const Descriptor& inner, int64_t offset, int depth);
  OutPort replaced_time(Scope& scope, const Descriptor& descriptor, int64_t offset, int depth);
  OutPort term(Scope& scope, const std::string& name, int64_t offset, bool has_default);
  size_t number_of(const Scope& scope, std::string_view name) const;

  void load_chain(const Network& network);
  /// The components of a chain behind x. `prefix` stands before their names.
  OutPort add_chain(const Network& network, const std::string& prefix, OutPort x, int depth);
  OutPort add_composite(const Component& component, const std::string& name, OutPort x);
  OutPort add_parallel(const Component& component, const std::string& name, OutPort x, int depth);

  void count(const Component& component);
  Node& add_component(const Component& component, const std::string& name, OutPort x);
  OutPort add_input(const std::string& name, int64_t dim);
  void add_result(OutPort port);

  Graph& graph_;
  Diagnostics& diagnostics_;
  FileId file_;
  Expansion expansion_;
  std::set<const Component*> used_;
  int64_t frames_ = 0;  ///< that components read
};

}  // namespace mo::kaldi
