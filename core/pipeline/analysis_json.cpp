#include <nlohmann/json.hpp>

#include "core/base/json_text.h"
#include "core/pipeline/json_report.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

Json describe(const Tensor& tensor) {
  Json shape;
  if (tensor.shape.has_rank()) {
    shape = Json::array();
    for (const Dimension& d : tensor.shape.dimensions()) shape.push_back(d.is_exact() ? d.min : -1);
  }
  Json value;
  if (tensor.ints && tensor.ints->is_exact()) value = tensor.ints->exact();
  return {{"shape", shape}, {"data_type", std::string(ir_name(tensor.type))}, {"value", value}};
}

}  // namespace

std::string analysis_json(const Graph& graph) {
  Json inputs = Json::object(), intermediate = Json::object();
  for (Node* node : graph.nodes())
    for (int i = 0; i < node->out_count() && node->op() != "Result" && node->op() != "Const"; ++i) {
      const Tensor& tensor = node->out(i).tensor();
      const std::string name = tensor.names.empty() ? cat(node->name(), ":", i) : tensor.names[0];
      (node->op() == "Parameter" ? inputs : intermediate)[name_in_ir(name)] = describe(tensor);
    }
  const Json analysis = {{"inputs", inputs}, {"intermediate", intermediate}};
  return json_of(analysis);
}

}  // namespace mo
