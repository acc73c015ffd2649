// Kaldi: nnet1, nnet2 and nnet3, binary or as text.

#include "core/front/model_file.h"

namespace mo {

Recognised recognise_kaldi(const ModelFile& model) {
  using namespace std::string_view_literals;
  return model.has("\0B"sv) || model.has("<Nnet>") || model.has("<Nnet3>") ? "Kaldi model" : "";
}

}  // namespace mo
