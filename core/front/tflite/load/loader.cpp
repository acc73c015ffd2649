// The loader of TensorFlow Lite: a FlatBuffer with the identifier TFL3. An archive may follow it.

#include "core/front/loader.h"

#include "core/front/signatures.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/extract/model.h"
#include "core/front/tflite/load/graph_loader.h"

namespace mo {
namespace tflite {
namespace {

/// The one that the option names; without it the first subgraph is the model. Throws NoSignature.
SignatureRecord chosen_signature(const LoadRequest& request, const std::vector<SignatureRecord>& signatures) {
  const std::string asked = request.options.text("saved_model_signature");
  for (const SignatureRecord& signature : signatures)
    if (asked.empty() ? signature.subgraph == 0 : signature.key == asked) return signature;
  if (asked.empty()) return {};
  std::vector<std::string> known;
  for (const SignatureRecord& signature : signatures) known.push_back(signature.key);
  throw no_signature(asked, known, {.file = request.model.name()});
}

class LiteLoader final : public Loader {
 public:
  bool match(const ModelFile& model) const override { return !model.is_folder() && model.has("TFL3", 4); }

  std::unique_ptr<LoadedModel> load(const LoadRequest& request) const override {
    ModelTables tables(request.graph.files(), request.model.file());
    request.head.operator_sets = {{"tflite", 3}};
    request.head.producer = tables.description();
    const SignatureRecord signature = chosen_signature(request, tables.signatures());
    request.head.signature = signature.key;
    GraphLoader(tables, request.graph, request.diagnostics).load(signature.subgraph);
    return std::make_unique<LiteModel>();
  }

  const Operators& operators() const override { return tflite::operators(); }
};

}  // namespace
}  // namespace tflite

const Loader& loader_tflite() {
  static const tflite::LiteLoader loader;
  return loader;
}

}  // namespace mo
