// The extension table: graphs, nodes and their attributes. Declared in wasm/extension/core-table.ts.
#include "core/base/text.h"
#include "core/layout/permute_attributes.h"
#include "core/ops/op_def.h"
#include "wasm/extension_edge.h"
#include "wasm/extension_values.h"

namespace mo::js {
namespace {

/// Counts up with every change of a declaration in core-table.ts.
constexpr int kTableVersion = 1;
int extension_table() { return kTableVersion; }

val take_error() { return message_to_js(std::exchange(session().error, {})); }

std::string text_of(int number) { return session().text(number); }

val ids_of(const std::vector<Node*>& nodes) {
  std::vector<int> ids;
  ids.reserve(nodes.size());
  for (const Node* node : nodes) ids.push_back(node->id());
  return to_numbers(ids);
}

val graph_facts(int g) {
  return guarded_val([&] {
    const Model& model = session().graph(g).model();
    val options = val::array();
    for (const OptionText& option : model.options) {
      val row = val::array();
      row.call<void>("push", option.name, option.value);
      options.call<void>("push", row);
    }
    val out = val::object();
    out.set("framework", model.framework);
    out.set("layout", std::string(model.layout == DataLayout::Nhwc ? "NHWC" : "NCHW"));
    out.set("options", options);
    return out;
  });
}

int graph_phase(int g) {
  return guarded(kPending, [&] { return static_cast<int>(session().stage(g)); });
}
val node_ids(int g) {
  return guarded_val([&] { return ids_of(session().graph(g).nodes()); });
}
val op_node_ids(int g, std::string op) {
  return guarded_val([&] { return ids_of(session().graph(g).nodes(op)); });
}
val topological_order(int g) {
  return guarded_val([&] { return ids_of(session().graph(g).topological_order()); });
}
int find_node(int g, std::string key) {
  return guarded(kPending, [&] {
    const Node* node = session().graph(g).find(key);
    return node ? node->id() : -1;
  });
}
int add_node(int g, std::string op, std::string name, bool exact) {
  return guarded(kPending, [&] {
    Graph& graph = session().graph(g);
    if (exact && graph.find(name)) throw Error(Code::DuplicateNode, name);
    Node& node = graph.add_node(std::move(op), name);
    if (session().stage(g) >= Stage::Middle) node.require_shape_inference();
    return node.id();
  });
}
int remove_node(int g, int n) {
  return guarded_action([&] { session().graph(g).remove(session().node(g, n)); });
}
int clean_up(int g) {
  return guarded_action([&] { session().graph(g).clean_up(); });
}
int rename_nodes(int g, val ids, val names) {
  return guarded_action([&] {
    const auto numbers = emscripten::vecFromJSArray<int>(ids);
    const auto texts = emscripten::vecFromJSArray<std::string>(names);
    std::vector<std::pair<Node*, std::string>> pairs;
    for (size_t i = 0; i < numbers.size() && i < texts.size(); ++i)
      pairs.emplace_back(&session().node(g, numbers[i]), texts[i]);
    session().graph(g).rename_nodes(pairs);
  });
}

bool node_exists(int g, int n) {
  return guarded(false, [&] { return !session().graph(g).node(n).removed(); });
}
int node_op(int g, int n) {
  return guarded(kPending, [&] { return session().text_number(session().node(g, n).op()); });
}
int set_node_op(int g, int n, std::string op) {
  return guarded_action([&] { session().node(g, n).set_op(std::move(op)); });
}
val node_name(int g, int n) {
  return guarded_val([&] { return val(session().node(g, n).name()); });
}
int set_node_name(int g, int n, std::string name) {
  return guarded_action([&] { session().node(g, n).set_name(std::move(name)); });
}
val node_key(int g, int n) {
  return guarded_val([&] { return val(session().node(g, n).key()); });
}

val attribute(int g, int n, std::string key) {
  return guarded_val([&] {
    const Node& node = session().node(g, n);
    if (const Attribute* found = node.attributes.find(key)) return to_record(*found);
    return key == "dim_attrs" ? to_record(Attribute(dim_attributes(node))) : val::null();
  });
}
val attribute_keys(int g, int n) {
  return guarded_val([&] {
    std::vector<std::string> keys;
    for (const auto& entry : session().node(g, n).attributes) keys.push_back(entry.first);
    return to_array(keys);
  });
}
int set_attribute(int g, int n, std::string key, val record) {
  return guarded_action([&] {
    Node& node = session().node(g, n);
    node.set(key, to_attribute(record, node.attributes.find(key)));
    if (session().stage(g) >= Stage::Middle && session().inferring == 0) node.require_shape_inference();
  });
}
int delete_attribute(int g, int n, std::string key) {
  return guarded_action([&] { session().node(g, n).attributes.erase(key); });
}

int needs_inference(int g, int n) {
  return guarded(kPending, [&] { return session().node(g, n).needs_shape_inference() ? 1 : 0; });
}
int require_inference(int g, int n, bool required) {
  return guarded_action([&] {
    Node& node = session().node(g, n);
    required ? node.require_shape_inference() : node.shape_inference_done();
  });
}
int infer_one(int g, int n) {
  return guarded_action([&] { infer_node(session().node(g, n)); });
}
val node_definition(int g, int n) {
  return guarded_val([&] {
    const Node& node = session().node(g, n);
    const OpDef* definition = node.definition();
    std::vector<std::string> out(2);
    if (definition) {
      const std::string_view version = definition->version_of ? definition->version_of(node) : definition->version;
      out = {std::string(definition->type), std::string(version)};
    }
    return to_array(out);
  });
}
bool is_operation(std::string op) { return find_op(op) != nullptr; }

val framework_node(int g, int n) {
  return guarded_val([&] {
    const Node& node = session().node(g, n);
    if (!node.pb) return val::null();
    const onnx::FrameworkMessage& message = session().framework_message(node);
    std::vector<std::string> names;
    for (const auto& entry : message.attributes) names.push_back(entry.first);
    val out = val::object();
    out.set("name", message.name);
    out.set("opType", node.pb->op);
    out.set("domain", node.pb->domain);
    out.set("attributes", to_array(names));
    return out;
  });
}
val framework_attribute(int g, int n, std::string name) {
  return guarded_val([&] {
    const Node& node = session().node(g, n);
    const Attribute* found = node.pb ? session().framework_message(node).attributes.find(name) : nullptr;
    return found ? to_record(*found) : val::null();
  });
}

void warn(std::string text, std::string node) {
  guarded_action([&] {
    session().graph(0).model().diagnostics.warn(Code::ExtensionFailed, std::move(text), {.node = std::move(node)});
  });
}

int own_functions(int g, int n, bool infers, bool infers_types, bool writes) {
  return guarded_action([&] { set_own_functions(g, n, infers, infers_types, writes); });
}

}  // namespace
}  // namespace mo::js

