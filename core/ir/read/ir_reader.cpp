#include "core/ir/read/ir_reader.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/ir/ir_net.h"
#include "core/ops/op_def.h"

namespace mo {
namespace {

/// Of older releases, an input has no precision of its own: it is that of what it reads.
void complete_precisions(IrGraph& graph) {
  const auto lacks = [](const IrPort& port) { return port.precision.empty(); };
  if (std::none_of(graph.layers.begin(), graph.layers.end(),
                   [&](const IrLayer& layer) { return std::any_of(layer.inputs.begin(), layer.inputs.end(), lacks); }))
    return;
  IrTypeNumbers types;
  const IrNet net(graph, types);
  for (uint32_t i = 0; i < net.size(); ++i)
    for (uint32_t input = 0; input < graph.layers[i].inputs.size(); ++input)
      if (const IrNet::End end = net.source(i, input); end && lacks(graph.layers[i].inputs[input])) {
        IrPort& reader = graph.layers[i].inputs[input];
        const IrPort& source = graph.layers[end.layer].outputs[end.port];
        reader.precision = source.precision;
        reader.type = source.type;
      }
}

constexpr XmlLimits kIrLimits{.code = Code::UnreadableIr, .bytes = uint64_t{1} << 30, .depth = 400};

class RecordReader {
 public:
  using Report = std::function<void(const IrLayer*, const Detail&)>;
  explicit RecordReader(const Report& wrong) : wrong_(wrong) {}

  IrGraph graph(const pugi::xml_node& node) {
    IrGraph out;
    for (const pugi::xml_node child : node.child("layers").children("layer")) out.layers.push_back(layer(child));
    for (const pugi::xml_node child : node.child("edges").children("edge")) {
      out.edges.push_back(edge(child));
      const IrEdge& read = out.edges.back();
      if (read.from_layer < 0 || read.to_layer < 0 || read.from_port < 0 || read.to_port < 0)
        wrong_(nullptr, msg("an edge from layer ", printable(child.attribute("from-layer").value()), " to layer ",
                            printable(child.attribute("to-layer").value()), " lacks a number"));
    }
    complete_precisions(out);
    return out;
  }

 private:
  /// The number in an attribute; -1 if it is missing or no number.
  static int64_t number(const pugi::xml_node& node, const char* name) {
    return parse_int(node.attribute(name).value()).value_or(-1);
  }

  int64_t number_or(const IrLayer& layer, const pugi::xml_node& node, const char* name, int64_t otherwise) {
    const pugi::xml_attribute given = node.attribute(name);
    if (!given) return otherwise;
    const auto read = parse_int(given.value());
    if (!read) wrong_(&layer, msg("attribute ", name, " of its port map is \"", printable(given.value()), "\""));
    return read.value_or(otherwise);
  }

  IrEdge edge(const pugi::xml_node& node) {
    return {.from_layer = number(node, "from-layer"),
            .from_port = number(node, "from-port"),
            .to_layer = number(node, "to-layer"),
            .to_port = number(node, "to-port")};
  }

  IrPort port(const IrLayer& layer, const pugi::xml_node& node) {
    IrPort out;
    out.id = number(node, "id");
    out.precision = node.attribute("precision").value();
    out.type = type_of_precision(out.precision);
    out.names = node.attribute("names").value();
    int rank = 0;
    for (const pugi::xml_node child : node.children("dim")) {
      const auto dim = parse_int(trim(child.child_value()));
      if (!dim) wrong_(&layer, msg("port ", out.id, " has the dimension \"", printable(child.child_value()), "\""));
      if (++rank <= kMostDimensions) out.dims.push_back(dim.value_or(-1));
    }
    if (rank > kMostDimensions) wrong_(&layer, msg("a shape of ", rank, " dimensions, at most ", kMostDimensions));
    out.has_rank = !out.dims.empty();
    for (const pugi::xml_node child : node.child("rt_info").children("attribute"))
      if (std::string_view(child.attribute("name").value()) == "layout") out.layout = child.attribute("layout").value();
    return out;
  }

