#include "core/ir/graph_writer.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// Sorted and joined by commas; commas inside a name are escaped.
std::string names_text(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (!out.empty()) out += ',';
    for (const char c : printable(name)) {
      if (c == ',') out += '\\';
      out += c;
    }
  }
  return out;
}

/// In IR, connected inputs are numbered without gaps; output numbers follow, offset by the output's port.
int input_id(const Node& node, int port) {
  int id = 0;
  for (int i = 0; i < port; ++i) id += node.has_in(i);
  return id;
}
int connected_inputs(const Node& node) { return input_id(node, node.in_count()); }
int output_id(const Node& node, int port) { return connected_inputs(node) + port; }

pugi::xml_node write_port(pugi::xml_node ports, int id, const Tensor& tensor, bool with_names) {
  pugi::xml_node port = ports.append_child("port");
  port.append_attribute("id") = id;
  put(port, "precision", precision(tensor.type));
  if (with_names)
    if (const std::string names = names_text(tensor.names); !names.empty()) put(port, "names", names);
  if (!tensor.shape.has_rank()) return port;
  for (const Dimension& d : tensor.shape.dimensions())
    port.append_child("dim")
        .append_child(pugi::node_pcdata)
        .set_value(d.is_exact() ? std::to_string(d.min).c_str() : "-1");
  return port;
}

void write_inputs(pugi::xml_node ports, const Node& node) {
  int id = 0;
  for (int i = 0; i < node.in_count(); ++i)
    if (node.has_in(i)) write_port(ports, id++, node.source(i).tensor(), false);
}
pugi::xml_node write_rt_attribute(pugi::xml_node owner, const char* name) {
  pugi::xml_node attribute = owner.append_child("rt_info").append_child("attribute");
  put(attribute, "name", name);
  put(attribute, "version", "0");
  return attribute;
}

/// Writes one record of a port map: how a Parameter or Result of the body is connected to the owner's ports.
void write_record(pugi::xml_node map, const char* kind, const Node& boundary, int external, int internal) {
  pugi::xml_node record = map.append_child(kind);
  const bool sliced = boundary.has("axis");
  if (sliced) record.append_attribute("axis") = boundary.get_int("axis");
  record.append_attribute("external_port_id") = external;
  record.append_attribute("internal_layer_id") = internal;
  if (sliced)
    for (const char* name : {"start", "end", "stride", "part_size"})
      record.append_attribute(name) = boundary.get_int(name);
  if (boundary.has("purpose")) put(record, "purpose", boundary.get_string("purpose"));
}

}  // namespace

GraphWriter::GraphWriter(Graph& graph, IrOutput& out, unsigned depth) : graph_(graph), out_(out), depth_(depth) {
  order_ = graph.parameters;
  // OpenVINO drops inputs of a body that turn out to be constant, and does not correct the index of this one.
  std::stable_partition(order_.begin(), order_.end(),
                        [](const Node* node) { return node->get_string("purpose") == "current_iteration"; });
  std::vector<Node*> sinks;
  for (Node* node : graph.topological_order())
    if (node->op() != "Parameter" && node->op() != "Result") (is_sink(*node) ? sinks : order_).push_back(node);
  order_.insert(order_.end(), sinks.begin(), sinks.end());
  order_.insert(order_.end(), graph.results.begin(), graph.results.end());
  for (const std::vector<Node*>& nodes : {graph.parameters, graph.results})
    for (Node* node : nodes)
      for (const char* key : {"target_layout", "source_layout"})
        if (node->has(key))
          layouts_.try_emplace(node->op() == "Result" ? &node->source(0).tensor() : &node->out(0).tensor(),
                               node->get_string(key));
  ids_.resize(graph.ids());
  for (size_t i = 0; i < order_.size(); ++i) ids_[static_cast<size_t>(order_[i]->id())] = static_cast<int>(i);
}

void GraphWriter::write() {
  XmlText& xml = out_.xml;
  const auto nothing = [](pugi::xml_node) {};
  xml.open("layers", depth_, nothing);
  for (Node* node : order_) {
    graph_.model().beat();
    write_layer(*node);
  }
  xml.close("layers", depth_);
  xml.open("edges", depth_, nothing);
  for (Node* node : order_) {
    graph_.model().beat();
    for (int i = 0; i < node->out_count(); ++i)
      for (const InPort& to : OutPort(node, i).destinations())
        xml.element("edge", depth_ + 1, [&](pugi::xml_node edge) { write_edge(edge, *node, i, to); });
  }
  xml.close("edges", depth_);
}

void GraphWriter::write_outputs(pugi::xml_node ports, Node& node) const {
  for (int i = 0; i < node.out_count(); ++i) {
    if (!node.has_out_port(i)) continue;
    const Tensor& tensor = node.out(i).tensor();
    const pugi::xml_node port = write_port(ports, output_id(node, i), tensor, true);
    if (const auto layout = layouts_.find(&tensor); layout != layouts_.end())
      put(write_rt_attribute(port, "layout"), "layout", layout->second);
  }
}

void GraphWriter::write_edge(pugi::xml_node edge, Node& from, int out, const InPort& to) {
  edge.append_attribute("from-layer") = layer_id(from);
  edge.append_attribute("from-port") = output_id(from, out);
  edge.append_attribute("to-layer") = layer_id(to.node());
  edge.append_attribute("to-port") = input_id(to.node(), to.index());
}

