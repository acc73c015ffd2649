// TensorFlow Lite: a FlatBuffer with the identifier TFL3.

#include "core/front/model_file.h"

namespace mo {

std::string_view recognise_tflite(const ModelFile& model) {
  return model.has("TFL3", 4) ? "TensorFlow Lite model" : "";
}

}  // namespace mo
