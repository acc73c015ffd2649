#include "core/ir/ir_writer.h"

#include <algorithm>

#include "core/graph/body.h"
#include "core/ir/graph_writer.h"

namespace mo {
namespace {

bool is_output(const Node& node) {
  const std::vector<InPort> readers = OutPort(const_cast<Node*>(&node), 0).destinations();
  return std::all_of(readers.begin(), readers.end(), [](InPort port) { return port.node().op() == "Result"; });
}

/// Reports all nodes that IR cannot express, including those of bodies. True when there are none.
bool check_expressible(Graph& model, Diagnostics& diagnostics) {
  const int before = diagnostics.errors();
  const auto refuse = [&](Code code, const Detail& text, const Node& node) {
    diagnostics.add(Error(code, text, node.place()));
  };
  for_each_graph(model, [&](Graph& graph) {
    for (Node* node : graph.nodes()) {
      const OpDef* def = node->definition();
      if (def && !def->gives_tensors && is_output(*node))
        refuse(Code::NotATensor, "a sequence or optional as an output", *node);
      else if (!def || def->type.empty())
        refuse(Code::NotInIr, node->op(), *node);
      for (int i = 0; i < node->out_count() && node->op() != "Result"; ++i) {
        const OutPort port(node, i);
        const ElementType type = port.tensor().type;
        if (type != ElementType::Unknown && !in_ir(type))
          refuse(Code::UnsupportedType, std::string(ir_name(type)), *node);
        else if (type == ElementType::Unknown && !port.disconnected())
          refuse(Code::InvalidGraph, msg("the element type of output ", i, " is unknown"), *node);
      }
    }
  });
  return diagnostics.errors() == before;
}

}  // namespace

void prepare_emit_ir(Graph& graph, const ConversionParameters& parameters, const TextSink& text, BinPlan& plan,
                     IrSummary& summary, Diagnostics& diagnostics, const IrTaker& taker) {
  if (!check_expressible(graph, diagnostics)) return;
  const TextSink counted = [&](std::string_view piece) {
    graph.files().count_output(piece.size());
    text(piece);
  };
  IrOutput out{
      .plan = plan, .xml = XmlText(counted), .operations = {}, .places = summary.places, .layers = summary.layers};
  XmlText& xml = out.xml;
  xml.element("net", [&] {
    xml.attribute("name", graph.model().name);
    xml.attribute("version", "11");
    GraphWriter(graph, out).write(taker);
    xml.element("rt_info", [&] {
      xml.element("MO_version", [&] { xml.attribute("value", cat("mo-wasm ", version())); });
      xml.element("conversion_parameters", [&] {
        for (const auto& parameter : parameters)
          xml.element(parameter.first, [&] { xml.attribute("value", parameter.second); });
      });
      const auto facts = [&](const char* name, const std::vector<std::pair<std::string, std::string>>& pairs) {
        if (pairs.empty()) return;
        xml.element(name, [&] {
          for (const auto& pair : pairs) xml.element(pair.first, [&] { xml.attribute("value", pair.second); });
        });
      };
      facts(graph.model().framework.c_str(), graph.model().facts);
      if (!summary.weight_compression) return;
      xml.element("nncf", [&] {
        xml.element("friendly_names_were_updated", [&] { xml.attribute("value", "True"); });
        facts("weight_compression", *summary.weight_compression);
      });
    });
  });
  summary.operations.assign(out.operations.begin(), out.operations.end());
  summary.constants = out.constants;
  summary.runtime = out.runtime;
  summary.xml_bytes = xml.finish();
}

}  // namespace mo
