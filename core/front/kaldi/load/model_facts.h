// What transformations for Kaldi need of the request: the loader leaves it in Model::of_loader.
#pragma once

#include "core/base/content.h"
#include "core/graph/model.h"

namespace mo::kaldi {

struct ModelFacts {
  Constant counts;                     ///< of --counts, [elements] of f32; without content if not given
  bool remove_output_softmax = false;  ///< --remove_output_softmax
  bool remove_memory = false;          ///< --remove_memory
};

/// Never null for a model of Kaldi that a loader has made; null for others.
inline const ModelFacts* facts_of(const Model& model) {
  return model.framework == "kaldi" ? static_cast<const ModelFacts*>(model.of_loader.get()) : nullptr;
}

}  // namespace mo::kaldi
