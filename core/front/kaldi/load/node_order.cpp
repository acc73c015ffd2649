#include "core/front/kaldi/load/node_order.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo::kaldi {
namespace {

using References = std::vector<std::vector<std::pair<size_t, int64_t>>>;

/// Visits the nodes depth first, without recursion.
class Visit {
 public:
  explicit Visit(const References& references) : references_(references), number_(references.size()) {}

  /// Strongly connected components (Tarjan), numbered in the order in which they are complete.
  std::vector<size_t> cycles() {
    const size_t count = references_.size();
    std::vector<size_t> low(count), cycle(count), stack;
    std::vector<char> on_stack(count);
    size_t next = 0, cycles = 0;
    walk([](size_t, size_t) { return true; },
         [&](size_t node) {
           number_[node] = low[node] = ++next;
           stack.push_back(node), on_stack[node] = 1;
         },
         [&](size_t from, size_t to) {
           if (on_stack[to]) low[from] = std::min(low[from], low[to]);
         },
         [&](size_t node) {
           if (low[node] != number_[node]) return;
           for (size_t member = count; member != node;) {
             member = stack.back();
             stack.pop_back();
             on_stack[member] = 0, cycle[member] = cycles;
           }
           ++cycles;
         });
    return cycle;
  }

  /// `follows`: whether to go along a reference, by its number. `entered` and `left` get nodes; `seen` gets a node and
  /// one that it refers to, when that has been left or is entered already.
  template <typename Follows, typename Entered, typename Seen, typename Left>
  void walk(const Follows& follows, const Entered& entered, const Seen& seen, const Left& left) {
    struct At {
      size_t node, next = 0;
    };
    std::vector<At> path;
    std::vector<char> known(references_.size());
    for (size_t first = 0; first < references_.size(); ++first) {
      if (known[first]) continue;
      known[first] = 1, path.push_back({first});
      entered(first);
      while (!path.empty()) {
        const size_t node = path.back().node, i = path.back().next;
        if (i == references_[node].size()) {
          left(node);
          path.pop_back();
          if (!path.empty()) seen(path.back().node, node);
          continue;
        }
        ++path.back().next;
        if (!follows(node, i)) continue;
        const size_t to = references_[node][i].first;
        if (known[to]) {
          seen(node, to);
        } else {
          known[to] = 1, path.push_back({to});
          entered(to);
        }
      }
    }
  }

 private:
  const References& references_;
  std::vector<size_t> number_;
};

}  // namespace

std::vector<Reference> references_of(const Descriptor& descriptor) {
  std::vector<Reference> out;
  std::vector<std::pair<const Descriptor*, int64_t>> open{{&descriptor, 0}};
  while (!open.empty()) {
    const auto [at, offset] = open.back();
    open.pop_back();
    using Kind = Descriptor::Kind;
    if (at->kind == Kind::Node) {
      out.push_back({at->node, offset});
      continue;
    }
    const bool is_anew =
        at->kind == Kind::Round || at->kind == Kind::Switch || (at->kind == Kind::ReplaceIndex && !at->replaces_x);
    const int64_t inner = is_anew ? 0 : at->kind == Kind::Offset ? offset + at->t : offset;
    for (size_t i = at->parts.size(); i-- > 0;) open.emplace_back(&at->parts[i], inner);
  }
  return out;
}

bool has_input(const Component& component) {
  return !is_one_of(component.type, {"DropoutMaskComponent", "ConstantComponent"});
}

NodeOrder node_order(const Network& network, const References& references) {
  NodeOrder out;
  Visit visit(references);
  out.cycle_of = visit.cycles();
  std::vector<char> state(references.size());  // 1: entered, 2: left
  visit.walk(
      [&](size_t node, size_t i) {
        const auto& [to, offset] = references[node][i];
        return !out.is_state(node, to, offset);
      },
      [&](size_t node) { state[node] = 1; },
      [&](size_t, size_t to) {
        if (state[to] == 2) return;
        throw Error(
            Code::CyclicGraph,
            msg("node \"", printable(network.nodes[to].name), "\" needs itself at the same frame, or at a later one"),
            network.nodes[to].place, "only earlier frames can be read: by Offset with a negative number");
      },
      [&](size_t node) {
        state[node] = 2;
        out.nodes.push_back(node);
      });
  return out;
}

}  // namespace mo::kaldi
