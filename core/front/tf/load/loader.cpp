// The TensorFlow loader: frozen graphs, binary or as text.

#include "core/front/loader.h"

#include "core/base/proto/text_message.h"
#include "core/base/proto/wire_message.h"
#include "core/front/message_head.h"
#include "core/front/tf/extract/extractor.h"
#include "core/front/tf/load/graph_loader.h"
#include "graph_def_messages.h"

namespace mo::tf {
namespace {

enum class Kind { None, Graph, TextGraph, SavedModel };

/// MetaGraphDef: begins with its meta_info_def (1), or with its graph_def (2), both messages.
bool is_meta_graph(std::string_view message) {
  const HeadField field = first_field(message);
  return field.is_bytes && (field.number == 1 || field.number == 2);
}

/// NodeDef: name (1) and op (2) are texts.
bool is_node_def(std::string_view message) {
  const HeadField field = first_field(message);
  return field.is_bytes && (field.number == 1 || field.number == 2) && is_name(field.payload);
}

Kind kind_of(const ModelFile& model) {
  if (model.is_folder()) return Kind::None;
  for (const char* word : {"node {", "node{", "node: {", "graph_def {"})
    if (model.is_text_with(word)) return Kind::TextGraph;
  MessageHead message(model.head());
  HeadField field;
  for (bool has_version = false; message.next(field);) {
    // SavedModel: saved_model_schema_version (1), meta_graphs (2).
    if (has_version) return field.number == 2 && is_meta_graph(field.payload) ? Kind::SavedModel : Kind::None;
    has_version = field.number == 1 && field.is_number;
    if (field.number == 1 && field.is_bytes) return is_node_def(field.payload) ? Kind::Graph : Kind::None;
    // GraphDef: node (1); before it may come library (2), version (3), versions (4).
    if (field.number > 4) return Kind::None;
  }
  return Kind::None;
}

proto::Message read_graph(const LoadRequest& request, Kind kind) {
  const int type = pb::kSchema.message("GraphDef");
  Files& files = request.graph.files();
  if (kind == Kind::Graph) return proto::read_wire(files, request.model.file(), pb::kSchema, type);
  return proto::read_text(files.read_text(request.model.name()),
                          {.file = request.model.name(), .schema = &pb::kSchema, .type = type, .merge = true});
}

class TfModel final : public LoadedModel {
 public:
  void extract(Node& node) override { tf::extract(node); }
};

class TfLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return kind_of(model) != Kind::None; }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    const Kind kind = kind_of(request.model);
    if (kind == Kind::SavedModel)
      throw Error(Code::OtherFormat, "TensorFlow SavedModel: not in this build", {.file = request.model.name()});
    const Origin origin{request.graph.files(), request.model.file(), kind == Kind::TextGraph};
    GraphLoader(request.graph, origin, request.diagnostics).load(read_graph(request, kind));
    return std::make_unique<TfModel>();
  }
};

}  // namespace
}  // namespace mo::tf

namespace mo {

const Loader& loader_tf() {
  static const tf::TfLoader loader;
  return loader;
}

}  // namespace mo
