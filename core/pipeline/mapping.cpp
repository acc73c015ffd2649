#include "core/pipeline/mapping.h"

#include <map>

#include "core/graph/body.h"
#include "core/ir/xml_text.h"

namespace mo {

std::vector<SourceTensor> source_tensors(Graph& model) {
  std::vector<SourceTensor> out;
  for_each_graph(model, [&](Graph& graph) {
    const std::string body = body_path(graph);
    for (Node* node : graph.nodes())
      for (int i = 0; i < node->out_count(); ++i)
        for (const std::string& name : node->out(i).tensor().names)
          out.push_back({name, node->name(), body, i, node->op() == "Const"});
  });
  return out;
}

namespace {

class Places {
 public:
  Places(const std::vector<SourceTensor>& tensors, const TensorPlaces& places) : places_(places) {
    for (const SourceTensor& tensor : tensors) ++named_[tensor.name];
    for (const auto& place : places) by_name_.try_emplace(place.first.second, &place);
  }

  const TensorPlaces::value_type* find(const SourceTensor& tensor) const {
    if (const auto place = places_.find({tensor.body, tensor.name}); place != places_.end()) return &*place;
    const auto other = by_name_.find(tensor.name);
    return other == by_name_.end() || named_.at(tensor.name) > 1 ? nullptr : other->second;
  }

 private:
  const TensorPlaces& places_;
  std::map<std::string, int> named_;
  std::map<std::string, const TensorPlaces::value_type*> by_name_;
};

void write_body_path(XmlText& xml, const std::string& body) {
  if (!body.empty()) xml.attribute("body", body);
}

}  // namespace

std::string mapping(const std::vector<SourceTensor>& tensors, const TensorPlaces& places, Files& files) {
  std::string text;
  const TextSink sink = [&](std::string_view piece) {
    files.count_output(piece.size());
    text += piece;
  };
  XmlText xml(sink);
  const Places found(tensors, places);
  xml.element("mapping", [&] {
    for (const SourceTensor& tensor : tensors)
      xml.element("map", [&] {
        xml.element("framework", [&] {
          xml.attribute("name", tensor.node);
          xml.attribute("output_port_id", tensor.port);
          xml.attribute("tensor", tensor.name);
          write_body_path(xml, tensor.body);
        });
        if (const auto* place = found.find(tensor))
          xml.element("IR", [&] {
            xml.attribute("name", place->second.layer);
            xml.attribute("id", place->second.id);
            xml.attribute("output_port_id", place->second.port);
            write_body_path(xml, place->first.first);
          });
        else
          xml.element("absent", [&] {
            xml.attribute("reason", tensor.is_constant ? "a constant that is part of another, or not needed"
                                                       : "computed together with another tensor, or not needed");
          });
      });
  });
  xml.finish();
  return text;
}

}  // namespace mo
