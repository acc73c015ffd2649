// The content of --transformations_config: a JSON list with a description for each transformation that it enables.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// Scope: nodes whose names begin alike; Points: nodes between others; General: the transformation itself searches.
enum class MatchKind { Scope, Points, General };
std::string_view name_of(MatchKind kind);

/// {"node": …, "port": …}: a port of the only node of a sub-graph whose name matches.
struct PortPattern {
  std::string node;  ///< a NamePattern; relative to the scope if there is one
  int port = 0;
  bool operator==(const PortPattern& other) const { return node == other.node && port == other.port; }
  bool operator<(const PortPattern& other) const { return node != other.node ? node < other.node : port < other.port; }
};
/// For each tensor that enters a sub-graph, the ports that consume it.
using InputPatterns = std::vector<std::vector<PortPattern>>;
/// For each tensor that leaves it, the port that gives it.
using OutputPatterns = std::vector<PortPattern>;

struct CustomAttributes {
  std::string json = "{}";  ///< the object as written, with the same order of keys
  Attributes values;        ///< booleans, numbers, strings, and lists of numbers or of strings, by their JSON types
  Strings nested;           ///< keys of all other values, which `values` does not have
  std::map<std::string, std::vector<Ints>> lists;     ///< those of them that are lists of lists of whole numbers
  std::map<std::string, std::vector<Strings>> texts;  ///< those of them that are lists of lists of strings
};

struct ReplacementDescription {
  std::string id;  ///< the replacement_id of its class
  MatchKind kind = MatchKind::General;
  Strings scopes;                                      ///< Scope: one pattern for each sub-graph
  Strings start_points, end_points;                    ///< Points: names of nodes, without duplicates
  bool include_inputs = true, include_outputs = true;  ///< Points: false excludes the points themselves
  std::optional<InputPatterns> inputs;
  std::optional<OutputPatterns> outputs;
  std::string op;  ///< if given, each sub-graph is replaced by one node of that op
  CustomAttributes custom_attributes;
};

/// Throws errors of the whole text (ConfigNotJson with line and column, ConfigNotAList) or of a named entry
/// (BadConfigEntry, ConfigWithoutId, ConfigDuplicateId, ConfigWithoutMatchKind, UnknownMatchKind,
/// PointsWithoutInstances, PointsNotAnObject, ScopeWithoutInstances, BadNamePattern).
std::vector<ReplacementDescription> parse_transformations_config(std::string_view json_text);

struct TransformationsConfig {
  std::string json_text;
  std::vector<ReplacementDescription> descriptions;
  /// For each description, whether a transformation has read it. Descriptions that none has read are reported at the
  /// end of the front phase.
  mutable std::vector<bool> read;

  /// The description with that id, which is then marked as read; null if there is none.
  const ReplacementDescription* take(std::string_view id) const;
};

/// Parses the text and sets it in the model; the model's framework has to be known. Warns of keys that should not be
/// used. Throws ConfigNotForFramework if the framework has no such transformations, and what the parser throws.
void set_transformations_config(Model& model, std::string_view json_text);
/// Null without one.
const TransformationsConfig* transformations_config(const Model& model);

/// The text of the configuration with `inputs` and `outputs` of each scope and points entry set from the graph; all
/// other keys keep their values and order. Throws NothingMatched, BadSubgraph if instances of an entry differ in their
/// ports, and what matching throws.
std::string updated_config(Graph& graph, const TransformationsConfig& config);

/// The JSON part of updated_config(): `ports` has an element for each entry; an empty one leaves its entry unchanged.
struct SubgraphPorts {
  InputPatterns inputs;
  OutputPatterns outputs;
};
std::string config_with_ports(std::string_view json_text, const std::vector<std::optional<SubgraphPorts>>& ports);

}  // namespace mo
