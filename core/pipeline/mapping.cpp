#include "core/pipeline/mapping.h"

#include "core/base/text.h"
#include "core/graph/body.h"
#include "core/ir/xml_text.h"

namespace mo {

std::vector<SourceTensor> source_tensors(Graph& model) {
  std::vector<SourceTensor> out;
  for_each_graph(model, [&](Graph& graph) {
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->out_count(); ++i)
        for (const std::string& name : node->out(i).tensor().names)
          out.push_back({name, node->name(), i, node->op() == "Const"});
  });
  return out;
}

std::string mapping(const std::vector<SourceTensor>& tensors, const TensorPlaces& places) {
  std::string text;
  const TextSink sink = [&](std::string_view piece) { text += piece; };
  XmlText xml(sink);
  xml.declaration();
  xml.open("mapping", 0, [](pugi::xml_node) {});
  for (const SourceTensor& tensor : tensors)
    xml.element("map", 1, [&](pugi::xml_node map) {
      pugi::xml_node from = map.append_child("framework");
      put(from, "name", printable(tensor.node));
      from.append_attribute("output_port_id") = tensor.port;
      put(from, "tensor", printable(tensor.name));
      if (const auto place = places.find(tensor.name); place != places.end()) {
        pugi::xml_node to = map.append_child("IR");
        put(to, "name", printable(place->second.layer));
        to.append_attribute("id") = place->second.id;
        to.append_attribute("output_port_id") = place->second.port;
      } else {
        put(map.append_child("absent"), "reason",
            tensor.is_constant ? "a constant that is part of another, or not needed"
                               : "computed together with another tensor, or not needed");
      }
    });
  xml.close("mapping", 0);
  xml.finish();
  return text;
}

}  // namespace mo
