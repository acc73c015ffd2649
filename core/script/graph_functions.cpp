// The extension table: graphs, nodes and their attributes. Declared in wasm/extension/core/core-table.ts.
#include <algorithm>

#include "core/base/text.h"
#include "core/graph/framework_node.h"
#include "core/layout/permute_attributes.h"
#include "core/ops/contract.h"
#include "core/ops/former_names.h"
#include "core/ops/op_def.h"
#include "core/script/callbacks.h"
#include "core/script/table.h"
#include "core/script/values.h"

namespace mo::js {
namespace {

/// Incremented with every change of a declaration in core-table.ts.
constexpr int kTableVersion = 5;
int extension_table() { return kTableVersion; }

val take_error() { return to_js(std::exchange(state().error, {})); }

std::string text_of(int number) { return state().text(number); }

val ids_of(const std::vector<Node*>& nodes) {
  std::vector<int> ids;
  ids.reserve(nodes.size());
  for (const Node* node : nodes) ids.push_back(node->id());
  return to_numbers(ids);
}

val graph_facts(int g) {
  return guarded_val([&] {
    const Model& model = state().graph(g).model();
    val out = val::object();
    out.set("framework", model.framework);
    out.set("layout", std::string(model.layout == DataLayout::Nhwc ? "NHWC" : "NCHW"));
    out.set("options", to_js(model.options));
    return out;
  });
}

int graph_phase(int g) {
  return guarded(kPending, [&] { return static_cast<int>(state().stage(g)); });
}
val node_ids(int g) {
  return guarded_val([&] { return ids_of(state().graph(g).nodes()); });
}
val op_node_ids(int g, std::string op) {
  return guarded_val([&] {
    const Graph& graph = state().graph(g);
    std::vector<Node*> nodes = graph.nodes(op);
    for (const std::string_view now : ops_called_before(op))
      for (Node* node : graph.nodes(now)) nodes.push_back(node);
    std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->id() < b->id(); });
    return ids_of(nodes);
  });
}
val topological_order(int g) {
  return guarded_val([&] { return ids_of(state().graph(g).topological_order()); });
}
int find_node(int g, std::string key) {
  return guarded(kPending, [&] {
    const Node* node = state().graph(g).find(key);
    return node ? node->id() : -1;
  });
}
int add_node(int g, std::string op, std::string name, bool exact) {
  return guarded(kPending, [&] {
    Graph& graph = state().graph(g);
    const std::string now(current_op(op));
    Node& node = exact ? graph.add_node_with_key(now, name) : graph.add_node(now, name);
    if (state().stage(g) >= Stage::Middle) node.require_shape_inference();
    return node.id();
  });
}
int remove_node(int g, int n) {
  return guarded_action([&] { state().graph(g).remove(state().node(g, n)); });
}
int clean_up(int g) {
  return guarded_action([&] { state().graph(g).clean_up(); });
}
int rename_nodes(int g, val ids, val names) {
  return guarded_action([&] {
    const auto numbers = list_of<int>(ids);
    const auto texts = list_of<std::string>(names);
    std::vector<std::pair<Node*, std::string>> pairs;
    for (size_t i = 0; i < numbers.size() && i < texts.size(); ++i)
      pairs.emplace_back(&state().node(g, numbers[i]), texts[i]);
    state().graph(g).rename_nodes(pairs);
  });
}

bool node_exists(int g, int n) {
  return guarded(false, [&] { return !state().graph(g).node(n).removed(); });
}
int node_op(int g, int n) {
  return guarded(kPending, [&] { return state().text_number(state().node(g, n).op()); });
}
int set_node_op(int g, int n, std::string op) {
  return guarded_action([&] { state().node(g, n).set_op(std::string(current_op(op))); });
}
val node_name(int g, int n) {
  return guarded_val([&] { return val(state().node(g, n).name()); });
}
int set_node_name(int g, int n, std::string name) {
  return guarded_action([&] { state().node(g, n).set_name(std::move(name)); });
}
val node_key(int g, int n) {
  return guarded_val([&] { return val(state().node(g, n).key()); });
}

val attribute(int g, int n, std::string key) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    const Attribute* found = node.attributes.find(node.has(key) ? key : current_attribute(node, key));
    if (found) return to_record(*found);
    return key == "dim_attrs" ? to_record(Attribute(dim_attributes(node))) : val::null();
  });
}
val attribute_keys(int g, int n) {
  return guarded_val([&] {
    std::vector<std::string> keys;
    for (const auto& entry : state().node(g, n).attributes) keys.push_back(entry.first);
    return to_js(keys);
  });
}
int set_attribute(int g, int n, std::string key, val record) {
  return guarded_action([&] {
    Node& node = state().node(g, n);
    const std::string_view name = settle_attribute(node, key);
    Attribute value = to_attribute(record, node.attributes.find(name));
    require_body(node, value);
    node.set(name, std::move(value));
    if (state().stage(g) >= Stage::Middle && state().inferring == 0) node.require_shape_inference();
  });
}
int delete_attribute(int g, int n, std::string key) {
  return guarded_action([&] {
    Node& node = state().node(g, n);
    node.attributes.erase(node.has(key) ? key : current_attribute(node, key));
  });
}

