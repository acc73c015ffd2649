// Patterns: small graphs that are searched for in a graph.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// A node that a vertex matches: an operation, or the tensor at one of its outputs ("data node").
struct PatternNode {
  Node* node = nullptr;
  int output = -1;  ///< -1: the operation itself

  bool is_data() const { return output >= 0; }
  bool operator==(const PatternNode& other) const { return node == other.node && output == other.output; }
};

/// The attribute as conditions of patterns see it, or null when it is absent. Operations have their own attributes and
/// op, name, id, kind ("op") and type (of the IR). Tensors have kind ("data"), name, id, and shape, value and data_type
/// as far as these are known. `made` stores an attribute that exists nowhere else.
const Attribute* find_attribute(const PatternNode& node, std::string_view key, Attribute& made);

/// Whether a literal equals an attribute: flags and numbers by value, strings exactly, lists (and static shapes)
/// element by element, element types also by their IR names. Constants are equal if they are the same slice of a file,
/// or owned with the same bytes; no file is read.
bool same_value(const Attribute& a, const Attribute& b);

struct Pattern {
  /// Receives the attribute, or null when it is absent. May be called several times for one node, or not at all.
  using Predicate = std::function<bool(const Attribute*, const PatternNode&)>;

  /// A literal or a predicate. An absent attribute equals only the literal null (std::monostate).
  class Condition {
   public:
    template <typename T, typename = std::enable_if_t<!std::is_same_v<std::decay_t<T>, Condition>>>
    Condition(T&& value) {  // NOLINT: patterns are written with plain values
      if constexpr (std::is_invocable_r_v<bool, T, const Attribute*, const PatternNode&>) {
        predicate_ = std::forward<T>(value);
      } else if constexpr (std::is_integral_v<std::decay_t<T>> && !std::is_same_v<std::decay_t<T>, bool>) {
        literal_ = static_cast<int64_t>(value);
      } else {
        literal_ = Attribute(std::forward<T>(value));
      }
    }
    const Predicate& predicate() const { return predicate_; }  ///< empty: compare with the literal
    const Attribute& literal() const { return literal_; }
    bool holds(const Attribute* attribute, const PatternNode& node) const;

   private:
    Predicate predicate_;
    Attribute literal_;
  };
  /// Without a condition on `kind` it matches operations and tensors.
  struct Vertex {
    std::string alias;
    std::vector<std::pair<std::string, Condition>> conditions = {};
  };
  /// Between operations an edge has the numbers of both ports; from an operation to a tensor only `out`, from a tensor
  /// to an operation only `in`. An edge without a number accepts any port.
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
  /// All three throw UnknownAlias when the pattern does not have the alias. op() and tensor() also throw it when the
  /// vertex is of the other kind.
  const PatternNode& operator[](std::string_view alias) const;
  Node& op(std::string_view alias) const;
  OutPort tensor(std::string_view alias) const;

 private:
  std::shared_ptr<const Strings> aliases_;
  std::vector<PatternNode> nodes_;
};

/// All places where the pattern is an induced sub-graph: between two matched nodes there are exactly the pattern's
/// edges, counting parallel edges and self-loops. With `with_data` every used output is a data node, and edges join
/// operations with data nodes only. Without it edges join operations. Control flow does not count.
///
/// Matches are ordered by their nodes' ids, alias by alias in the pattern's order. Of several matches of the same nodes
/// the first is kept. An edge with an unknown alias is ignored with a warning. Throws BadPattern when the pattern has
/// too many vertices or an alias twice, and when the number of matches exceeds both kMaxMatches and the number of
/// nodes. `steps`, if given, receives the number of nodes tried.
std::vector<Match> find_matches(Graph& graph, const Pattern& pattern, bool with_data = false,
                                uint64_t* steps = nullptr);
inline constexpr size_t kMaxMatches = 250000;

/// Finds all matches and then calls `action` for each. Matches with a node that an earlier call removed are skipped;
/// one warning gives their number.
void for_each_match(Graph& graph, const Pattern& pattern, bool with_data,
                    const std::function<void(const Match&)>& action);

}  // namespace mo
