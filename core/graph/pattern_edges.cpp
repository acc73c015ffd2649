#include "core/graph/pattern_edges.h"

#include <algorithm>

namespace mo {
namespace {

/// The input or output that all candidates must have because an edge names it; -1 when any will do.
int named_in(const PatternEdges::Wanted& wanted) {
  for (const Pattern::Edge* edge : wanted)
    if (edge->in) return *edge->in;
  return -1;
}
int named_out(const PatternEdges::Wanted& wanted) {
  for (const Pattern::Edge* edge : wanted)
    if (edge->out) return *edge->out;
  return -1;
}

}  // namespace

PatternEdges::PatternEdges(Graph& graph, bool with_data) : with_data_(with_data) {
  const std::vector<Node*> nodes = graph.nodes();
  begins_.assign(nodes.empty() ? 1 : static_cast<size_t>(nodes.back()->id()) + 2, 0);
  for (Node* node : nodes)
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i)) ++begins_[static_cast<size_t>(source.node().id()) + 1];
  for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  uses_.resize(begins_.back());
  std::vector<size_t> next = begins_;
  for (Node* node : nodes)
    for (int i = 0; i < node->in_count(); ++i)
      if (const OutPort source = node->source(i))
        uses_[next[static_cast<size_t>(source.node().id())]++] = {source.index(), InPort(node, i)};
  for (Node* node : nodes) {
    if (node->out_count() < 2) continue;
    const size_t id = static_cast<size_t>(node->id());
    std::stable_sort(uses_.begin() + static_cast<ptrdiff_t>(begins_[id]),
                     uses_.begin() + static_cast<ptrdiff_t>(begins_[id + 1]),
                     [](const Use& a, const Use& b) { return a.out < b.out; });
  }
}

PatternEdges::Uses PatternEdges::uses(const Node& node, int out) const {
  const size_t id = static_cast<size_t>(node.id());
  const Uses all{uses_.data() + begins_[id], uses_.data() + begins_[id + 1]};
  if (out < 0) return all;
  return {std::partition_point(all.first, all.last, [out](const Use& use) { return use.out < out; }),
          std::partition_point(all.first, all.last, [out](const Use& use) { return use.out <= out; })};
}

PatternEdges::Uses PatternEdges::uses(const PatternNode& from, const Wanted& wanted) const {
  return uses(*from.node, from.is_data() ? from.output : named_out(wanted));
}

size_t PatternEdges::count_consumers(const PatternNode& from, const Wanted& wanted) const {
  return uses(from, wanted).size();
}

size_t PatternEdges::count_producers(const PatternNode& to, const Wanted& wanted) const {
  if (to.is_data() || named_in(wanted) >= 0) return 1;
  return static_cast<size_t>(to.node->in_count());
}

void PatternEdges::append_consumers(const PatternNode& from, const Wanted& wanted,
                                    std::vector<PatternNode>& out) const {
  const bool to_data = with_data_ && !from.is_data();
  for (const Use& use : uses(from, wanted)) {
    if (!to_data) {
      out.push_back({&use.to.node(), -1});
    } else if (out.empty() || out.back().output != use.out) {
      out.push_back({from.node, use.out});
    }
  }
}

void PatternEdges::append_producers(const PatternNode& to, const Wanted& wanted, std::vector<PatternNode>& out) const {
  if (to.is_data()) {
    out.push_back({to.node, -1});
    return;
  }
  const int only = named_in(wanted);
  const int first = only < 0 ? 0 : only,
            last = only < 0 ? to.node->in_count() : std::min(only, to.node->in_count() - 1) + 1;
  for (int i = first; i < last; ++i)
    if (const OutPort source = to.node->source(i)) out.push_back({&source.node(), with_data_ ? source.index() : -1});
}

void PatternEdges::append_used_outputs(Node& node, std::vector<PatternNode>& out) const {
  int last = -1;
  for (const Use& use : uses(node))
    if (use.out != last) out.push_back({&node, last = use.out});
}

void PatternEdges::find(const PatternNode& from, const PatternNode& to, size_t limit) {
  found_.clear();
  if (with_data_ && from.is_data() == to.is_data()) return;
  if (to.is_data()) {
    if (to.node == from.node) found_.push_back({-1, to.output});
    return;
  }
  // Edges can be counted from either end. Take the smaller one, as a node may have very many.
  const Uses forward = uses(*from.node, from.output);
  if (forward.size() < static_cast<size_t>(to.node->in_count())) {
    for (const Use& use : forward) {
      if (&use.to.node() != to.node) continue;
      found_.push_back({use.to.index(), with_data_ ? -1 : use.out});
      if (found_.size() == limit) return;
    }
    return;
  }
  for (int i = 0; i < to.node->in_count(); ++i) {
    const OutPort source = to.node->source(i);
    if (!source || &source.node() != from.node || (from.is_data() && source.index() != from.output)) continue;
    found_.push_back({i, with_data_ ? -1 : source.index()});
    if (found_.size() == limit) return;
  }
}

bool PatternEdges::agree(const PatternNode& from, const PatternNode& to, const Wanted& wanted) {
  find(from, to, wanted.size() + 1);
  if (found_.size() != wanted.size()) return false;
  // Each wanted edge takes one of the found edges. An input has one edge only, so an edge that names it has no choice.
  // An edge that names only an output may take any edge of that output.
  const auto take = [this](const Pattern::Edge& edge) {
    for (Ports& ports : found_) {
      if (edge.in && ports.in != *edge.in) continue;
      if (edge.out && ports.out != *edge.out) continue;
      ports = found_.back();
      found_.pop_back();
      return true;
    }
    return false;
  };
  for (const Pattern::Edge* edge : wanted)
    if ((edge->in && *edge->in < 0) || (edge->out && *edge->out < 0)) return false;
  for (const Pattern::Edge* edge : wanted)
    if (edge->in && !take(*edge)) return false;
  for (const Pattern::Edge* edge : wanted)
    if (!edge->in && edge->out && !take(*edge)) return false;
  return true;
}

}  // namespace mo
