// The ONNX loader: a single walk over the file makes one Node for each NodeProto; weights become slices.

#include "core/front/loader.h"

#include "core/base/proto/wire_message.h"
#include "core/front/message_head.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/model.h"
#include "core/front/onnx/load/graph_loader.h"
#include "onnx_messages.h"

namespace mo::onnx {
namespace {

/// Other files begin like a ModelProto, but their fields are not name and version of a producer: 2 is the meta graph of
/// a SavedModel, 3 a blob of the state of Caffe's solver.
bool is_other(const ModelFile& model) {
  MessageHead message(model.head());
  for (HeadField field; message.next(field) && field.number != pb::ModelProto::graph;)
    if ((field.number == pb::ModelProto::producer_name || field.number == pb::ModelProto::producer_version) &&
        !is_name(field.payload))
      return true;
  return false;
}

/// Whether the first fields of the file, up to the graph and at most 64, are fields of ModelProto with the right wire
/// type, and there is a graph or the first field is ir_version.
bool has_fields(Window& window) {
  const int model = pb::kSchema.message("ModelProto");
  bool recognised = false;
  try {
    WireReader reader(window, 0, window.size());
    WireField f;
    for (int i = 0; i < 64 && reader.next(f); ++i) {
      const proto::FieldRow* row = pb::kSchema.field(model, f.number);
      if (!row || !proto::fits(*row, f.type)) return false;
      const bool version = f.number == pb::ModelProto::ir_version, graph = f.number == pb::ModelProto::graph;
      if (version && f.value > 1000) return false;
      recognised |= graph || (version && i == 0);
      if (graph) break;
    }
  } catch (const Error& error) {
    return recognised && error.code() == Code::TruncatedFile;
  }
  return recognised;
}

class OnnxLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override {
    if (model.is_folder()) return false;
    Window window(model.files(), model.file());
    return !is_other(model) && has_fields(window);
  }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    Window window(request.graph.files(), request.model.file());
    ModelLoader(request.graph, window, request.diagnostics).load(request.head);
    return std::make_unique<OnnxModel>();
  }

  const Operators& operators() const override { return onnx::operators(); }
};

}  // namespace
}  // namespace mo::onnx

namespace mo {

const Loader& loader_onnx() {
  static const onnx::OnnxLoader loader;
  return loader;
}

}  // namespace mo
