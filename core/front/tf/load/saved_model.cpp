#include "core/front/tf/load/saved_model.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/front/signatures.h"
#include "core/front/tf/load/graph_loader.h"
#include "core/front/tf/load/head.h"
#include "core/front/tf/load/tables.h"
#include "core/front/tf/load/variables.h"

namespace mo::tf {
namespace {

constexpr const char *kUsualTag = "serve", *kUsualSignature = "serving_default",
                     *kWithSignature =
                         "save it with one: tf.saved_model.save(model, folder, "
                         "signatures=model.call.get_concrete_function(...))";
/// This signature runs initializers; it is not the model.
constexpr std::string_view kInitializer = "__saved_model_init_op";

std::set<std::string> tags_of(const proto::Message& meta_graph) {
  const std::vector<std::string> tags = meta_graph.get_message("meta_info_def").strings("tags");
  return {tags.begin(), tags.end()};
}

std::string listed(const std::set<std::string>& words) {
  return words.empty() ? "none" : join(words, [](const std::string& word) { return printable(word); });
}

proto::Message meta_graph_of(const LoadRequest& request, const proto::Message& saved_model) {
  std::set<std::string> asked;
  const std::string given = request.options.text("saved_model_tags");
  for (const std::string& tag : split(given.empty() ? kUsualTag : given, ','))
    if (!trim(tag).empty()) asked.emplace(trim(tag));
  const std::vector<proto::Message> graphs = saved_model.messages("meta_graphs");
  std::string known;
  for (const proto::Message& graph : graphs) {
    const std::set<std::string> tags = tags_of(graph);
    if (tags == asked) return graph;
    known += cat(known.empty() ? "" : "; ", listed(tags));
  }
  if (graphs.size() == 1 && given.empty()) return graphs[0];
  throw Error(Code::NoMetaGraph,
              msg("the tags are ", listed(asked), "; there is ", known.empty() ? Detail("none") : Detail(known)));
}

using Keys = std::map<std::string, std::string>;  ///< the tensor of each key

struct Signature {
  Keys inputs, outputs;
};

Keys tensors_of(const proto::Message& signature, const char* side) {
  Keys out;
  for (const proto::Message& entry : signature.messages(side))
    out[entry.get_string("key")] = entry.get_message("value").get_string("name");
  return out;
}

Signature signature_of(const LoadRequest& request, const proto::Message& meta_graph) {
  std::map<std::string, proto::Message> known;
  for (const proto::Message& entry : meta_graph.messages("signature_def"))
    if (const std::string key = entry.get_string("key"); key != kInitializer)
      known.emplace(key, entry.get_message("value"));
  const std::string given = request.options.text("saved_model_signature");
  auto found = known.find(given.empty() ? kUsualSignature : given);
  if (found == known.end() && given.empty() && known.size() == 1) found = known.begin();
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto& [key, signature] : known) names.push_back(key);
    throw no_signature(given.empty() ? kUsualSignature : given, names, {},
                       known.empty() ? Detail::words(kWithSignature) : Detail());
  }
  read_signature_head(found->first, found->second, request.head);
  return {tensors_of(found->second, "inputs"), tensors_of(found->second, "outputs")};
}

OutPort tensor_of(GraphLoader& loader, const std::string& key, const std::string& name) {
  if (const OutPort tensor = loader.tensor(name)) return tensor;
  throw Error(Code::UnknownTensor, msg(printable(name), ", which the signature calls ", printable(key)),
              {.tensor = name});
}

/// The inputs of a signature, in the order of their keys, are the first ones of the model. TensorFlow 2 names their
/// nodes serving_default_KEY; such a node gets the key as name.
void name_inputs(Graph& graph, GraphLoader& loader, const Keys& inputs) {
  std::vector<Node*> first;
  for (const auto& [key, name] : inputs) {
    Node& node = tensor_of(loader, key, name).node();
    if (node.op() != "Parameter") continue;
    node.out().tensor().add_name(key);
    node.out().tensor().add_name(name);
    if (std::find(first.begin(), first.end(), &node) != first.end()) continue;  // a second key of the same input
    if (node.name() == cat(kUsualSignature, "_", key)) node.set_name(graph.unique_name(key));
    first.push_back(&node);
  }
  const auto is_first = [&](Node* node) { return std::find(first.begin(), first.end(), node) != first.end(); };
  for (Node* node : std::vector<Node*>(graph.parameters))
    if (!is_first(node) && node->out().disconnected()) graph.remove(*node);  // such as the name of the checkpoint
  std::stable_partition(graph.parameters.begin(), graph.parameters.end(), is_first);
  std::copy(first.begin(), first.end(), graph.parameters.begin());
}

}  // namespace

WireField place_of_graph(const proto::Message& meta_graph) {
  const proto::Entries graphs = meta_graph.occurrences("graph_def");
  return graphs.empty() ? WireField() : graphs.back().field;
}

WireField load_saved_model(const LoadRequest& request, const Origin& origin, const proto::Message& saved_model,
                           const std::string& folder) {
  const proto::Message meta_graph = meta_graph_of(request, saved_model);
  read_meta_head(meta_graph, request.head);
  const Signature signature = signature_of(request, meta_graph);
  const proto::Message graph_def = meta_graph.get_message("graph_def");
  const WireField place = place_of_graph(meta_graph);
  Graph& graph = request.graph;
  GraphLoader loader(graph, origin, graph_def, request.diagnostics);
  loader.load();
  if (request.diagnostics.has_errors()) return place;
  for (const auto& [key, name] : signature.outputs) {
    const OutPort tensor = tensor_of(loader, key, name);
    tensor.tensor().add_name(key);
    tensor.tensor().add_name(name);
    loader.add_result(tensor, key + "/sink_port_0", name);
  }
  loader.connect_effects();
  Checkpoint checkpoint(graph.files(), folder + "variables/variables", false, request.options.has("verify_checksums"));
  freeze_tables(graph, &checkpoint, request.diagnostics);
  freeze_variables(graph, &checkpoint, request.diagnostics);
  name_inputs(graph, loader, signature.inputs);
  loader.finish();
  return place;
}

}  // namespace mo::tf
