// The search for a pattern. Vertices are placed one after the other; the next is always the one with the fewest
// candidates next to the vertices already placed.

#include <algorithm>
#include <unordered_map>

#include "core/graph/pattern.h"
#include "core/graph/pattern_edges.h"

namespace mo {
namespace {

/// In order of creation; an operation before its tensors.
bool created_before(const PatternNode& a, const PatternNode& b) {
  return a.node != b.node ? a.node->id() < b.node->id() : a.output < b.output;
}

class PatternSearch {
 public:
  PatternSearch(Graph& graph, const Pattern& pattern, bool with_data)
      : graph_(graph), pattern_(pattern), n_(pattern.nodes.size()), with_data_(with_data), assigned_(n_) {}

  uint64_t steps() const { return steps_; }

  std::vector<Match> run() {
    if (n_ == 0) return {};
    read_vertices();
    read_edges();
    candidates_.resize(n_);
    if (list_starts()) {
      edges_ = std::make_unique<PatternEdges>(graph_, with_data_);
      list_unnamed_starts();
      extend(0);
    }
    std::sort(found_.begin(), found_.end(), precedes);
    const auto aliases = std::make_shared<Strings>();
    for (const Pattern::Vertex& vertex : pattern_.nodes) aliases->push_back(vertex.alias);
    std::vector<Match> matches;
    matches.reserve(found_.size());
    for (std::vector<PatternNode>& nodes : found_) matches.emplace_back(aliases, std::move(nodes));
    return matches;
  }

 private:
  static constexpr size_t kNone = SIZE_MAX;
  struct Vertex {
    const std::string* op = nullptr;  ///< the literal that the condition on `op` requires
    const Pattern::Condition* kind = nullptr;
    std::vector<const std::pair<std::string, Pattern::Condition>*> literals, predicates;
    std::vector<size_t> neighbours;
    size_t start = kNone;  ///< index of its list in starts_
  };
  using PairOfEdges = std::vector<const Pattern::Edge*>;

  static bool precedes(const std::vector<PatternNode>& a, const std::vector<PatternNode>& b) {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), created_before);
  }

  void read_vertices() {
    if (n_ > Pattern::kMaxNodes) throw Error(Code::BadPattern, msg(n_, " vertices, the most are ", Pattern::kMaxNodes));
    for (size_t v = 0; v < n_; ++v) {
      const Pattern::Vertex& given = pattern_.nodes[v];
      if (index_of(given.alias) != v)
        throw Error(Code::BadPattern, msg("the alias \"", given.alias, "\" is used twice"));
      Vertex& vertex = vertices_.emplace_back();
      for (const auto& condition : given.conditions) {
        const Pattern::Condition& wanted = condition.second;
        const std::string* text = wanted.predicate() ? nullptr : std::get_if<std::string>(&wanted.literal());
        if (condition.first == "op" && text && !vertex.op) {
          vertex.op = text;
        } else if (condition.first == "kind" && text && !vertex.kind) {
          vertex.kind = &wanted;
        } else {
          (wanted.predicate() ? vertex.predicates : vertex.literals).push_back(&condition);
        }
      }
    }
  }

  void read_edges() {
    pattern_edges_.resize(n_ * n_);
    for (const Pattern::Edge& edge : pattern_.edges) {
      const size_t from = index_of(edge.from), to = index_of(edge.to);
      if (from == kNone || to == kNone) {
        graph_.model().diagnostics.warn(Code::EdgeIgnored, msg("\"", edge.from, "\" to \"", edge.to, "\""));
        continue;
      }
      pattern_edges_[from * n_ + to].push_back(&edge);
    }
    for (size_t v = 0; v < n_; ++v)
      for (size_t w = 0; w < n_; ++w)
        if (v != w && (!between(v, w).empty() || !between(w, v).empty())) vertices_[v].neighbours.push_back(w);
  }

  size_t index_of(std::string_view alias) const {
    for (size_t v = 0; v < n_; ++v)
      if (pattern_.nodes[v].alias == alias) return v;
    return kNone;
  }
  const PairOfEdges& between(size_t from, size_t to) const { return pattern_edges_[from * n_ + to]; }

  /// Lists where the search may begin, for vertices that name their op. False when a vertex cannot be placed at all,
  /// which is the usual case.
  bool list_starts() {
    for (size_t v = 0; v < n_; ++v) {
      Vertex& vertex = vertices_[v];
      if (!vertex.op) continue;
      for (size_t w = 0; w < v; ++w)
        if (vertices_[w].op && *vertices_[w].op == *vertex.op) vertex.start = vertices_[w].start;
      if (vertex.start != kNone) continue;
      vertex.start = starts_.size();
      std::vector<PatternNode>& list = starts_.emplace_back();
      for (Node* node : graph_.nodes(*vertex.op)) list.push_back({node, -1});
      if (list.empty()) return false;
    }
    return true;
  }

  void list_unnamed_starts() {
    bool needed = false;
    for (Vertex& vertex : vertices_) {
      if (vertex.op) continue;
      vertex.start = starts_.size();
      needed = true;
    }
    if (!needed) return;
    std::vector<PatternNode>& list = starts_.emplace_back();
    for (Node* node : graph_.nodes()) {
      list.push_back({node, -1});
      if (with_data_) edges_->append_used_outputs(*node, list);
    }
  }

