#include "core/ir/ir_writer.h"

#include <algorithm>
#include <pugixml.hpp>

#include "core/base/text.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// The text as it grows. Elements of a long list go through one small document, one by one: a document of a whole model
/// would take several times the memory of its text.
class XmlText final : private pugi::xml_writer {
 public:
  void declaration() { text_ += "<?xml version=\"1.0\"?>\n"; }
  /// `fill` makes the element of that name, which is printed `depth` deep and forgotten.
  template <typename Fill>
  void element(const char* name, unsigned depth, Fill fill) {
    pugi::xml_node node = scratch_.append_child(name);
    fill(node);
    node.print(*this, "\t", pugi::format_default, pugi::encoding_utf8, depth);
    scratch_.remove_child(node);
  }
  /// Such an element without what is in it; `close` ends it.
  template <typename Fill>
  void open(const char* name, unsigned depth, Fill fill) {
    element(name, depth, fill);
    text_.replace(text_.rfind(" />"), 3, ">");
  }
  void close(const char* name, unsigned depth) { text_.append(depth, '\t').append("</").append(name).append(">\n"); }
  void reserve(size_t size) { text_.reserve(size); }
  std::string take() { return std::move(text_); }

 private:
  void write(const void* data, size_t size) override { text_.append(static_cast<const char*>(data), size); }

  pugi::xml_document scratch_;
  std::string text_;
};

/// Sorted, joined by commas; a comma inside a name is escaped.
std::string names_text(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string out;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    if (!out.empty()) out += ',';
    for (const char c : printable(name)) out += c == ',' ? std::string("\\,") : std::string(1, c);
  }
  return out;
}

void put(pugi::xml_node node, const char* name, std::string_view value) {
  node.append_attribute(name).set_value(std::string(value).c_str());
}

std::string_view version_of(const Node& node, const OpDef& def) {
  return def.version_of ? def.version_of(node) : def.version;
}

class GraphWriter {
 public:
  GraphWriter(Graph& graph, BinPlan& plan, XmlText& xml, std::map<std::string, int>& operations, int& constants,
              int& opset)
      : graph_(graph), plan_(plan), xml_(xml), operations_(operations), constants_(constants), opset_(opset) {}

  void write() {
    const std::vector<Node*> order = layer_order();
    for (size_t i = 0; i < order.size(); ++i) {
      const auto node = static_cast<size_t>(order[i]->id());
      if (ids_.size() <= node) ids_.resize(node + 1);
      ids_[node] = static_cast<int>(i);
    }
    constexpr size_t kUsualLayer = 512;  // its edges too
    xml_.reserve(order.size() * kUsualLayer);
    const auto nothing = [](pugi::xml_node) {};
    xml_.open("layers", 1, nothing);
    for (Node* node : order) {
      graph_.model().beat();
      xml_.element("layer", 2, [&](pugi::xml_node layer) { write_layer(layer, *node); });
    }
    xml_.close("layers", 1);
    xml_.open("edges", 1, nothing);
    for (Node* node : order) {
      graph_.model().beat();
      for (int i = 0; i < node->out_count(); ++i)
        for (const InPort& to : OutPort(node, i).destinations())
          xml_.element("edge", 2, [&](pugi::xml_node edge) { write_edge(edge, *node, i, to); });
    }
    xml_.close("edges", 1);
  }

 private:
  int layer_id(const Node& node) const { return ids_[static_cast<size_t>(node.id())]; }
  std::vector<Node*> layer_order() {
    std::vector<Node*> order = graph_.parameters;
    for (Node* node : graph_.topological_order())
      if (node->op() != "Parameter" && node->op() != "Result") order.push_back(node);
    order.insert(order.end(), graph_.results.begin(), graph_.results.end());
    return order;
  }

  /// IR numbers connected inputs without gaps, outputs behind them.
  static std::vector<int> connected_inputs(const Node& node) {
    std::vector<int> ports;
    for (int i = 0; i < node.in_count(); ++i)
      if (node.has_in(i)) ports.push_back(i);
    return ports;
  }

  void write_edge(pugi::xml_node edge, Node& from, int out, const InPort& to) {
    const std::vector<int> ports = connected_inputs(to.node());
    const auto to_port = std::find(ports.begin(), ports.end(), to.index()) - ports.begin();
    edge.append_attribute("from-layer") = layer_id(from);
    edge.append_attribute("from-port") = static_cast<int>(connected_inputs(from).size()) + out;
    edge.append_attribute("to-layer") = layer_id(to.node());
    edge.append_attribute("to-port") = static_cast<int>(to_port);
  }

