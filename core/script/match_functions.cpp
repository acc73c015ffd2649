// The extension table: patterns. Declared in wasm/extension/core/core-table.ts.
#include <algorithm>

#include "core/graph/pattern.h"
#include "core/ops/former_names.h"
#include "core/script/table.h"
#include "core/script/values.h"

namespace mo::js {
namespace {

Pattern::Condition condition(const std::string& key, const val& wanted, const val& predicate) {
  if (!wanted.isNumber()) {
    Attribute literal = to_attribute(wanted, nullptr);
    const std::string* op = key == "op" ? std::get_if<std::string>(&literal) : nullptr;
    const std::vector<std::string_view> others = op ? ops_called_before(*op) : std::vector<std::string_view>();
    if (others.empty()) return Pattern::Condition(std::move(literal));
    return Pattern::Predicate([op = *op, others](const Attribute* found, const PatternNode&) {
      const std::string* name = found ? std::get_if<std::string>(found) : nullptr;
      return name && (*name == op || std::find(others.begin(), others.end(), *name) != others.end());
    });
  }
  const int index = wanted.as<int>();
  return Pattern::Predicate([predicate, index](const Attribute*, const PatternNode& node) {
    return predicate(index, node.node->id(), node.output).as<bool>();
  });
}

std::optional<int> port(const val& number) {
  const int index = number.as<int>();
  return index < 0 ? std::nullopt : std::optional<int>(index);
}

Pattern to_pattern(const val& record, const val& predicate) {
  Pattern pattern;
  for (const val& row : list_of<val>(record["nodes"])) {
    Pattern::Vertex vertex{row[0].as<std::string>()};
    for (const val& entry : list_of<val>(row[1])) {
      const std::string key = entry[0].as<std::string>();
      vertex.conditions.emplace_back(key, condition(key, entry[1], predicate));
    }
    pattern.nodes.push_back(std::move(vertex));
  }
  for (const val& row : list_of<val>(record["edges"]))
    pattern.edges.push_back({row[0].as<std::string>(), row[1].as<std::string>(), port(row[2]), port(row[3])});
  return pattern;
}

/// `predicate` must not throw.
val matches(int g, val record, val predicate) {
  return guarded_val([&] {
    std::vector<int> out;
    const Pattern pattern = to_pattern(record, predicate);
    for (const Match& match : find_matches(state().graph(g), pattern, state().stage(g) >= Stage::Middle))
      for (const PatternNode& node : match.nodes()) out.push_back(node.node->id()), out.push_back(node.output);
    return to_numbers(out);
  });
}

const SubgraphMatch& current_match() {
  if (!state().match) throw Error(Code::NoSuchNode, "the match is of a transformation that is over");
  return *state().match;
}

double match_output(int port) {
  return guarded(static_cast<double>(NAN), [&] {
    const OutPort output = current_match().output_node(port);
    return join(output.node(), output.index());
  });
}

int match_node(std::string pattern) {
  return guarded(kPending, [&] {
    const Node* node = current_match().node_by_pattern(pattern);
    return node ? node->id() : -1;
  });
}

}  // namespace

void add_match_functions(Table& table) {
  table.add<matches>("matches");
  table.add<match_output>("matchOutput");
  table.add<match_node>("matchNode");
}

}  // namespace mo::js
