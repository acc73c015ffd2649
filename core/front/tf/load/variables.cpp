#include "core/front/tf/load/variables.h"

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/front/tf/load/restored.h"

namespace mo::tf {
namespace {

bool is_variable(std::string_view op) { return op == "VarHandleOp" || op == "VariableV2" || op == "Variable"; }

/// The tensor in front of operations that only pass it on.
OutPort origin_of(OutPort port) {
  for (int way = 0; port && way < 1000; ++way) {
    const std::string& op = port.node().op();
    if (op != "Identity" && op != "Cast" && op != "IdentityN") break;
    port = port.node().source(op == "IdentityN" ? port.index() : 0);
  }
  return port;
}

/// What is restored to each variable, by the id of its node.
std::map<int, Restored> restored_variables(const Graph& graph) {
  std::map<int, Restored> out;
  for (Node* assign : graph.nodes("AssignVariableOp")) {
    const OutPort variable = origin_of(assign->source(0));
    if (auto restored = restored_by(origin_of(assign->source(1))); restored && variable)
      out.emplace(variable.node().id(), std::move(*restored));
  }
  return out;
}

Constant slice_of(Constant whole, const std::string& text) {
  if (text.empty()) return whole;
  const std::vector<std::string> ranges = split(text.substr(text.rfind(' ') + 1), ':');
  for (size_t axis = 0; axis < ranges.size() && axis < whole.shape.size(); ++axis) {
    if (ranges[axis] == "-") continue;
    const size_t comma = ranges[axis].find(',');
    const auto start = parse_int(ranges[axis].substr(0, comma));
    const auto length = comma == std::string::npos ? std::nullopt : parse_int(ranges[axis].substr(comma + 1));
    if (!start || !length || *start < 0 || *length < 0 || *start > whole.shape[axis] - *length)
      throw Error(Code::CorruptFile, msg("a slice ", printable(text)));
    whole = slice(whole, axis, *start, *start + *length);
  }
  return whole;
}

std::string own_key(const Node& node) {
  const std::string name = node.get_string("shared_name");
  return name.empty() ? node.name() : name;
}

/// Opens the checkpoint. If it cannot be read, reports the reason once, at the first variable, and returns false.
bool is_open(Checkpoint& checkpoint, const Node& first, Diagnostics& diagnostics) {
  try {
    const std::vector<std::string> missing = checkpoint.open();
    for (const std::string& file : missing)
      diagnostics.add(Error(Code::MissingDataFile, printable(file), {.node = first.name(), .file = file}));
    return missing.empty();
  } catch (Error& error) {
    diagnostics.add(error.placed({.node = first.name()}));
    return false;
  }
}

}  // namespace

bool has_variables(const Graph& graph) {
  const std::vector<Node*> nodes = graph.nodes();
  return std::any_of(nodes.begin(), nodes.end(), [](const Node* node) { return is_variable(node->op()); });
}

void freeze_variables(Graph& graph, Checkpoint* checkpoint, Diagnostics& diagnostics) {
  const std::map<int, Restored> restored = restored_variables(graph);
  graph.clean_up();
  std::vector<Node*> variables = graph.nodes();
  std::erase_if(variables, [](const Node* node) { return !is_variable(node->op()); });
  if (checkpoint && !variables.empty() && !is_open(*checkpoint, *variables[0], diagnostics)) return;
  for (Node* node : variables) {
    const auto found = restored.find(node->id());
    const Restored from = found == restored.end() ? Restored{own_key(*node), {}} : found->second;
    try {
      const auto whole = checkpoint ? checkpoint->find(from.key) : std::nullopt;
      if (!whole) throw Error(Code::NoVariable, printable(from.key), node->place());
      const Constant value = slice_of(*whole, from.slice);
      const bool is_reference = node->op() != "VarHandleOp";
      const PartialShape* shape = node->attributes.get_if<PartialShape>("shape");
      // keep_states() needs the others.
      node->attributes = Attributes{{"value", value},
                                    {"variable", own_key(*node)},
                                    {"variable_key", from.key},
                                    {"variable_shape", shape ? *shape : PartialShape()}};
      if (is_reference) node->set("is_reference", true);
      node->pb.reset();
      node->set_op("Const");
    } catch (Error& error) {
      diagnostics.add(error.placed({.node = node->name()}));
    }
  }
}

}  // namespace mo::tf