int needs_inference(int g, int n) {
  return guarded(kPending, [&] { return state().node(g, n).needs_shape_inference() ? 1 : 0; });
}
int require_inference(int g, int n, bool required) {
  return guarded_action([&] {
    Node& node = state().node(g, n);
    required ? node.require_shape_inference() : node.shape_inference_done();
  });
}
int infer_one(int g, int n) {
  return guarded_action([&] { infer_node(state().node(g, n)); });
}
val node_definition(int g, int n) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    const OpDef* definition = node.definition();
    std::vector<std::string> out(2);
    if (definition) {
      const std::string_view version = definition->version_of ? definition->version_of(node) : definition->version;
      out = {std::string(definition->type), std::string(version)};
    }
    return to_js(out);
  });
}
void push_pair(val& list, const std::string& name, const auto& value) {
  val pair = val::array();
  pair.call<void>("push", name, value);
  list.call<void>("push", pair);
}

/// What the IR holds of a node of a built-in operation. Its own functions, which may ask for this, are not called.
val ir_attributes(int g, int n) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    const OpDef* built_in = find_op(node.op());
    val out = val::array();
    if (!built_in) return val::null();
    IrAttributes attributes;
    if (built_in->ir_attributes) built_in->ir_attributes(node, attributes);
    for (const auto& [name, value] : attributes.entries()) push_pair(out, name, value);
    return out;
  });
}
bool is_operation(std::string op) { return find_op(current_op(op)) || find_contract(current_op(op)); }
int inputs_of(std::string op) { return most_inputs(current_op(op)); }
val defaults_of(std::string op) {
  return guarded_val([&] {
    val out = val::array();
    for (const auto& [name, value] : default_attributes(current_op(op))) push_pair(out, name, to_record(value));
    return out;
  });
}

val framework_node(int g, int n) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    if (!node.pb) return val::null();
    const FrameworkMessage& message = state().framework_message(node);
    std::vector<std::string> names;
    for (const auto& entry : message.attributes) names.push_back(entry.first);
    val out = val::object();
    out.set("name", message.name);
    out.set("opType", node.pb->op);
    out.set("domain", node.pb->domain);
    out.set("framework", std::string(node.pb->format->framework));
    out.set("attributes", to_js(names));
    return out;
  });
}
val framework_attribute(int g, int n, std::string name) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    const Attribute* found = node.pb ? state().framework_message(node).attributes.find(name) : nullptr;
    return found ? to_record(*found) : val::null();
  });
}
/// The field at a path of the message: an attribute's record, ["message", the fields it has], ["messages", how many].
val field_record(const proto::Found& found) {
  if (found.messages.empty() && !found.values.empty()) return to_record(attribute_of(found));
  val out = val::array();
  if (found.is_list)
    out.call<void>("push", std::string("messages"), static_cast<double>(found.messages.size()));
  else
    out.call<void>("push", std::string("message"), to_js(found.messages.at(0).names()));
  return out;
}
val framework_field(int g, int n, std::string path) {
  return guarded_val([&] {
    const Node& node = state().node(g, n);
    const auto found = node.pb ? proto::find_field(node.pb->format->message(node), path) : std::nullopt;
    return found ? field_record(*found) : val::null();
  });
}

void warn(std::string text, std::string node, std::string file) {
  guarded_action([&] {
    state().model().diagnostics.warn(Code::ExtensionWarns, text, {.node = std::move(node), .file = std::move(file)});
  });
}

int own_functions(int g, int n, bool infers, bool infers_types, bool writes, val type, val version) {
  return guarded_action([&] {
    const auto given = [](const val& text) {
      return text.isUndefined() ? std::nullopt : std::optional(text.as<std::string>());
    };
    set_own_definition(g, n, {infers, infers_types, writes, given(type), given(version)});
  });
}

}  // namespace

void add_graph_functions(Table& table) {
  table.add<extension_table>("extensionTable");
  table.add<take_error>("takeError");
  table.add<text_of>("textOf");
  table.add<graph_facts>("graphFacts");
  table.add<graph_phase>("graphPhase");
  table.add<node_ids>("nodeIds");
  table.add<op_node_ids>("opNodeIds");
  table.add<topological_order>("topologicalOrder");
  table.add<find_node>("findNode");
  table.add<add_node>("addNode");
  table.add<remove_node>("removeNode");
  table.add<clean_up>("cleanUp");
  table.add<rename_nodes>("renameNodes");
  table.add<node_exists>("nodeExists");
  table.add<node_op>("nodeOp");
  table.add<set_node_op>("setNodeOp");
  table.add<node_name>("nodeName");
  table.add<set_node_name>("setNodeName");
  table.add<node_key>("nodeKey");
  table.add<attribute>("attribute");
  table.add<attribute_keys>("attributeKeys");
  table.add<set_attribute>("setAttribute");
  table.add<delete_attribute>("deleteAttribute");
  table.add<needs_inference>("needsInference");
  table.add<require_inference>("requireInference");
  table.add<infer_one>("inferNode");
  table.add<node_definition>("nodeDefinition");
  table.add<own_functions>("setOwnFunctions");
  table.add<ir_attributes>("irAttributes");
  table.add<is_operation>("isOperation");
  table.add<inputs_of>("mostInputs");
  table.add<defaults_of>("operationDefaults");
  table.add<framework_node>("frameworkNode");
  table.add<framework_attribute>("frameworkAttribute");
  table.add<framework_field>("frameworkField");
  table.add<warn>("warn");
}

}  // namespace mo::js
