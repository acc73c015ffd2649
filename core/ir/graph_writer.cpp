#include "core/ir/graph_writer.h"

#include <algorithm>

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
    for (const char c : name) {
      if (c == ',') out += '\\';
      out += c;
    }
  }
  return out;
}

IrPort port_of(int id, const Tensor& tensor) {
  IrPort port{.id = id,
              .precision = std::string(precision(tensor.type)),
              .type = tensor.type,
              .has_rank = tensor.shape.has_rank()};
  if (!port.has_rank) return port;
  port.dims.reserve(tensor.shape.dimensions().size());
  for (const Dimension& d : tensor.shape.dimensions()) port.dims.push_back(d.is_exact() ? d.min : -1);
  return port;
}

/// Writes an attribute of rt_info; `value` writes its value.
template <typename Value>
void write_rt_attribute(XmlText& xml, std::string_view name, Value value) {
  xml.element("rt_info", [&] {
    xml.element("attribute", [&] {
      xml.attribute("name", name);
      xml.attribute("version", "0");
      value();
    });
  });
}

void write_port(XmlText& xml, const IrPort& port) {
  xml.element("port", [&] {
    xml.attribute("id", port.id);
    xml.attribute("precision", port.precision);
    if (!port.names.empty()) xml.attribute("names", port.names);
    for (const int64_t dim : port.dims) xml.number("dim", dim);
    if (!port.layout.empty()) write_rt_attribute(xml, "layout", [&] { xml.attribute("layout", port.layout); });
  });
}

void write_ports(XmlText& xml, const IrLayer& layer) {
  const auto write = [&](const char* name, const std::vector<IrPort>& ports) {
    if (ports.empty()) return;
    xml.element(name, [&] {
      for (const IrPort& port : ports) write_port(xml, port);
    });
  };
  write("input", layer.inputs);
  write("output", layer.outputs);
}

/// Writes id, name, type, version and attributes.
void write_description(XmlText& xml, const IrLayer& layer) {
  xml.attribute("id", layer.id);
  xml.attribute("name", layer.name);
  xml.attribute("type", layer.type);
  xml.attribute("version", layer.version);
  if (!layer.attributes.empty())
    xml.element("data", [&] {
      for (const auto& attribute : layer.attributes) xml.attribute(attribute.first, attribute.second);
    });
  if (layer.decompression) write_rt_attribute(xml, "decompression", [] {});
}

void write_edge(XmlText& xml, const IrEdge& edge) {
  const bool has_ports = edge.from_port >= 0;
  xml.element("edge", [&] {
    xml.attribute("from-layer", edge.from_layer);
    if (has_ports) xml.attribute("from-port", edge.from_port);
    xml.attribute("to-layer", edge.to_layer);
    if (has_ports) xml.attribute("to-port", edge.to_port);
  });
}

void write_port_map(XmlText& xml, const IrBody& body) {
  xml.element(body.port_map, [&] {
    for (const IrPortRecord& record : body.records)
      xml.element(record.is_input ? "input" : "output", [&] {
        if (record.is_sliced) xml.attribute("axis", record.axis);
        xml.attribute("external_port_id", record.external_port_id);
        xml.attribute("internal_layer_id", record.internal_layer_id);
        if (record.is_sliced) {
          xml.attribute("start", record.start);
          xml.attribute("end", record.end);
          xml.attribute("stride", record.stride);
          xml.attribute("part_size", record.part_size);
        }
        if (!record.purpose.empty()) xml.attribute("purpose", record.purpose);
      });
  });
}

IrPortRecord record_of(const Node& boundary, bool is_input, int64_t external, int64_t internal) {
  IrPortRecord record{.is_input = is_input, .external_port_id = external, .internal_layer_id = internal};
  record.is_sliced = boundary.has("axis");
  if (record.is_sliced) {
    record.axis = boundary.get_int("axis");
    record.start = boundary.get_int("start");
    record.end = boundary.get_int("end");
    record.stride = boundary.get_int("stride");
    record.part_size = boundary.get_int("part_size");
  }
  record.purpose = boundary.get_string("purpose");
  return record;
}

}  // namespace

int PortIds::input(const Node& node, int port) {
  constexpr int kFew = 8;
  if (port <= kFew) {
    int id = 0;
    for (int i = 0; i < port; ++i) id += node.has_in(i);
    return id;
  }
  std::vector<int>& ids = ids_[&node];
  if (ids.empty()) {
    ids.push_back(0);
    for (int i = 0; i < node.in_count(); ++i) ids.push_back(ids.back() + node.has_in(i));
  }
  return ids[static_cast<size_t>(port)];
}

