#include "core/ir/read/ir_graph_json.h"

#include "core/base/json_text.h"
#include "core/ir/read/ir_ports.h"

namespace mo {
namespace {

std::string readable_json(std::string_view text) { return json_text(readable_part(text)); }

void add_field(std::string& out, std::string_view name, std::string_view json) {
  separate(out, "\""), out += name, out += "\":", out += json;
}

std::string inputs_json(const IrNet& net, uint32_t layer) {
  std::string out = "[";
  for (uint32_t i = 0; i < net.layer(layer).inputs.size(); ++i) {
    const IrNet::End end = net.source(layer, i);
    separate(out, end ? cat("[", end.layer, ",", end.port, "]") : "null");
  }
  return out += ']';
}

std::string outputs_json(const IrLayer& layer) {
  std::string out = "[";
  for (const IrPort& port : layer.outputs) {
    std::string tensor = "{";
    add_field(tensor, "shape", readable_json(shape_of_port(port)));
    add_field(tensor, "type", readable_json(type_of_port(port)));
    if (const std::vector<std::string> names = names_of_port(port); !names.empty())
      add_field(tensor, "names", cat("[", join(names, readable_json, ","), "]"));
    separate(out, tensor += '}');
  }
  return out += ']';
}

std::string attributes_json(const IrLayer& layer) {
  std::string out = "{";
  for (const auto& [name, value] : layer.attributes)
    separate(out, readable_json(name)), out += ':', out += readable_json(value);
  return out += '}';
}

class IrGraphJson {
 public:
  explicit IrGraphJson(const IrDocument& document) : document_(document) {}

  void add(const IrNet& net, const std::string& path) {
    for (uint32_t i = 0; i < net.size(); ++i) {
      separate(nodes_, node_json(net, i, path));
      // The reader's limit of depth is that of bodies in each other.
      for (const IrBody& body : net.layer(i).bodies)
        add(IrNet(body.graph, types_), cat(path, path.empty() ? "" : "/", i, ".", body.name));
    }
  }
  std::string take() { return cat("{\"nodes\":[", nodes_, "]}"); }

 private:
  std::string node_json(const IrNet& net, uint32_t i, const std::string& path) const {
    const IrLayer& layer = net.layer(i);
    const Place place = document_.place(layer);
    std::string out = "{";
    if (!path.empty()) add_field(out, "graph", json_text(path));
    add_field(out, "id", std::to_string(i));
    add_field(out, "name", readable_json(layer.name));
    add_field(out, "op", readable_json(layer.type));
    if (!layer.inputs.empty()) add_field(out, "in", inputs_json(net, i));
    if (!layer.outputs.empty()) add_field(out, "out", outputs_json(layer));
    if (!layer.attributes.empty()) add_field(out, "attributes", attributes_json(layer));
    add_field(out, "layer", std::to_string(layer.id));
    add_field(out, "version", readable_json(layer.version));
    add_field(out, "line", std::to_string(place.line));
    add_field(out, "column", std::to_string(place.column));
    return out += '}';
  }

  const IrDocument& document_;
  IrTypeNumbers types_;
  std::string nodes_;
};

}  // namespace

std::string ir_graph_json(const IrDocument& document, const IrNet& net) {
  IrGraphJson out(document);
  out.add(net, {});
  return out.take();
}

}  // namespace mo
