// Files that users may pass although no framework here reads them.

#include "core/front/model_file.h"

namespace mo {

Recognised recognise_others(const ModelFile& model) {
  struct Signature {
    size_t offset;
    std::string_view bytes, title, hint = {};
  };
  constexpr std::string_view kUnpack = "export a PyTorch model to ONNX; unpack an archive of another model";
  constexpr std::string_view kConverted = "it is what a conversion gives: load it with OpenVINO, beside its .bin";
  constexpr Signature kSignatures[] = {
      {0, "PK\x03\x04", "PyTorch checkpoint or zip archive", kUnpack},
      {0, "\x80\x02", "Python pickle"},
      {0, "<?xml", "OpenVINO IR", kConverted},
      {0, "<net", "OpenVINO IR", kConverted},
      {4, "MNNB", "MNN model"},
  };
  for (const Signature& signature : kSignatures)
    if (model.has(signature.bytes, signature.offset)) return {signature.title, signature.hint};
  return {};
}

}  // namespace mo