GraphWriter::GraphWriter(Graph& graph, IrOutput& out) : graph_(graph), out_(out), xml_(out.xml) {
  order_ = graph.parameters;
  // current_iteration comes first: OpenVINO drops inputs of a body that turn out to be constant, and does not correct
  // the index of current_iteration.
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

void GraphWriter::write(const IrTaker& taker) {
  xml_.element("layers", [&] {
    for (Node* node : order_) {
      graph_.model().beat();
      taker.layer(write_layer(*node));
    }
  });
  xml_.element("edges", [&] {
    for (Node* node : order_) {
      graph_.model().beat();
      for (int i = 0; i < node->out_count(); ++i)
        for (const InPort& to : OutPort(node, i).destinations()) {
          const IrEdge written = edge(*node, i, to);
          write_edge(xml_, written);
          taker.edge(written);
        }
    }
  });
}

void GraphWriter::describe_ports(Node& node, IrLayer& layer) {
  for (int i = 0; i < node.in_count(); ++i) {
    if (!node.has_in(i)) continue;
    const Tensor& tensor = node.source(i).tensor();
    layer.inputs.push_back(port_of(static_cast<int>(layer.inputs.size()), tensor));
    layer.inputs.back().ints = tensor.ints;
  }
  if (node.op() == "Result") return;
  for (int i = 0; i < node.out_count(); ++i) {
    if (!node.has_out_port(i)) continue;
    const Tensor& tensor = node.out(i).tensor();
    IrPort& port = layer.outputs.emplace_back(port_of(port_ids_.output(node, i), tensor));
    port.names = names_text(tensor.names);
    if (const auto layout = layouts_.find(&tensor); layout != layouts_.end()) port.layout = layout->second;
  }
}

IrEdge GraphWriter::edge(Node& from, int out, const InPort& to) {
  return {.from_layer = layer_id(from),
          .from_port = port_ids_.output(from, out),
          .to_layer = layer_id(to.node()),
          .to_port = port_ids_.input(to.node(), to.index())};
}

IrLayer GraphWriter::write_layer(Node& node) {
  IrLayer layer = describe(node);
  xml_.element("layer", [&] {
    write_description(xml_, layer);
    if (bodies_of(node).empty())
      write_ports(xml_, layer);
    else
      write_owner(node, layer);
  });
  return layer;
}

IrLayer GraphWriter::describe(Node& node) {
  const OpDef& def = *node.definition();
  const std::string_view version = def.version_of ? def.version_of(node) : def.version;
  IrLayer layer{.id = layer_id(node),
                .name = node.name(),
                .type = std::string(def.type),
                .version = std::string(version),
                .decompression = node.get_bool("decompression")};
  out_.runtime = std::max(out_.runtime, first_runtime(def.type, version));
  for (int i = 0; i < node.out_count(); ++i)
    if (node.has_out_port(i)) out_.runtime = std::max(out_.runtime, first_runtime(node.out(i).tensor().type));
  IrAttributes attributes;
  if (node.op() == "Const") {
    constant_attributes(node, attributes);
    ++out_.constants;
  } else {
    if (def.ir_attributes) def.ir_attributes(node, attributes);
    ++out_.operations[layer.type];
  }
  layer.attributes = attributes.entries();
  describe_ports(node, layer);
  if (out_.places) record_places(node);
  if (out_.layers) out_.layers->emplace_back(&node, layer_id(node));
  return layer;
}

void GraphWriter::record_places(Node& node) {
  for (int i = 0; i < node.out_count(); ++i)
    for (const std::string& name : node.out(i).tensor().names)
      out_.places->try_emplace({body_path(graph_), name},
                               TensorPlace{node.name(), layer_id(node), port_ids_.output(node, i)});
}

void GraphWriter::constant_attributes(const Node& node, IrAttributes& attributes) {
  const Constant& value = *node.get_constant("value");
  const BinPlan::Range range = out_.plan.add(value);
  attributes.add("element_type", value.type);
  attributes.add("shape", value.shape);
  attributes.add("offset", std::to_string(range.offset));
  attributes.add("size", std::to_string(range.size));
}

/// Writes what If, Loop and TensorIterator have besides: port maps before the ports, bodies after them.
void GraphWriter::write_owner(Node& node, IrLayer& layer) {
  if (Graph* loop = node.get_graph("body")) {
    GraphWriter writer(*loop, out_);
    IrBody body = describe_body("body", "port_map", node, writer);
    write_port_map(xml_, body);
    if (!body.back_edges.empty())
      xml_.element("back_edges", [&] {
        for (const IrEdge& back_edge : body.back_edges) write_edge(xml_, back_edge);
      });
    write_ports(xml_, layer);
    write_body(body, writer);
    layer.bodies.push_back(std::move(body));
  } else {
    GraphWriter then_writer(*node.get_graph("then_graph"), out_), else_writer(*node.get_graph("else_graph"), out_);
    IrBody then_body = describe_body("then_body", "then_port_map", node, then_writer);
    IrBody else_body = describe_body("else_body", "else_port_map", node, else_writer);
    write_port_map(xml_, else_body);
    write_port_map(xml_, then_body);
    write_ports(xml_, layer);
    write_body(then_body, then_writer);
    write_body(else_body, else_writer);
    layer.bodies.push_back(std::move(then_body));
    layer.bodies.push_back(std::move(else_body));
  }
}

/// All of the body but its graph.
IrBody GraphWriter::describe_body(const char* name, const char* port_map, Node& owner, const GraphWriter& writer) {
  IrBody body{.name = name, .port_map = port_map};
  const auto describe = [&](bool special) {
    for (const Node* parameter : writer.graph_.parameters)
      if (const int port = static_cast<int>(parameter->get_int("external_port_id", -1)); (port < 0) == special)
        body.records.push_back(
            record_of(*parameter, true, special ? -1 : port_ids_.input(owner, port), writer.layer_id(*parameter)));
    for (const Node* result : writer.graph_.results)
      if (const int port = static_cast<int>(result->get_int("external_port_id", -1));
          (port < 0) == special && (!special || result->has("purpose")))
        body.records.push_back(
            record_of(*result, false, special ? -1 : port_ids_.output(owner, port), writer.layer_id(*result)));
  };
  describe(false);
  describe(true);
  for (const Node* parameter : writer.graph_.parameters)
    if (const Node* result = back_edge_of(*parameter))
      body.back_edges.push_back({.from_layer = writer.layer_id(*result), .to_layer = writer.layer_id(*parameter)});
  return body;
}

void GraphWriter::write_body(IrBody& body, GraphWriter& writer) {
  xml_.element(body.name, [&] {
    writer.write({.layer = [&](IrLayer&& layer) { body.graph.layers.push_back(std::move(layer)); },
                  .edge = [&](const IrEdge& edge) { body.graph.edges.push_back(edge); }});
    xml_.element("rt_info");
  });
}

}  // namespace mo
