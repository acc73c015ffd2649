// The loader of TensorFlow Lite: a FlatBuffer with the identifier TFL3. An archive may follow it.

#include "core/front/loader.h"

#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/load/graph_loader.h"

namespace mo {
namespace tflite {
namespace {

class LiteModel final : public LoadedModel {
 public:
  void extract(Node& node) override { tflite::extract(node); }
};

class LiteLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return !model.is_folder() && model.has("TFL3", 4); }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    ModelTables tables(request.graph.files(), request.model.file());
    request.head.operator_sets = {{"tflite", 3}};
    request.head.producer = tables.description();
    GraphLoader(tables, request.graph, request.diagnostics).load();
    return std::make_unique<LiteModel>();
  }
};

}  // namespace
}  // namespace tflite

const Loader& loader_tflite() {
  static const tflite::LiteLoader loader;
  return loader;
}

}  // namespace mo
