#include <set>

#include "core/base/hash.h"
#include "core/base/json_text.h"
#include "core/graph/framework_node.h"
#include "core/pipeline/json_report.h"
#include "core/pipeline/port_json.h"

namespace mo {
namespace {

using Json = nlohmann::ordered_json;

Json input_json(const Node& parameter) {
  Tensor tensor = OutPort(const_cast<Node*>(&parameter), 0).tensor();
  if (const auto* shape = parameter.attributes.get_if<PartialShape>("shape")) tensor.shape = *shape;
  tensor.type = parameter.get_type("data_type");
  return port_json(parameter, tensor);
}

/// Without shape and type where the file does not give them.
Json output_json(const Node& result, const ModelHead& head, bool again) {
  Tensor tensor = result.source(0).tensor();
  const ModelHead::Output* known = nullptr;
  for (const std::string& name : tensor.names)
    if (const auto found = head.outputs.find(name); found != head.outputs.end() && !known) known = &found->second;
  if (known) tensor.shape = known->shape, tensor.type = known->type;
  Json out = port_json(result, tensor, again);
  if (!tensor.shape.has_rank()) out.erase("shape");
  if (tensor.type == ElementType::Unknown) out.erase("type");
  return out;
}

/// The operations of the framework by type.
std::map<std::string, uint64_t> count_operations(Graph& model) {
  std::map<std::pair<std::string_view, std::string_view>, uint64_t> counts;
  for_each_graph(model, [&](Graph& graph) {
    for (const Node* node : graph.nodes())
      if (node->pb && node->op() != "Const" && node->op() != "Parameter" && node->pb->op != "Constant")
        ++counts[{node->pb->domain, node->pb->op}];
  });
  std::map<std::string, uint64_t> named;
  for (const auto& [type, count] : counts)
    named[name_in_ir(type.first.empty() ? std::string(type.second) : cat(type.first, ".", type.second))] += count;
  return named;
}

struct Weights {
  uint64_t constants = 0, bytes = 0, f32 = 0, fp16 = 0;
};

/// Constants with the same place, or the same bytes where they are in memory, are once in the .bin.
Weights measure_constants(Graph& model) {
  Weights out;
  std::set<std::string> places;
  for_each_graph(model, [&](Graph& graph) {
    for (const Node* node : graph.nodes("Const")) {
      const Constant* value = node->get_constant("value");
      if (!value || !value->content) continue;
      const uint64_t size = value->content->size();
      ++out.constants, out.bytes += size;
      std::string place = value->content->identity();
      if (value->content->kind() == Content::Kind::Owned)
        place = to_string(hash_of(static_cast<const OwnedContent&>(*value->content).bytes));
      if (!places.insert(std::move(place)).second) continue;
      out.f32 += size;
      out.fp16 += value->type == ElementType::F32 ? size / 2 : value->type == ElementType::F64 ? size / 4 : size;
    }
  });
  return out;
}

/// What neither extraction nor a clean-up changes.
Json first_facts(Graph& graph, const Format& format, const ModelHead& head) {
  Json sets = Json::array(), tags = Json::array(), inputs = Json::array(), outputs = Json::array(),
       operations = Json::object();
  std::set<const Tensor*> seen;
  for (const auto& [domain, version] : head.operator_sets)
    sets.push_back({{"domain", name_in_ir(domain)}, {"version", version}});
  for (const std::string& tag : head.tags) tags.push_back(name_in_ir(tag));
  for (const Node* node : graph.parameters) inputs.push_back(input_json(*node));
  for (const Node* node : graph.results)
    if (const OutPort source = node->source(0))
      outputs.push_back(output_json(*node, head, !seen.insert(&source.tensor()).second));
  uint64_t nodes = 0;
  for (const auto& [type, count] : count_operations(graph)) operations[type] = count, nodes += count;
  Json out = {{"name", name_in_ir(graph.model().name)},
              {"framework", format.framework},
              {"format", format.title},
              {"producer", name_in_ir(head.producer)},
              {"producer_version", name_in_ir(head.producer_version)},
              {"operator_sets", sets},
              {"signature", name_in_ir(head.signature)},
              {"tags", tags},
              {"inputs", inputs},
              {"outputs", outputs},
              {"operations", operations},
              {"nodes", nodes}};
  add_preparation(out, head);
  return out;
}

}  // namespace

std::string first_facts_json(Graph& graph, const Format& format, const ModelHead& head) {
  return text_of(first_facts(graph, format, head));
}

std::string inspection_json(Graph& graph, const Format& format, const ModelHead& head) {
  Json out = first_facts(graph, format, head), missing = Json::array();
  const std::string missing_file = Error(Code::MissingDataFile).message().code;
  for (const Message& message : graph.model().diagnostics.messages())
    if (message.code == missing_file) missing.push_back(name_in_ir(message.file));
  graph.clean_up();  // only what is used counts
  const Weights weights = measure_constants(graph);
  out["constants"] = weights.constants;
  out["constant_bytes"] = weights.bytes;
  out["bin_bytes"] = {{"f32", weights.f32}, {"fp16", weights.fp16}};
  out["missing_files"] = missing;
  return text_of(out);
}

void add_weight_sizes(std::string& facts, const WeightSizes& sizes) {
  const Json more = {
      {"weight_sizes", {{"fp32", sizes.fp32}, {"fp16", sizes.fp16}, {"int8", sizes.int8}, {"int4", sizes.int4}}}};
  facts.back() = ',';
  facts += text_of(more).substr(1);
}

}  // namespace mo
