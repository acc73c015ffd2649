// MXNet: a list of arrays (.params) and the graph as JSON.

#include "core/front/model_file.h"

namespace mo {

Recognised recognise_mxnet(const ModelFile& model) {
  using namespace std::string_view_literals;
  if (model.has("\x12\x01\0\0\0\0\0\0"sv)) return "MXNet parameters";
  return model.is_text_with("\"nodes\"") && model.is_text_with("\"op\"") ? "MXNet symbol" : "";
}

}  // namespace mo
