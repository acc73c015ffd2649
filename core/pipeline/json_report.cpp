#include "core/pipeline/json_report.h"

#include <unordered_set>

#include "core/back/weights/weight_table.h"
#include "core/base/json_text.h"
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

/// "[123.675,58.4,0]", each as short as possible; "" of none.
std::string list_of(const std::vector<double>& numbers) {
  if (numbers.empty()) return {};
  const std::string list = join(
      numbers,
      [](double number) {
        const std::string text = Json(number).dump();
        return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
      },
      ",");
  return cat("[", list, "]");
}

Json row_json(const WeightRow& row) {
  constexpr std::string_view kCpu[] = {"", "small", "expanded"};
  Json out = {{"name", name_in_ir(row.name)},
              {"layer", name_in_ir(row.layer)},
              {"op", row.op},
              {"shape", row.shape},
              {"format", std::string(text_of(row.format))},
              {"group_size", row.group},
              {"before", row.before},
              {"after", row.after}};
  if (row.cpu != WeightsOnCpu::Same) out["cpu"] = kCpu[static_cast<size_t>(row.cpu)];
  if (row.stay != WeightsStay::No) out["stays"] = std::string(text_of(row.stay));
  return out;
}

}  // namespace

Json port_json(const Node& node, const Tensor& tensor, bool again) {
  // Thousands of outputs may be one tensor, which has the names of all of them.
  constexpr size_t kMostNames = 64, kMostBytesAgain = 256;
  const std::string name = name_of(node, tensor);
  size_t bytes = name.size();
  Json names = Json::array();
  for (size_t i = 0; i < std::min(tensor.names.size(), kMostNames); ++i) {
    bytes += tensor.names[i].size();
    if (again && bytes > kMostBytesAgain) break;
    names.push_back(name_in_ir(tensor.names[i]));
  }
  return {{"name", name_in_ir(again && name.size() > kMostBytesAgain ? node.name() : name)},
          {"names", names},
          {"shape", "[" + to_string(tensor.shape) + "]"},
          {"type", std::string(ir_name(tensor.type))}};
}

void add_preparation(Json& facts, const ModelHead& head) {
  if (!head.preparation) return;
  const auto& [file, model, mean, scale, colours, order, sizes, dictionary] = *head.preparation;
  const std::string size = sizes.empty() ? std::string() : cat("[", join(sizes, name_in_ir, ","), "]");
  facts["preparation"] = {{"file", name_in_ir(file)},
                          {"model", name_in_ir(model)},
                          {"mean_values", list_of(mean)},
                          {"scale_values", list_of(scale)},
                          {"colours", name_in_ir(colours)},
                          {"order", name_in_ir(order)},
                          {"size", size},
                          {"dictionary", name_in_ir(dictionary)}};
}

std::string text_of(const Json& json) { return json_of(json); }

std::string json_report(const Graph& graph, const ModelHead& head, const IrSummary& summary, uint64_t bin_bytes) {
  // Port by port: a tree of all values takes ten times as much memory as their text.
  std::string report = cat("{\"name\":", text_of(name_in_ir(graph.model().name)),
                           ",\"framework\":", text_of(graph.model().framework), ",\"inputs\":[");
  const auto add = [&](const Node& node, const Tensor& tensor, bool again) {
    separate(report, text_of(port_json(node, tensor, again)));
  };
  for (Node* node : graph.parameters) add(*node, node->out(0).tensor(), false);
  report += "],\"outputs\":[";
  std::unordered_set<const Tensor*> seen;
  for (Node* node : graph.results)
    if (const OutPort source = node->source(0)) add(*node, source.tensor(), !seen.insert(&source.tensor()).second);
  if (const auto* weights = weight_table(graph.model())) {
    report += "],\"weights\":[";
    for (const WeightRow& row : *weights) separate(report, text_of(row_json(row)));
  }
  Json operations = Json::object();
  for (const auto& [type, count] : summary.operations) operations[type] = count;
  Json rest = {{"operations", operations},
               {"constants", summary.constants},
               {"xml_bytes", summary.xml_bytes},
               {"bin_bytes", bin_bytes},
               {"runtime", summary.runtime}};
  add_preparation(rest, head);
  report += "],";
  return report += text_of(rest).substr(1);
}

}  // namespace mo
