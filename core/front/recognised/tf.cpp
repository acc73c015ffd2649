// TensorFlow: SavedModel (saved_model.pb) and GraphDef, binary or as text.

#include "core/front/message_head.h"
#include "core/front/model_file.h"

namespace mo {
namespace {

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

}  // namespace

std::string_view recognise_tf(const ModelFile& model) {
  if (model.is_text_with("node {") || model.is_text_with("graph_def {")) return "TensorFlow text graph";
  MessageHead message(model.head());
  HeadField field;
  for (bool has_version = false; message.next(field);) {
    // SavedModel: saved_model_schema_version (1), meta_graphs (2).
    if (has_version) return field.number == 2 && is_meta_graph(field.payload) ? "TensorFlow SavedModel" : "";
    has_version = field.number == 1 && field.is_number;
    if (field.number == 1 && field.is_bytes) return is_node_def(field.payload) ? "TensorFlow frozen graph" : "";
    // GraphDef: node (1); before it may come library (2), version (3), versions (4).
    if (field.number > 4) return {};
  }
  return {};
}

}  // namespace mo
