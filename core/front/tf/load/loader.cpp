// The TensorFlow loader: graphs, frozen or beside a checkpoint, MetaGraphs and SavedModels, binary or as text.

#include "core/front/loader.h"

#include <algorithm>

#include "core/base/proto/text_message.h"
#include "core/base/proto/wire_message.h"
#include "core/front/tf/detection/pipeline_config.h"
#include "core/front/tf/extract/extractor.h"
#include "core/front/tf/load/checkpoint_role.h"
#include "core/front/tf/load/event_file.h"
#include "core/front/tf/load/graph_loader.h"
#include "core/front/tf/load/head.h"
#include "core/front/tf/load/kind.h"
#include "core/front/tf/load/prune.h"
#include "core/front/tf/load/saved_model.h"
#include "core/front/tf/load/states.h"
#include "core/front/tf/load/tables.h"
#include "core/front/tf/load/variables.h"
#include "tensorflow_messages.h"

namespace mo::tf {
namespace {

/// A file of a model, and what it is.
struct Found {
  Kind kind = Kind::None;
  bool is_text = false;
  std::string file, folder;  ///< the path of the folder with a slash at its end, or ""
};

Found find(const ModelFile& model) {
  if (model.is_folder()) {
    const std::vector<std::string> files = model.files().list(model.name());
    for (const char* name : {"/saved_model.pb", "/saved_model.pbtxt"})
      if (const std::string path = model.name() + name; std::find(files.begin(), files.end(), path) != files.end())
        return {Kind::SavedModel, path.ends_with("txt"), path, model.name() + "/"};
    return {};
  }
  return {kind_of(model), model.is_text_with(""), model.name(), {}};
}

proto::Message read_model(const Found& found, const Origin& origin) {
  constexpr const char* kMessages[] = {"", "GraphDef", "MetaGraphDef", "SavedModel"};
  const int type = pb::kSchema.message(kMessages[static_cast<size_t>(found.kind)]);
  if (!found.is_text) return proto::read_wire(origin.files, origin.file, pb::kSchema, type);
  return proto::read_text(origin.files, origin.file, {.schema = &pb::kSchema, .type = type, .merge = true});
}

/// The checkpoint that the option names; that of a MetaGraph; for a graph with variables the only one beside it.
std::optional<Checkpoint> checkpoint_of(const LoadRequest& request, const Found& found) {
  const bool verify = request.options.has("verify_checksums");
  const auto make = [&](const std::string& prefix, bool given) {
    return Checkpoint(request.graph.files(), prefix, given, verify);
  };
  if (const auto given = request.options.paths.find("input_checkpoint"); given != request.options.paths.end())
    return make(prefix_of_index(given->second), true);
  if (found.kind == Kind::MetaGraph) return make(prefix_of_meta_graph(found.file), false);
  if (!has_variables(request.graph)) return std::nullopt;
  const Companion beside = request.companion(kCheckpoint);
  if (beside.state == Companion::State::Present) return make(beside.value, false);
  return std::nullopt;
}

/// A graph beside a checkpoint is not frozen. Nodes that initialize and save its variables are no outputs, so outputs
/// have to depend on an input.
void load_graph(const LoadRequest& request, const Origin& origin, const proto::Message& graph_def, const Found& found) {
  GraphLoader loader(request.graph, origin, graph_def, request.diagnostics);
  loader.load();
  if (request.diagnostics.has_errors()) return;
  std::optional<Checkpoint> checkpoint = checkpoint_of(request, found);
  loader.add_results(checkpoint.has_value());
  loader.connect_effects();
  freeze_tables(request.graph, checkpoint ? &*checkpoint : nullptr, request.diagnostics);
  freeze_variables(request.graph, checkpoint ? &*checkpoint : nullptr, request.diagnostics);
  loader.finish();
}

void read_pipeline(const LoadRequest& request) {
  const auto given = request.options.paths.find("tensorflow_object_detection_api_pipeline_config");
  if (given == request.options.paths.end()) return;
  Model& model = request.graph.model();
  model.of_loader =
      std::make_shared<const PipelineConfig>(read_pipeline_config(model.files.read_text(given->second), given->second));
}

class TfModel final : public LoadedModel {
 public:
  /// `graph` is the place of the GraphDef.
  TfModel(const Origin& origin, const WireField& graph)
      : LoadedModel(tf::operators()), origin_(origin), graph_(graph) {}
  void prune(Graph& graph) override {
    // What is not frozen to another value has its default: branches that it never takes are left out.
    for (Node* node : graph.nodes("PlaceholderWithDefault")) node->set_op("Identity");
    keep_states(graph);
    prune_bodies(graph);
  }
  std::vector<Segment> event_file() const override {
    if (origin_.is_text)
      throw Error(Code::OptionNotInBuild, "--tensorboard_logdir of a graph as text",
                  {.file = origin_.files.name(origin_.file)},
                  "TensorBoard takes binary graphs: write the model as .pb");
    return tf::event_file(origin_.files, origin_.file, graph_.offset, graph_.size);
  }

 private:
  bool prepare(Node& node) override {
    return tf::prepare(node, [this](Node& part) { extract(part); });
  }
  void extract_unknown(Node& node) override {
    if (node.op() != "Const") LoadedModel::extract_unknown(node);  // it is one from the start
  }

  Origin origin_;
  WireField graph_;
};

class TfLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return find(model).kind != Kind::None; }
  std::span<const Role> roles() const override {
    static const Role kRoles[] = {kCheckpoint, kOwnCheckpoint};
    return kRoles;
  }
  std::string_view folder_marks() const override { return "saved_model.pb saved_model.pbtxt"; }
  std::optional<LoneCompanion> lone_companion(const ModelFile& model) const override {
    if (!is_checkpoint(model)) return {};
    return LoneCompanion{"a checkpoint has weights and no graph",
                         "give its graph, too: graph.pb with --input_checkpoint, or model.ckpt.meta"};
  }
  /// ONNX's tensors, and what lies beside a SavedModel, are .pb; maps of labels are .pbtxt.
  std::string_view shared_endings() const override { return ".pb .pbtxt"; }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    const Found found = find(request.model);
    Files& files = request.graph.files();
    const FileId file = request.model.is_folder() ? files.open(found.file) : request.model.file();
    read_pipeline(request);
    const Origin origin{files, file, found.is_text};
    const proto::Message model = read_model(found, origin);
    WireField place;
    place.size = files.source(file).size();
    const auto where = [&] { return Place{.file = found.file}; };
    with_place(where, [&] {
      if (found.kind == Kind::Graph) read_graph_head(model, request.head);
      if (found.kind == Kind::MetaGraph) place = place_of_graph(model), read_meta_head(model, request.head);
      if (found.kind == Kind::SavedModel)
        place = load_saved_model(request, origin, model, found.folder);
      else
        load_graph(request, origin, found.kind == Kind::Graph ? model : model.get_message("graph_def"), found);
    });
    return std::make_unique<TfModel>(origin, place);
  }

  const Operators& operators() const override { return tf::operators(); }
};

}  // namespace
}  // namespace mo::tf

namespace mo {

const Loader& loader_tf() {
  static const tf::TfLoader loader;
  return loader;
}

}  // namespace mo
