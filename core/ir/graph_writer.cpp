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

/// Writes a port; `more` writes what follows its dimensions.
template <typename More>
void write_port(XmlText& xml, int id, const Tensor& tensor, const std::string& names, More more) {
  xml.element("port", [&] {
    xml.attribute("id", id);
    xml.attribute("precision", precision(tensor.type));
    if (!names.empty()) xml.attribute("names", names);
    if (tensor.shape.has_rank())
      for (const Dimension& d : tensor.shape.dimensions()) xml.number("dim", d.is_exact() ? d.min : -1);
    more();
  });
}

void write_inputs(XmlText& xml, const Node& node) {
  int id = 0;
  for (int i = 0; i < node.in_count(); ++i)
    if (node.has_in(i)) write_port(xml, id++, node.source(i).tensor(), {}, [] {});
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

/// Writes one record of a port map: how a Parameter or Result of the body is connected to the owner's ports.
void write_record(XmlText& xml, std::string_view kind, const Node& boundary, int external, int internal) {
  xml.element(kind, [&] {
    const bool sliced = boundary.has("axis");
    if (sliced) xml.attribute("axis", boundary.get_int("axis"));
    xml.attribute("external_port_id", external);
    xml.attribute("internal_layer_id", internal);
    if (sliced)
      for (const char* name : {"start", "end", "stride", "part_size"}) xml.attribute(name, boundary.get_int(name));
    if (boundary.has("purpose")) xml.attribute("purpose", boundary.get_string("purpose"));
  });
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

void GraphWriter::write() {
  xml_.element("layers", [&] {
    for (Node* node : order_) {
      graph_.model().beat();
      write_layer(*node);
    }
  });
  xml_.element("edges", [&] {
    for (Node* node : order_) {
      graph_.model().beat();
      for (int i = 0; i < node->out_count(); ++i)
        for (const InPort& to : OutPort(node, i).destinations()) write_edge(*node, i, to);
    }
  });
}

void GraphWriter::write_ports(Node& node) {
  if (port_ids_.connected(node) > 0) xml_.element("input", [&] { write_inputs(xml_, node); });
  if (node.out_count() > 0 && node.op() != "Result") xml_.element("output", [&] { write_outputs(node); });
}

void GraphWriter::write_outputs(Node& node) {
  for (int i = 0; i < node.out_count(); ++i) {
    if (!node.has_out_port(i)) continue;
    const Tensor& tensor = node.out(i).tensor();
    write_port(xml_, port_ids_.output(node, i), tensor, names_text(tensor.names), [&] {
      if (const auto layout = layouts_.find(&tensor); layout != layouts_.end())
        write_rt_attribute(xml_, "layout", [&] { xml_.attribute("layout", layout->second); });
    });
  }
}

void GraphWriter::write_edge(Node& from, int out, const InPort& to) {
  xml_.element("edge", [&] {
    xml_.attribute("from-layer", layer_id(from));
    xml_.attribute("from-port", port_ids_.output(from, out));
    xml_.attribute("to-layer", layer_id(to.node()));
    xml_.attribute("to-port", port_ids_.input(to.node(), to.index()));
  });
}

void GraphWriter::write_layer(Node& node) {
  if (!bodies_of(node).empty()) return write_owner(node);
  xml_.element("layer", [&] {
    describe(node);
    write_ports(node);
  });
}

/// Writes name, type, version and attributes.
void GraphWriter::describe(Node& node) {
  const OpDef& def = *node.definition();
  const std::string_view version = def.version_of ? def.version_of(node) : def.version;
  xml_.attribute("id", layer_id(node));
  xml_.attribute("name", node.name());
  xml_.attribute("type", def.type);
  xml_.attribute("version", version);
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
  if (!attributes.entries().empty())
    xml_.element("data", [&] {
      for (const auto& [name, value] : attributes.entries()) xml_.attribute(name, value);
    });
  if (out_.places) record_places(node);
  if (out_.layers) out_.layers->emplace_back(&node, layer_id(node));
  if (node.get_bool("decompression")) write_rt_attribute(xml_, "decompression", [] {});
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

/// Writes If, Loop and TensorIterator: port maps before the ports, bodies after them.
void GraphWriter::write_owner(Node& node) {
  xml_.element("layer", [&] {
    describe(node);
    if (Graph* loop = node.get_graph("body")) {
      GraphWriter body(*loop, out_);
      write_port_map("port_map", node, body);
      write_back_edges(body);
      write_ports(node);
      write_body("body", body);
    } else {
      GraphWriter then_body(*node.get_graph("then_graph"), out_), else_body(*node.get_graph("else_graph"), out_);
      write_port_map("else_port_map", node, else_body);
      write_port_map("then_port_map", node, then_body);
      write_ports(node);
      write_body("then_body", then_body);
      write_body("else_body", else_body);
    }
  });
}

void GraphWriter::write_port_map(const char* name, Node& owner, const GraphWriter& body) {
  xml_.element(name, [&] {
    const auto records = [&](bool special) {
      for (const Node* parameter : body.graph_.parameters)
        if (const int port = static_cast<int>(parameter->get_int("external_port_id", -1)); (port < 0) == special)
          write_record(xml_, "input", *parameter, special ? -1 : port_ids_.input(owner, port),
                       body.layer_id(*parameter));
      for (const Node* result : body.graph_.results)
        if (const int port = static_cast<int>(result->get_int("external_port_id", -1));
            (port < 0) == special && (!special || result->has("purpose")))
          write_record(xml_, "output", *result, special ? -1 : port_ids_.output(owner, port), body.layer_id(*result));
    };
    records(false);
    records(true);
  });
}

void GraphWriter::write_back_edges(const GraphWriter& body) {
  const auto carries = [](const Node* parameter) { return parameter->has("back_edge"); };
  if (std::none_of(body.graph_.parameters.begin(), body.graph_.parameters.end(), carries)) return;
  xml_.element("back_edges", [&] {
    for (const Node* parameter : body.graph_.parameters) {
      const Node* result = back_edge_of(*parameter);
      if (!result) continue;
      xml_.element("edge", [&] {
        xml_.attribute("from-layer", body.layer_id(*result));
        xml_.attribute("to-layer", body.layer_id(*parameter));
      });
    }
  });
}

void GraphWriter::write_body(const char* name, GraphWriter& body) {
  xml_.element(name, [&] {
    body.write();
    xml_.element("rt_info");
  });
}

}  // namespace mo
