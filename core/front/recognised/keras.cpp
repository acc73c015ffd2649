// Files of Keras: layers and weights. The graph is made by Keras, in Python.

#include <algorithm>

#include "core/base/text.h"
#include "core/front/loader.h"

namespace mo {
namespace {

/// The name of the first file in an archive begins behind 30 bytes.
bool is_keras_archive(const ModelFile& model) {
  constexpr std::string_view kParts[] = {"metadata.json", "config.json", "model.weights.h5"};
  return model.has("PK\x03\x04") &&
         std::any_of(std::begin(kParts), std::end(kParts), [&](std::string_view part) { return model.has(part, 30); });
}

}  // namespace

std::string keras_export(const ModelFile& model) {
  const bool is_archive = is_keras_archive(model);
  if (!is_archive && !model.has("\x89HDF\r\n\x1a\n")) return {};
  const std::string load = cat("keras.models.load_model('", printable(model.name()), "')");
  return is_archive ? load + ".export('folder')" : cat("tf_", load, ".save('folder')");
}

}  // namespace mo
