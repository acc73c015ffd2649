// Patterns: small graphs that are looked for in a graph, vertex by vertex and edge by edge.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// What a vertex of a pattern stands for: an operation, or the tensor at one of its outputs ("data node").
struct PatternNode {
  Node* node = nullptr;
  int output = -1;  ///< -1: the operation itself

  bool is_data() const { return output >= 0; }
  bool operator==(const PatternNode& other) const { return node == other.node && output == other.output; }
};

/// The attribute that conditions of patterns see, or null when it is absent. Operations have their own attributes and
/// op, name, id, kind ("op") and type (of the IR); tensors have kind ("data"), name, id, shape, value and data_type,
/// the last three as far as they are known. What is not stored anywhere is put into `made`.
const Attribute* find_attribute(const PatternNode& node, std::string_view key, Attribute& made);

/// Whether a literal means the same as an attribute: flags and numbers by value, strings exactly, lists (and static
/// shapes) element by element, element types also by their IR names. Constants are equal if they are one slice of a
/// file or are owned and have the same bytes; no file is read.
bool same_value(const Attribute& a, const Attribute& b);

struct Pattern {
  /// Gets the attribute, or null when it is absent. May be called several times for one node, or not at all.
  using Predicate = std::function<bool(const Attribute*, const PatternNode&)>;

  /// A literal to equal or a predicate. An absent attribute equals only the literal null (std::monostate).
  class Condition {
   public:
    template <typename T, typename = std::enable_if_t<!std::is_same_v<std::decay_t<T>, Condition>>>
    Condition(T&& value) {  // NOLINT: what it is made from stands for it in a pattern
      if constexpr (std::is_invocable_r_v<bool, T, const Attribute*, const PatternNode&>) {
        predicate_ = std::forward<T>(value);
      } else if constexpr (std::is_integral_v<std::decay_t<T>> && !std::is_same_v<std::decay_t<T>, bool>) {
        literal_ = static_cast<int64_t>(value);
      } else {
        literal_ = Attribute(std::forward<T>(value));
      }
    }
    const Predicate& predicate() const { return predicate_; }  ///< empty: the literal counts
    const Attribute& literal() const { return literal_; }
    bool holds(const Attribute* attribute, const PatternNode& node) const;

   private:
    Predicate predicate_;
    Attribute literal_;
  };
  /// Without a condition on `kind` it stands for operations and tensors alike.
  struct Vertex {
    std::string alias;
    std::vector<std::pair<std::string, Condition>> conditions = {};
  };
  /// Between operations an edge has the numbers of both ports; from an operation to a tensor only `out`, from a tensor
  /// to an operation only `in`. An edge names those that matter.
  struct Edge {
    std::string from, to;
    std::optional<int> in = {}, out = {};
  };

  std::vector<Vertex> nodes;  ///< at most kMaxNodes, with different aliases
  std::vector<Edge> edges;

  static constexpr size_t kMaxNodes = 64;
};

/// One place where a pattern was found.
class Match {
 public:
  Match(std::shared_ptr<const Strings> aliases, std::vector<PatternNode> nodes)
      : aliases_(std::move(aliases)), nodes_(std::move(nodes)) {}

  /// In the order of the pattern's vertices.
  const Strings& aliases() const { return *aliases_; }
  const std::vector<PatternNode>& nodes() const { return nodes_; }
  size_t size() const { return nodes_.size(); }
  bool has(std::string_view alias) const;
  /// All three throw UnknownAlias for an alias that the pattern does not have, op() and tensor() also for one that
  /// stands for the other kind.
  const PatternNode& operator[](std::string_view alias) const;
  Node& op(std::string_view alias) const;
  OutPort tensor(std::string_view alias) const;

 private:
  std::shared_ptr<const Strings> aliases_;
  std::vector<PatternNode> nodes_;
};

/// All places where the graph has the pattern as an induced sub-graph: between two matched nodes there are exactly the
/// pattern's edges, parallel ones and self-loops counted. With `with_data` the graph has a data node for every output
/// that is used, and edges join operations with data nodes only; without it edges join operations. Control flow does
/// not count.
///
/// Matches are ordered by their nodes' ids, alias by alias in the pattern's order. Of several matches of the same nodes
/// the first counts. An edge that names an unknown alias is ignored with a warning. Throws BadPattern when the pattern
/// has too many vertices or an alias twice, and when it is found in more than kMaxMatches places that are also more
/// than the graph has nodes. `steps`, if given, is told how many nodes were tried.
std::vector<Match> find_matches(Graph& graph, const Pattern& pattern, bool with_data = false,
                                uint64_t* steps = nullptr);
inline constexpr size_t kMaxMatches = 250000;

/// Finds all matches and then calls `action` for each, except for those of which an earlier call has removed a node:
/// they are counted in one warning.
void for_each_match(Graph& graph, const Pattern& pattern, bool with_data,
                    const std::function<void(const Match&)>& action);

}  // namespace mo