  IrLayer layer(const pugi::xml_node& node) {
    IrLayer out;
    out.offset = node.offset_debug();
    out.id = number(node, "id");
    out.name = node.attribute("name").value();
    out.type = node.attribute("type").value();
    out.version = node.attribute("version").value();
    for (const pugi::xml_attribute attribute : node.child("data").attributes())
      out.attributes.emplace_back(attribute.name(), attribute.value());
    for (const pugi::xml_node child : node.child("input").children("port")) out.inputs.push_back(port(out, child));
    for (const pugi::xml_node child : node.child("output").children("port")) out.outputs.push_back(port(out, child));
    note_scalar(out);
    for (const pugi::xml_node child : node.child("rt_info").children("attribute"))
      if (std::string_view(child.attribute("name").value()) == "decompression") out.decompression = true;
    for (const char* prefix : {"", "then_", "else_"}) {
      const pugi::xml_node inner = node.child(cat(prefix, "body").c_str());
      if (!inner) continue;
      IrBody read = body(out, prefix, node, inner);
      out.bodies.push_back(std::move(read));
    }
    return out;
  }

  /// The attribute of a Const or Parameter tells a scalar from a tensor of unknown rank.
  static void note_scalar(IrLayer& layer) {
    if ((layer.type != "Const" && layer.type != "Parameter") || layer.outputs.size() != 1) return;
    if (const std::string* shape = attribute_of(layer, "shape"); shape && trim(*shape).empty())
      layer.outputs[0].has_rank = true;
  }

  IrBody body(const IrLayer& owner, const char* prefix, const pugi::xml_node& node, const pugi::xml_node& inner) {
    IrBody out;
    out.name = cat(prefix, "body");
    out.port_map = cat(prefix, "port_map");
    for (const pugi::xml_node child : node.child(out.port_map.c_str()).children()) {
      IrPortRecord record;
      record.is_input = std::string_view(child.name()) == "input";
      record.external_port_id = number_or(owner, child, "external_port_id", -1);
      record.internal_layer_id = number_or(owner, child, "internal_layer_id", -1);
      record.is_sliced = !!child.attribute("axis");
      record.axis = number_or(owner, child, "axis", 0);
      record.start = number_or(owner, child, "start", 0);
      record.end = number_or(owner, child, "end", -1);
      record.stride = number_or(owner, child, "stride", 1);
      record.part_size = number_or(owner, child, "part_size", 1);
      record.purpose = child.attribute("purpose").value();
      out.records.push_back(record);
    }
    for (const pugi::xml_node child : node.child("back_edges").children("edge")) out.back_edges.push_back(edge(child));
    out.graph = graph(inner);
    return out;
  }

  const Report& wrong_;
};

/// Up to 2022 it was called meta_data.
void read_writers(const pugi::xml_node& root, IrDocument& out) {
  for (const char* part : {"rt_info", "meta_data"})
    for (const char* name : {"MO_version", "Runtime_version"})
      if (const pugi::xml_attribute value = root.child(part).child(name).attribute("value"))
        out.rt_info.emplace_back(name, value.value());
}

}  // namespace

Place IrDocument::place(const IrLayer& layer) const {
  Place place = layer.offset < 0 ? Place{} : text->place(layer.offset);
  place.node = layer.name;
  place.op = layer.type;
  return place;
}

IrDocument read_ir(Files& files, const std::string& name,
                   const std::function<void(const IrDocument&, const IrLayer*, const Detail&)>& wrong) {
  IrDocument out;
  out.text = std::make_shared<XmlReader>(files, name, kIrLimits);
  const pugi::xml_node root = out.text->read();
  if (std::string_view(root.name()) != "net")
    throw Error(Code::UnreadableIr, msg("its root is ", printable(root.name()), ", want net"), out.text->place(root));
  const std::string version = root.attribute("version").value();
  if (version != "10" && version != "11")
    throw Error(Code::UnreadableIr, msg("it is version ", printable(version), ", want 10 or 11"),
                out.text->place(root));
  out.version = version == "10" ? 10 : 11;
  out.name = root.attribute("name").value();
  read_writers(root, out);
  const RecordReader::Report report = [&](const IrLayer* layer, const Detail& what) { wrong(out, layer, what); };
  out.graph = RecordReader(report).graph(root);
  return out;
}

}  // namespace mo