EMSCRIPTEN_BINDINGS(mo_extension_graph) {
  using namespace mo::js;
  emscripten::function("extensionTable", &extension_table);
  emscripten::function("takeError", &take_error);
  emscripten::function("textOf", &text_of);
  emscripten::function("graphFacts", &graph_facts);
  emscripten::function("graphPhase", &graph_phase);
  emscripten::function("nodeIds", &node_ids);
  emscripten::function("opNodeIds", &op_node_ids);
  emscripten::function("topologicalOrder", &topological_order);
  emscripten::function("findNode", &find_node);
  emscripten::function("addNode", &add_node);
  emscripten::function("removeNode", &remove_node);
  emscripten::function("cleanUp", &clean_up);
  emscripten::function("renameNodes", &rename_nodes);
  emscripten::function("nodeExists", &node_exists);
  emscripten::function("nodeOp", &node_op);
  emscripten::function("setNodeOp", &set_node_op);
  emscripten::function("nodeName", &node_name);
  emscripten::function("setNodeName", &set_node_name);
  emscripten::function("nodeKey", &node_key);
  emscripten::function("attribute", &attribute);
  emscripten::function("attributeKeys", &attribute_keys);
  emscripten::function("setAttribute", &set_attribute);
  emscripten::function("deleteAttribute", &delete_attribute);
  emscripten::function("needsInference", &needs_inference);
  emscripten::function("requireInference", &require_inference);
  emscripten::function("inferNode", &infer_one);
  emscripten::function("nodeDefinition", &node_definition);
  emscripten::function("setOwnFunctions", &own_functions);
  emscripten::function("isOperation", &is_operation);
  emscripten::function("frameworkNode", &framework_node);
  emscripten::function("frameworkAttribute", &framework_attribute);
  emscripten::function("warn", &warn);
}
