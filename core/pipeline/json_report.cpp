#include "core/pipeline/json_report.h"

#include "core/base/text.h"
#include "core/pipeline/port_json.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

/// An output is named after its Result, if that name is one of the tensor's: then the framework gives it, as the key of
/// a signature.
std::string name_of(const Node& node, const Tensor& tensor) {
  if (tensor.names.empty()) return node.name();
  constexpr std::string_view kEnd = "/sink_port_0";
  const std::string& name = node.name();
  const std::string key = name.ends_with(kEnd) ? name.substr(0, name.size() - kEnd.size()) : name;
  return tensor.has_name(key) ? key : tensor.names[0];
}

}  // namespace

Json port_json(const Node& node, const Tensor& tensor) {
  // Thousands of outputs may be one tensor, which has the names of all of them.
  constexpr size_t kMostNames = 64;
  Json names = Json::array();
  for (size_t i = 0; i < std::min(tensor.names.size(), kMostNames); ++i) names.push_back(printable(tensor.names[i]));
  return {{"name", printable(name_of(node, tensor))},
          {"names", names},
          {"shape", "[" + to_string(tensor.shape) + "]"},
          {"type", std::string(ir_name(tensor.type))}};
}

std::string json_report(const Graph& graph, const IrSummary& summary, uint64_t bin_bytes) {
  Json inputs = Json::array(), outputs = Json::array(), operations = Json::object();
  for (Node* node : graph.parameters) inputs.push_back(port_json(*node, node->out(0).tensor()));
  for (Node* node : graph.results)
    if (const OutPort source = node->source(0)) outputs.push_back(port_json(*node, source.tensor()));
  for (const auto& [type, count] : summary.operations) operations[type] = count;
  const Json report = {{"name", printable(graph.model().name)},
                       {"framework", graph.model().framework},
                       {"inputs", inputs},
                       {"outputs", outputs},
                       {"operations", operations},
                       {"constants", summary.constants},
                       {"xml_bytes", summary.xml_bytes},
                       {"bin_bytes", bin_bytes},
                       {"runtime", summary.runtime}};
  return report.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace mo
