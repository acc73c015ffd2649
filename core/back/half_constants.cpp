#include "core/back/half_constants.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/back/weights/weight_table.h"

namespace mo {
namespace {

/// Inputs that give shapes, indices or counts, which must stay precise.
const std::map<std::string_view, std::set<int>> kShapeInputs = {
    {"Reshape", {1}},
    {"Broadcast", {1, 2}},
    {"Interpolate", {1, 2, 3}},
    {"Range", {0, 1, 2}},
    {"Tile", {1}},
    {"Slice", {1, 2, 3}},
    {"StridedSlice", {1, 2, 3}},
    {"TopK", {1}},
    {"OneHot", {1}},
    {"Pad", {1, 2}},
    {"Split", {1}},
    {"VariadicSplit", {1, 2}},
    {"Squeeze", {1}},
    {"Unsqueeze", {1}},
    {"Transpose", {1}},
    {"NonMaxSuppression", {2, 3, 4, 5}},
};

/// The graph has FakeQuantize, or integer weights that are converted at run time.
bool is_quantised(Graph& graph) {
  const auto is_widened = [](const Node* cast) {
    return cast->source(0) && cast->source(0).node().op() == "Const" && cast->get_bool("stop_value_propagation") &&
           is_integer(cast->source(0).tensor().type);
  };
  const std::vector<Node*> casts = graph.nodes("Cast");
  return !graph.nodes("FakeQuantize").empty() || std::any_of(casts.begin(), casts.end(), is_widened);
}

/// Ids of all nodes on which a shape input depends.
std::set<int> shape_path(Graph& graph) {
  std::set<int> marked;
  std::vector<Node*> open;
  const auto mark = [&](OutPort source) {
    if (source && source.node().op() != "ShapeOf" && marked.insert(source.node().id()).second)
      open.push_back(&source.node());
  };
  for (const auto& [op, inputs] : kShapeInputs)
    for (Node* node : graph.nodes(op))
      for (const int i : inputs) mark(node->source(i));
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    for (int i = 0; i < node->in_count(); ++i) mark(node->source(i));
  }
  return marked;
}

}  // namespace

std::vector<Node*> half_constants(Graph& graph) {
  if (is_quantised(graph) || has_small_weights(graph.model())) return {};
  const std::set<int> kept = shape_path(graph);
  std::vector<Node*> found;
  for (Node* node : graph.nodes("Const")) {
    const ElementType type = node->get_constant("value")->type;
    const bool wide = type == ElementType::F32 || type == ElementType::F64;
    if (wide && !node->get_bool("precise") && !kept.count(node->id())) found.push_back(node);
  }
  return found;
}

}  // namespace mo
