// The places of a model that --input and --output can name, for a list to choose from.

#include "core/pipeline/place_list.h"

#include <unordered_map>

#include "core/base/json_text.h"
#include "core/graph/framework_node.h"

namespace mo {
namespace {

/// Numbers operations in the order of their first occurrence: most nodes have one of a few operations.
class OpNumbers {
 public:
  size_t of(const FrameworkNode& node) {
    std::string op = node.domain.empty() ? node.op : cat(node.domain, ".", node.op);
    const auto [entry, is_new] = numbers_.try_emplace(std::move(op), numbers_.size());
    if (is_new) separate(list_, json_text(entry->first));
    return entry->second;
  }
  const std::string& list() const { return list_; }

 private:
  std::unordered_map<std::string, size_t> numbers_;
  std::string list_ = "[";
};

/// The numbers of inputs that may become inputs of the model: those that read something else than a constant.
void add_inputs(std::string& out, const Node& node) {
  separate(out, "[");
  for (int i = 0; i < node.in_count(); ++i)
    if (const OutPort source = node.source(i); source && source.node().op() != "Const")
      separate(out, std::to_string(i));
  out += ']';
}

void add_outputs(std::string& out, Node& node) {
  separate(out, "[");
  for (int i = 0; i < node.out_count(); ++i) {
    separate(out, "[");
    if (node.has_out_port(i))
      for (const std::string& name : node.out(i).tensor().names) separate(out, json_text(name));
    out += ']';
  }
  out += ']';
}

}  // namespace

std::string place_list(const Graph& graph) {
  OpNumbers ops;
  std::string nodes = "[";
  for (Node* node : graph.nodes()) {
    if (!node->pb || node->op() == "Const" || node->op() == "Parameter") continue;
    separate(nodes, "["), nodes += json_text(node->name());
    separate(nodes, std::to_string(ops.of(*node->pb)));
    add_inputs(nodes, *node);
    add_outputs(nodes, *node);
    nodes += ']';
  }
  return cat("{\"ops\":", ops.list(), "],\"nodes\":", nodes, "]}");
}

}  // namespace mo
