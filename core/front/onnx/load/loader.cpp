// The ONNX loader: one walk over the file, one Node for each NodeProto, weights as places.

#include "core/front/loader.h"

#include "core/front/message_head.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/load/graph_loader.h"

namespace mo::onnx {
namespace {

/// SavedModel begins like a ModelProto. But its field 2 is a meta graph: no name of a producer.
bool is_saved_model(const ModelFile& model) {
  MessageHead message(model.head());
  for (HeadField field; message.next(field) && field.number != 7;)
    if (field.number == 2 && !is_name(field.payload)) return true;
  return false;
}

/// Whether every field of the head of the file is one of ModelProto's, of its wire type; a graph or an ir_version among
/// them.
bool has_fields(Window& window) {
  bool told = false;
  try {
    WireReader reader(window, 0, window.size());
    WireField f;
    for (int i = 0; i < 64 && reader.next(f); ++i) {
      const bool number = f.number == 1 || f.number == 5;
      const bool bytes =
          (f.number >= 2 && f.number <= 8) || f.number == 14 || f.number == 20 || f.number == 25 || f.number == 26;
      if (!(number && f.type == WireField::Varint) && !(bytes && f.number != 5 && f.is_bytes())) return false;
      if (f.number == 1 && f.value > 1000) return false;
      told |= f.number == 7 || (f.number == 8 && told) || (f.number == 1 && i == 0);
      if (f.number == 7) break;
    }
  } catch (const Error& error) {
    return told && error.code() == Code::TruncatedFile;
  }
  return told;
}

class OnnxModel final : public LoadedModel {
 public:
  void extract(Node& node) override { onnx::extract(node); }
};

class OnnxLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override {
    if (model.is_folder()) return false;
    Window window(model.files(), model.file());
    return !is_saved_model(model) && has_fields(window);
  }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    Window window(request.graph.files(), request.model.file());
    ModelLoader(request.graph, window, request.diagnostics).load();
    return std::make_unique<OnnxModel>();
  }
};

}  // namespace
}  // namespace mo::onnx

namespace mo {

const Loader& loader_onnx() {
  static const onnx::OnnxLoader loader;
  return loader;
}

}  // namespace mo
