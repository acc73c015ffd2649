#include "core/ir/read/ir_facts.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/ir/read/ir_ports.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

using IrJson = nlohmann::ordered_json;

struct IrCounts {
  uint64_t layers = 0, constants = 0, bytes = 0, needed = 0;
  std::map<std::string, uint64_t> operations;
  std::set<std::pair<uint64_t, uint64_t>> places;

  void add(const IrGraph& graph) {
    for (const IrLayer& layer : graph.layers) {
      ++layers;
      if (layer.type == "Const")
        ++constants, add_place(layer);
      else
        ++operations[layer.type];
      for (const IrBody& body : layer.bodies) add(body.graph);
    }
  }

  /// Constants that share a place count once. What is no place is the verifier's.
  void add_place(const IrLayer& constant) {
    const auto place = place_of(constant);
    if (!place || place->offset > INT64_MAX - place->size) return;
    needed = std::max(needed, place->offset + place->size);
    if (!places.emplace(place->offset, place->size).second) return;
    bytes = std::min(bytes, static_cast<uint64_t>(INT64_MAX)) + place->size;
  }
};

/// The tensor is an output of the Parameter, or what the Result reads. Only attributes of a Parameter have intervals
/// and tell a scalar from an unknown rank.
IrJson port_of(const IrLayer& layer, const IrPort& tensor, const IrPort& port) {
  const std::string *shape = attribute_of(layer, "shape"), *type = attribute_of(layer, "element_type");
  std::string dims(shape ? readable_part(*shape) : std::string_view());
  std::erase(dims, ' ');
  IrJson names = IrJson::array();
  for (const std::string& name : names_of_port(tensor)) names.push_back(name);
  // The name of a Result is made up.
  const bool is_named = layer.type != "Result" || names.empty();
  return {{"name", is_named ? IrJson(readable_part(layer.name)) : names[0]},
          {"names", names},
          {"shape", shape ? cat("[", dims, "]") : shape_of_port(port)},
          {"type", type ? std::string(readable_part(*type)) : type_of_port(port)}};
}

}  // namespace

IrJson ir_facts(const IrDocument& document, const IrNet& net, std::optional<uint64_t> bin_size) {
  IrCounts counts;
  counts.add(document.graph);
  IrJson inputs = IrJson::array(), outputs = IrJson::array(), rt_info = IrJson::object();
  for (uint32_t i = 0; i < net.size(); ++i) {
    const IrLayer& layer = net.layer(i);
    if (layer.type == "Parameter" && !layer.outputs.empty())
      inputs.push_back(port_of(layer, layer.outputs[0], layer.outputs[0]));
    if (layer.type != "Result" || layer.inputs.empty()) continue;
    const IrNet::End end = net.source(i, 0);
    outputs.push_back(port_of(layer, end ? net.layer(end.layer).outputs[end.port] : layer.inputs[0], layer.inputs[0]));
  }
  for (const auto& [key, value] : document.rt_info) rt_info[key] = readable_part(value);
  IrJson facts = {{"name", document.name},
                  {"version", document.version},
                  {"rt_info", rt_info},
                  {"inputs", inputs},
                  {"outputs", outputs},
                  {"layers", counts.layers},
                  {"constants", counts.constants},
                  {"operations", counts.operations},
                  {"constant_bytes", counts.bytes},
                  {"bin_needed", counts.needed}};
  facts["bin_bytes"] = bin_size ? IrJson(*bin_size) : IrJson();
  return facts;
}

}  // namespace mo
