// Files that users may pass although no framework here reads them.

#include "core/front/model_file.h"

namespace mo {

std::string_view recognise_others(const ModelFile& model) {
  struct Signature {
    size_t offset;
    std::string_view bytes, title;
  };
  constexpr Signature kSignatures[] = {
      {0, "PK\x03\x04", "PyTorch checkpoint or zip archive"},
      {0, "\x80\x02", "Python pickle"},
      {0, "<?xml", "OpenVINO IR"},
      {0, "<net", "OpenVINO IR"},
      {4, "MNNB", "MNN model"},
  };
  for (const Signature& signature : kSignatures)
    if (model.has(signature.bytes, signature.offset)) return signature.title;
  return {};
}

}  // namespace mo