void GraphWriter::write_layer(Node& node) {
  if (!bodies_of(node).empty()) return write_owner(node);
  out_.xml.element("layer", depth_ + 1, [&](pugi::xml_node layer) {
    describe(layer, node);
    if (connected_inputs(node) > 0) write_inputs(layer.append_child("input"), node);
    if (node.out_count() > 0 && node.op() != "Result") write_outputs(layer.append_child("output"), node);
  });
}

/// Writes name, type, version and attributes.
void GraphWriter::describe(pugi::xml_node layer, Node& node) {
  const OpDef& def = *node.definition();
  const std::string_view version = def.version_of ? def.version_of(node) : def.version;
  layer.append_attribute("id") = layer_id(node);
  put(layer, "name", printable(node.name()));
  put(layer, "type", def.type);
  put(layer, "version", version);
  out_.runtime = std::max(out_.runtime, first_runtime(def.type, version));
  for (int i = 0; i < node.out_count(); ++i)
    if (node.has_out_port(i)) out_.runtime = std::max(out_.runtime, first_runtime(node.out(i).tensor().type));
  IrAttributes attributes;
  if (node.op() == "Const") {
    constant_attributes(node, attributes);
    ++out_.constants;
  } else {
    if (def.ir_attributes) def.ir_attributes(node, attributes);
    ++out_.operations[std::string(def.type)];
  }
  if (!attributes.entries().empty()) {
    pugi::xml_node data = layer.append_child("data");
    for (const auto& [name, value] : attributes.entries()) put(data, name.c_str(), printable(value));
  }
  if (out_.places) record_places(node);
  if (out_.layers) out_.layers->emplace_back(&node, layer_id(node));
  if (node.get_bool("decompression")) write_rt_attribute(layer, "decompression");
}

void GraphWriter::record_places(Node& node) {
  for (int i = 0; i < node.out_count(); ++i)
    for (const std::string& name : node.out(i).tensor().names)
      out_.places->try_emplace({body_path(graph_), name}, TensorPlace{node.name(), layer_id(node), output_id(node, i)});
}

void GraphWriter::constant_attributes(const Node& node, IrAttributes& attributes) {
  const Constant& value = *node.get_constant("value");
  const BinPlan::Range range = out_.plan.add(value);
  attributes.add("element_type", value.type);
  attributes.add("shape", value.shape);
  attributes.add("offset", std::to_string(range.offset));
  attributes.add("size", std::to_string(range.size));
}

/// Writes If, Loop and TensorIterator: port maps before the ports, bodies after them.
void GraphWriter::write_owner(Node& node) {
  XmlText& xml = out_.xml;
  const unsigned inside = depth_ + 2;
  xml.open("layer", depth_ + 1, [&](pugi::xml_node layer) { describe(layer, node); });
  const auto ports = [&] {
    if (connected_inputs(node) > 0)
      xml.element("input", inside, [&](pugi::xml_node list) { write_inputs(list, node); });
    if (node.out_count() > 0) xml.element("output", inside, [&](pugi::xml_node list) { write_outputs(list, node); });
  };
  if (Graph* loop = node.get_graph("body")) {
    GraphWriter body(*loop, out_, inside + 1);
    write_port_map("port_map", node, body);
    write_back_edges(body);
    ports();
    write_body("body", body);
  } else {
    GraphWriter then_body(*node.get_graph("then_graph"), out_, inside + 1),
        else_body(*node.get_graph("else_graph"), out_, inside + 1);
    write_port_map("else_port_map", node, else_body);
    write_port_map("then_port_map", node, then_body);
    ports();
    write_body("then_body", then_body);
    write_body("else_body", else_body);
  }
  xml.close("layer", depth_ + 1);
}

void GraphWriter::write_port_map(const char* name, Node& owner, const GraphWriter& body) {
  out_.xml.element(name, depth_ + 2, [&](pugi::xml_node map) {
    const auto records = [&](bool special) {
      for (const Node* parameter : body.graph_.parameters)
        if (const int port = static_cast<int>(parameter->get_int("external_port_id", -1)); (port < 0) == special)
          write_record(map, "input", *parameter, special ? -1 : input_id(owner, port), body.layer_id(*parameter));
      for (const Node* result : body.graph_.results)
        if (const int port = static_cast<int>(result->get_int("external_port_id", -1));
            (port < 0) == special && (!special || result->has("purpose")))
          write_record(map, "output", *result, special ? -1 : output_id(owner, port), body.layer_id(*result));
    };
    records(false);
    records(true);
  });
}

void GraphWriter::write_back_edges(const GraphWriter& body) {
  const auto carries = [](const Node* parameter) { return parameter->has("back_edge"); };
  if (std::none_of(body.graph_.parameters.begin(), body.graph_.parameters.end(), carries)) return;
  out_.xml.element("back_edges", depth_ + 2, [&](pugi::xml_node list) {
    for (const Node* parameter : body.graph_.parameters) {
      const Node* result = back_edge_of(*parameter);
      if (!result) continue;
      pugi::xml_node edge = list.append_child("edge");
      edge.append_attribute("from-layer") = body.layer_id(*result);
      edge.append_attribute("to-layer") = body.layer_id(*parameter);
    }
  });
}

void GraphWriter::write_body(const char* name, GraphWriter& body) {
  const auto nothing = [](pugi::xml_node) {};
  out_.xml.open(name, depth_ + 2, nothing);
  body.write();
  out_.xml.element("rt_info", depth_ + 3, nothing);
  out_.xml.close(name, depth_ + 2);
}

}  // namespace mo
