// The search in random small graphs and patterns gives the same matches as trying all combinations.

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "core/graph/pattern.h"
#include "tests/core/support/test_graph.h"

namespace mo {
namespace {

struct Edge {
  PatternNode from, to;
  int in, out;
};

class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}
  int below(int end) {
    state_ = state_ * 1664525 + 1013904223;
    return static_cast<int>((state_ >> 8) % static_cast<uint32_t>(end));
  }

 private:
  uint32_t state_;
};

/// All nodes and edges that patterns can describe.
void list_all(Graph& graph, bool with_data, std::vector<PatternNode>& nodes, std::vector<Edge>& edges) {
  for (Node* node : graph.nodes()) {
    nodes.push_back({node, -1});
    for (int i = 0; with_data && i < node->out_count(); ++i) {
      if (node->out(i).disconnected()) continue;
      nodes.push_back({node, i});
      edges.push_back({{node, -1}, {node, i}, -1, i});
    }
    for (int i = 0; i < node->in_count(); ++i) {
      const OutPort source = node->source(i);
      if (!source) continue;
      if (with_data) edges.push_back({{&source.node(), source.index()}, {node, -1}, i, -1});
      if (!with_data) edges.push_back({{&source.node(), -1}, {node, -1}, i, source.index()});
    }
  }
}

/// Whether some assignment of wanted edges to existing ones fits all ports.
bool fit(const std::vector<Pattern::Edge>& wanted, const std::vector<Edge>& there) {
  if (wanted.size() != there.size()) return false;
  std::vector<size_t> order(there.size());
  std::iota(order.begin(), order.end(), 0);
  do {
    bool all = true;
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Edge& edge = there[order[i]];
      all &= !wanted[i].in || *wanted[i].in == edge.in;
      all &= !wanted[i].out || *wanted[i].out == edge.out;
    }
    if (all) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

std::string text(const std::vector<PatternNode>& nodes) {
  std::string out;
  for (const PatternNode& node : nodes) out += cat(node.node->name(), ":", node.output, " ");
  return out;
}

/// Triples in order of creation; each set of nodes once.
std::string try_everything(Graph& graph, const Pattern& pattern, bool with_data) {
  std::vector<PatternNode> nodes;
  std::vector<Edge> edges;
  list_all(graph, with_data, nodes, edges);
  std::set<std::set<std::string>> seen;
  std::string out;
  for (const PatternNode& a : nodes)
    for (const PatternNode& b : nodes)
      for (const PatternNode& c : nodes) {
        const std::vector<PatternNode> triple = {a, b, c};
        if (a == b || a == c || b == c) continue;
        bool all = true;
        for (size_t i = 0; i < 3 && all; ++i) {
          Attribute made;
          for (const auto& [key, condition] : pattern.nodes[i].conditions)
            all &= condition.holds(find_attribute(triple[i], key, made), triple[i]);
          for (size_t j = 0; j < 3 && all; ++j) {
            std::vector<Pattern::Edge> wanted;
            std::vector<Edge> there;
            for (const Pattern::Edge& edge : pattern.edges)
              if (edge.from == pattern.nodes[i].alias && edge.to == pattern.nodes[j].alias) wanted.push_back(edge);
            for (const Edge& edge : edges)
              if (edge.from == triple[i] && edge.to == triple[j]) there.push_back(edge);
            all &= fit(wanted, there);
          }
        }
        if (all && seen.insert({text({a}), text({b}), text({c})}).second) out += text(triple) + "| ";
      }
  return out;
}

TEST(PatternOracle, TheSearchFindsWhatTryingEverythingFinds) {
  constexpr const char* kOps[] = {"Relu", "Exp", "Abs"};
  constexpr const char* kAliases[] = {"p", "q", "r"};
  int found = 0;
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    Random random(seed);
    test::TestGraph test;
    std::vector<Node*> nodes;
    for (int i = 0; i < 6; ++i) nodes.push_back(&test.add(kOps[random.below(3)], cat("n", i), {}, 2));
    for (int i = 0; i < 6; ++i) {
      nodes[static_cast<size_t>(i)]->add_in_ports(3);
      for (int port = 0; port < 3; ++port)
        if (random.below(3) != 0)
          nodes[static_cast<size_t>(i)]->in(port).connect(
              nodes[static_cast<size_t>(random.below(6))]->out(random.below(4) == 0));
    }
    const bool with_data = seed % 2 == 1;
    Pattern pattern;
    for (const char* alias : kAliases) {
      Pattern::Vertex& vertex = pattern.nodes.emplace_back(Pattern::Vertex{alias});
      if (random.below(3) == 0) vertex.conditions.emplace_back("op", kOps[random.below(3)]);
      if (random.below(4) == 0) vertex.conditions.emplace_back("kind", random.below(2) ? "op" : "data");
    }
    for (int i = random.below(5); i > 0; --i) {
      Pattern::Edge& edge =
          pattern.edges.emplace_back(Pattern::Edge{kAliases[random.below(3)], kAliases[random.below(3)]});
      if (random.below(4) == 0) edge.in = random.below(3);
      if (random.below(4) == 0) edge.out = random.below(2);
    }
    std::string matches;
    for (const Match& match : find_matches(test.graph, pattern, with_data)) matches += text(match.nodes()) + "| ";
    ASSERT_EQ(matches, try_everything(test.graph, pattern, with_data)) << "seed " << seed;
    found += !matches.empty();
  }
  EXPECT_GT(found, 200);  // otherwise the patterns would be too hard to prove anything
}

}  // namespace
}  // namespace mo
