#include "core/front/tf/load/tables.h"

#include <algorithm>
#include <map>

#include "core/front/common/inputs.h"
#include "core/front/tf/load/restored.h"
#include "core/graph/body.h"

namespace mo::tf {
namespace {

constexpr std::string_view kReaders[] = {"LookupTableFindV2", "LookupTableSizeV2"};
constexpr std::string_view kFillers[] = {"LookupTableImportV2", "InitializeTableV2"};

/// The owner's input for a Parameter of a loop or branch, as they are loaded; empty for an input of the model.
OutPort source_of(const Node& parameter) {
  const Graph& body = parameter.graph();
  const Node* owner = body.owner();
  if (!owner) return {};
  const auto at = std::find(body.parameters.begin(), body.parameters.end(), &parameter) - body.parameters.begin();
  const bool is_branch = owner->get_graph(kBranches[0]) != nullptr;  // input 0 chooses
  return owner->source(static_cast<int>(at) + is_branch);
}

/// The operation that makes a tensor, outside of all loops and branches that only pass it on.
OutPort made_by(OutPort port) {
  for (;;) {
    port = behind_identities(port);
    if (!port || port.node().op() != "Parameter") return port;
    const OutPort outside = source_of(port.node());
    if (!outside) return port;
    port = outside;
  }
}

class Tables {
 public:
  Tables(Graph& graph, Checkpoint* checkpoint) : graph_(graph), checkpoint_(checkpoint) {
    for (const std::string_view op : kFillers)
      for (Node* node : graph.nodes(op))
        if (const OutPort table = made_by(node->source(0))) fillers_[table.node().id()].push_back(node);
  }

  void give_to(Node& reader) {
    const OutPort table = made_by(reader.source(0));
    if (!table || &table.node().graph() != &graph_) return;
    const std::string name = table.node().get_string("shared_name");
    reader.set("table", name.empty() ? table.node().name() : name);
    if (table.node().op().find("Dense") != std::string::npos) reader.set("is_dense", true);
    const auto found = fillers_.find(table.node().id());
    if (found == fillers_.end() || found->second.size() != 1) return;
    const std::optional<Constant> keys = value_of(*found->second[0], 1), values = value_of(*found->second[0], 2);
    if (!keys || !values || keys->type == ElementType::String || values->type == ElementType::String) return;
    reader.set("keys_tensor", *keys);
    reader.set("values_tensor", *values);
    std::vector<OutPort> others;
    for (int i = 1; i < reader.in_count(); ++i) others.push_back(reader.source(i));
    set_inputs(reader, others);
  }

 private:
  std::optional<Constant> value_of(const Node& filler, int input) {
    const OutPort port = made_by(filler.source(input));
    if (!port) return std::nullopt;
    if (const Constant* value = port.node().get_constant("value")) return *value;
    const std::optional<Restored> restored = restored_by(port);
    if (!restored || !checkpoint_ || !checkpoint_->open().empty()) return std::nullopt;
    return checkpoint_->find(restored->key);
  }

  Graph& graph_;
  Checkpoint* checkpoint_;
  std::map<int, std::vector<Node*>> fillers_;  ///< by the id of the table's node
};

}  // namespace

void freeze_tables(Graph& graph, Checkpoint* checkpoint, Diagnostics& diagnostics) {
  std::vector<Node*> readers;
  for_each_graph(graph, [&](Graph& each) {
    for (const std::string_view op : kReaders)
      for (Node* node : each.nodes(op)) readers.push_back(node);
  });
  if (readers.empty()) return;
  Tables tables(graph, checkpoint);
  for (Node* reader : readers) {
    try {
      tables.give_to(*reader);
    } catch (Error& error) {
      diagnostics.add(error.placed({.node = reader->name()}));
    }
  }
}

}  // namespace mo::tf
