// What --transformations_config says: a JSON list with one description for each transformation that it enables.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// Scope: nodes by the start of their names; Points: nodes between others; General: the transformation itself looks.
enum class MatchKind { Scope, Points, General };
std::string_view name_of(MatchKind kind);

/// {"node": …, "port": …}: a port of the one node of a sub-graph whose name matches.
struct PortPattern {
  std::string node;  ///< a NamePattern; relative to the scope when there is one
  int port = 0;
  bool operator==(const PortPattern& other) const { return node == other.node && port == other.port; }
  bool operator<(const PortPattern& other) const { return node != other.node ? node < other.node : port < other.port; }
};
/// One list for each tensor that enters a sub-graph: the ports that consume it.
using InputPatterns = std::vector<std::vector<PortPattern>>;
/// One for each tensor that leaves it: the port that makes it.
using OutputPatterns = std::vector<PortPattern>;

struct CustomAttributes {
  std::string json = "{}";  ///< the object as it was written, keys in their order
  Attributes values;        ///< booleans, numbers, strings, and lists of numbers or of strings, by their JSON types
  Strings nested;           ///< keys of the rest, which only `json` has
};

struct ReplacementDescription {
  std::string id;  ///< the replacement_id of its class
  MatchKind kind = MatchKind::General;
  Strings scopes;                                      ///< Scope: patterns, one for each sub-graph
  Strings start_points, end_points;                    ///< Points: names of nodes, each once
  bool include_inputs = true, include_outputs = true;  ///< Points: false leaves out the points themselves
  std::optional<InputPatterns> inputs;
  std::optional<OutputPatterns> outputs;
  std::string op;  ///< when given, each sub-graph is replaced by one node of that op
  CustomAttributes custom_attributes;
};

/// Throws what is wrong with the text as a whole (ConfigNotJson with line and column, ConfigNotAList) or with an entry,
/// naming it (BadConfigEntry, ConfigWithoutId, ConfigDuplicateId, ConfigWithoutMatchKind, UnknownMatchKind,
/// PointsWithoutInstances, PointsNotAnObject, ScopeWithoutInstances, BadNamePattern).
std::vector<ReplacementDescription> parse_transformations_config(std::string_view json_text);

struct TransformationsConfig {
  std::string json_text;
  std::vector<ReplacementDescription> descriptions;
  /// By description: whether a transformation has read it. The transformations do not know each other, and what none
  /// of them has read is told at the end of the front phase.
  mutable std::vector<bool> read;

  /// The description of that id, which counts as read from now on; null when there is none.
  const ReplacementDescription* take(std::string_view id) const;
};

/// Parses the text into the model, whose framework has to be known already. Warns of keys that should not be used, and
/// leaves the model as it is, with a warning, when its framework has no such transformations. Throws as the parser
/// does.
void set_transformations_config(Model& model, std::string_view json_text);

/// The configuration's text with `inputs` and `outputs` of each scope and points entry as the graph has them; all other
/// keys stay, in their order. Throws NothingMatched, BadSubgraph where instances of an entry differ in their ports, and
/// what matching throws.
std::string updated_config(Graph& graph, const TransformationsConfig& config);

/// The JSON part of it: `ports` has an element for each entry, empty ones leave theirs as it is.
struct SubgraphPorts {
  InputPatterns inputs;
  OutputPatterns outputs;
};
std::string config_with_ports(std::string_view json_text, const std::vector<std::optional<SubgraphPorts>>& ports);

}  // namespace mo
