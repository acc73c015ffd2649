// What a file of Kaldi is, by its bytes.
#pragma once

#include <optional>

#include "core/front/loader.h"

namespace mo::kaldi {

enum class Kind : uint8_t {
  None,
  Network,           ///< nnet1, nnet2 or nnet3: .nnet, .mdl, .raw
  Gaussians,         ///< a transition model and Gaussians: final.mdl of a GMM
  TransitionModel,   ///< such a model alone
  Background,        ///< Gaussians alone: final.dubm, final.ubm
  IvectorExtractor,  ///< final.ie
  Tree,              ///< the decision tree
  Fst,               ///< of OpenFst: HCLG.fst
  Matrix,            ///< a matrix or vector: final.mat, counts
  Archive,           ///< many of them under their names: .ark, and .scp, which lists them
  Other,             ///< another binary object
};

Kind kind_of(const ModelFile& model);
/// Why a file of that kind is no model, and what to do. Empty for networks.
std::optional<LoneCompanion> no_model(Kind kind);
/// The paths of a folder's network, separated by blanks: as Vosk has it, and as recipes leave it.
inline constexpr std::string_view kFolderFiles = "am/final.mdl final.mdl";
/// The first of these that the folder has. Empty if there is none.
std::string model_of_folder(const ModelFile& folder);

}  // namespace mo::kaldi
