// What a file of PaddlePaddle is, by its bytes.
#pragma once

#include "core/front/loader.h"

namespace mo::paddle {

enum class Kind {
  None,
  Program,     ///< ProgramDesc: .pdmodel, __model__
  Pir,         ///< a PIR program: .json
  Parameters,  ///< one record after the other: .pdiparams, __params__, and the file of one parameter
  Pickle,      ///< .pdparams, .pdopt
  Notes,       ///< .pdiparams.info: which parameters an export has
  Lite,        ///< .nb of Paddle-Lite
  Encrypted    ///< __model__.encrypted
};

Kind kind_of(const ModelFile& file);
/// Of either generation.
bool is_program(const ModelFile& file);
/// Not so if it is known to be something else.
bool may_be_parameters(const ModelFile& file);

/// What a file is that belongs to a model, or to training, and what to give instead.
std::optional<LoneCompanion> no_program(Kind kind);

}  // namespace mo::paddle
