// The edges of a graph as patterns see them: between operations, or through data nodes.
#pragma once

#include <vector>

#include "core/graph/pattern.h"

namespace mo {

/// A view of the graph's edges from both ends. The graph must not change while the view is used.
class PatternEdges {
 public:
  PatternEdges(Graph& graph, bool with_data);

  /// The pattern's edges from one vertex to another; at least one unless stated otherwise.
  using Wanted = std::vector<const Pattern::Edge*>;

  /// Appends nodes that such an edge may lead to or come from. Some may be appended twice; none is missing.
  void append_consumers(const PatternNode& from, const Wanted& wanted, std::vector<PatternNode>& out) const;
  void append_producers(const PatternNode& to, const Wanted& wanted, std::vector<PatternNode>& out) const;
  /// An upper bound of their number, found quickly.
  size_t count_consumers(const PatternNode& from, const Wanted& wanted) const;
  size_t count_producers(const PatternNode& to, const Wanted& wanted) const;
  void append_used_outputs(Node& node, std::vector<PatternNode>& out) const;

  /// Whether exactly the wanted edges (which may be none) lead from one node to the other, with the ports they name.
  bool agree(const PatternNode& from, const PatternNode& to, const Wanted& wanted);

 private:
  struct Use {
    int out;
    InPort to;
  };
  struct Ports {
    int in, out;  ///< -1: the edge has no such port
  };
  struct Uses {
    const Use *first, *last;
    const Use* begin() const { return first; }
    const Use* end() const { return last; }
    size_t size() const { return static_cast<size_t>(last - first); }
  };
  /// Of all outputs, or of one.
  Uses uses(const Node& node, int out = -1) const;
  Uses uses(const PatternNode& from, const Wanted& wanted) const;
  /// Collects the edges in found_, at most `limit` of them.
  void find(const PatternNode& from, const PatternNode& to, size_t limit);

  const bool with_data_;
  std::vector<Use> uses_;       // by producer, then by output
  std::vector<size_t> begins_;  // by the producer's id, and the end
  std::vector<Ports> found_;
};

}  // namespace mo