  void extend(size_t depth) {
    if (depth == n_) return keep();
    const size_t v = choose_next(candidates_[depth]);
    // Without a placed neighbour, every node of its op is a candidate.
    const std::vector<PatternNode>& candidates = beside_ ? candidates_[depth] : starts_[vertices_[v].start];
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (!accepts(v, candidates[i])) continue;
      assigned_[v] = candidates[i];
      extend(depth + 1);
      assigned_[v] = {};
    }
  }

  /// Chooses the vertex with the fewest candidates next to a placed one and lists these, each once, in order of
  /// creation. If no vertex is next to a placed one, chooses the vertex with the rarest op.
  size_t choose_next(std::vector<PatternNode>& candidates) {
    size_t next = kNone, beside = kNone, fewest = SIZE_MAX, rarest = kNone;
    bool forward = false;
    for (size_t v = 0; v < n_; ++v) {
      if (assigned_[v].node) continue;
      if (rarest == kNone || starts_[vertices_[v].start].size() < starts_[vertices_[rarest].start].size()) rarest = v;
      for (const size_t w : vertices_[v].neighbours) {
        if (!assigned_[w].node) continue;
        const bool outwards = !between(w, v).empty();
        const size_t count = outwards ? edges_->count_consumers(assigned_[w], between(w, v))
                                      : edges_->count_producers(assigned_[w], between(v, w));
        if (count < fewest || next == kNone) next = v, beside = w, fewest = count, forward = outwards;
      }
    }
    candidates.clear();
    beside_ = next != kNone;
    if (!beside_) return rarest;
    if (forward) {
      edges_->append_consumers(assigned_[beside], between(beside, next), candidates);
    } else {
      edges_->append_producers(assigned_[beside], between(next, beside), candidates);
    }
    if (candidates.size() > 1) {
      std::sort(candidates.begin(), candidates.end(), created_before);
      candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    }
    return next;
  }

  /// Cheap conditions come first; predicates, which may be a user's, come last.
  bool accepts(size_t v, const PatternNode& candidate) {
    ++steps_;
    graph_.model().beat();
    const Vertex& vertex = vertices_[v];
    if (vertex.op && (candidate.is_data() || candidate.node->op() != *vertex.op)) return false;
    if (vertex.kind && std::get<std::string>(vertex.kind->literal()) != (candidate.is_data() ? "data" : "op"))
      return false;
    for (const PatternNode& other : assigned_)
      if (other == candidate) return false;
    if (!edges_->agree(candidate, candidate, between(v, v))) return false;
    for (size_t w = 0; w < n_; ++w) {
      if (!assigned_[w].node) continue;
      if (!edges_->agree(assigned_[w], candidate, between(w, v))) return false;
      if (!edges_->agree(candidate, assigned_[w], between(v, w))) return false;
    }
    Attribute made;
    for (const auto* condition : vertex.literals)
      if (!condition->second.holds(find_attribute(candidate, condition->first, made), candidate)) return false;
    for (const auto* condition : vertex.predicates)
      if (!condition->second.holds(find_attribute(candidate, condition->first, made), candidate)) return false;
    return true;
  }

  /// Of several matches of the same nodes, keeps the first in the order of the result.
  void keep() {
    const std::vector<PatternNode> members = sorted(assigned_);
    uint64_t hash = 0;
    for (const PatternNode& member : members) {
      const uint64_t key = static_cast<uint64_t>(member.node->id()) << 20 ^ static_cast<uint64_t>(member.output + 1);
      hash = (hash ^ key) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 29;
    }
    const auto same = by_members_.equal_range(hash);
    for (auto entry = same.first; entry != same.second; ++entry) {
      std::vector<PatternNode>& known = found_[entry->second];
      if (sorted(known) != members) continue;
      if (precedes(assigned_, known)) known = assigned_;
      return;
    }
    if (found_.size() >= std::max(kMaxMatches, graph_.size()))
      throw Error(Code::BadPattern, msg("it is found in more than ", found_.size(), " places"));
    by_members_.emplace(hash, found_.size());
    found_.push_back(assigned_);
  }
  static std::vector<PatternNode> sorted(std::vector<PatternNode> nodes) {
    std::sort(nodes.begin(), nodes.end(), created_before);
    return nodes;
  }

  Graph& graph_;
  const Pattern& pattern_;
  const size_t n_;
  const bool with_data_;
  std::vector<Vertex> vertices_;
  std::vector<PairOfEdges> pattern_edges_;  // from * n_ + to
  std::vector<std::vector<PatternNode>> starts_;
  std::unique_ptr<PatternEdges> edges_;
  std::vector<PatternNode> assigned_;                 // by vertex; without a node: not placed
  std::vector<std::vector<PatternNode>> candidates_;  // by depth
  bool beside_ = false;                               // whether the chosen vertex is next to a placed one
  std::vector<std::vector<PatternNode>> found_;
  std::unordered_multimap<uint64_t, size_t> by_members_;  // looked up only, never walked
  uint64_t steps_ = 0;
};

}  // namespace

std::vector<Match> find_matches(Graph& graph, const Pattern& pattern, bool with_data, uint64_t* steps) {
  PatternSearch search(graph, pattern, with_data);
  std::vector<Match> matches = search.run();
  if (steps) *steps = search.steps();
  return matches;
}

}  // namespace mo