  void write_layer(pugi::xml_node layer, Node& node) {
    const OpDef& def = *node.definition();
    const std::string_view version = version_of(node, def);
    layer.append_attribute("id") = layer_id(node);
    put(layer, "name", printable(node.name()));
    put(layer, "type", def.type);
    put(layer, "version", version);
    if (version.substr(0, 5) == "opset")
      opset_ = std::max(opset_, static_cast<int>(parse_int(version.substr(5)).value_or(1)));
    IrAttributes attributes;
    if (node.op() == "Const") {
      constant_attributes(node, attributes);
      ++constants_;
    } else {
      if (def.ir_attributes) def.ir_attributes(node, attributes);
      ++operations_[std::string(def.type)];
    }
    if (!attributes.entries().empty()) {
      pugi::xml_node data = layer.append_child("data");
      for (const auto& [name, value] : attributes.entries()) put(data, name.c_str(), printable(value));
    }
    if (node.get_bool("decompression")) write_rt_attribute(layer, "decompression");
    const std::vector<int> inputs = connected_inputs(node);
    if (!inputs.empty()) {
      pugi::xml_node ports = layer.append_child("input");
      for (size_t i = 0; i < inputs.size(); ++i)
        write_port(ports, static_cast<int>(i), node.source(inputs[i]).tensor(), false);
    }
    if (node.out_count() > 0 && node.op() != "Result") {
      pugi::xml_node ports = layer.append_child("output");
      for (int i = 0; i < node.out_count(); ++i)
        if (node.has_out_port(i)) write_port(ports, static_cast<int>(inputs.size()) + i, node.out(i).tensor(), true);
    }
  }

  static void write_rt_attribute(pugi::xml_node layer, const char* name) {
    pugi::xml_node attribute = layer.append_child("rt_info").append_child("attribute");
    put(attribute, "name", name);
    put(attribute, "version", "0");
  }

  void constant_attributes(const Node& node, IrAttributes& attributes) {
    const Constant& value = *node.get_constant("value");
    const BinPlan::Place place = plan_.add(value);
    attributes.add("element_type", value.type);
    attributes.add("shape", value.shape);
    attributes.add("offset", std::to_string(place.offset));
    attributes.add("size", std::to_string(place.size));
  }

  static void write_port(pugi::xml_node ports, int id, const Tensor& tensor, bool with_names) {
    pugi::xml_node port = ports.append_child("port");
    port.append_attribute("id") = id;
    put(port, "precision", precision(tensor.type));
    if (with_names)
      if (const std::string names = names_text(tensor.names); !names.empty()) put(port, "names", names);
    if (!tensor.shape.has_rank()) return;
    for (const Dimension& d : tensor.shape.dimensions())
      port.append_child("dim")
          .append_child(pugi::node_pcdata)
          .set_value(d.is_exact() ? std::to_string(d.min).c_str() : "-1");
  }

  Graph& graph_;
  BinPlan& plan_;
  XmlText& xml_;
  std::map<std::string, int>& operations_;
  int& constants_;
  int& opset_;
  std::vector<int> ids_;  // of layers, by node id
};

/// The first release whose newest operation set holds opset `n`.
std::string runtime_of(int opset) {
  if (opset <= 13) return "2023.3";
  if (opset == 14) return "2024.1";
  if (opset == 15) return "2024.5";
  return opset == 16 ? "2025.0" : "2026.0";
}

bool check_expressible(Graph& graph, Diagnostics& diagnostics) {
  bool good = true;
  const auto refuse = [&](Code code, std::string text, const Node& node) {
    diagnostics.add(Error(code, std::move(text), node.place()));
    good = false;
  };
  for (Node* node : graph.nodes()) {
    const OpDef* def = node->definition();
    if (!def || def->type.empty()) refuse(Code::NotInIr, node->op(), *node);
    for (int i = 0; i < node->out_count() && node->op() != "Result"; ++i) {
      const OutPort port(node, i);
      const ElementType type = port.tensor().type;
      if (type != ElementType::Unknown && !in_ir(type))
        refuse(Code::UnsupportedType, std::string(ir_name(type)), *node);
      else if (type == ElementType::Unknown && !port.disconnected())
        refuse(Code::InvalidGraph, cat("the element type of output ", i, " is unknown"), *node);
    }
  }
  return good;
}

}  // namespace

std::string write_ir(Graph& graph, const ConversionParameters& parameters, BinPlan& plan, IrSummary& summary,
                     Diagnostics& diagnostics) {
  if (!check_expressible(graph, diagnostics)) return {};
  XmlText xml;
  xml.declaration();
  xml.open("net", 0, [&](pugi::xml_node net) {
    put(net, "name", printable(graph.model().name));
    put(net, "version", "11");
  });
  std::map<std::string, int> operations;
  int opset = 1;
  GraphWriter(graph, plan, xml, operations, summary.constants, opset).write();
  xml.element("rt_info", 1, [&](pugi::xml_node info) {
    put(info.append_child("MO_version"), "value", cat("mo-wasm ", version()));
    pugi::xml_node list = info.append_child("conversion_parameters");
    for (const auto& [name, value] : parameters) put(list.append_child(name.c_str()), "value", printable(value));
  });
  xml.close("net", 0);
  summary.operations.assign(operations.begin(), operations.end());
  summary.runtime = runtime_of(opset);
  return xml.take();
}

}  // namespace mo
