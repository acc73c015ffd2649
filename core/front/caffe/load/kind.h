// What a file of Caffe is, by its bytes.
#pragma once

#include <optional>

#include "core/front/loader.h"

namespace mo::caffe {

enum class Kind : uint8_t {
  None,
  Network,      ///< NetParameter as text: .prototxt
  Weights,      ///< NetParameter in binary form: .caffemodel
  Solver,       ///< solver.prototxt
  SolverState,  ///< .solverstate
  Mean,         ///< a blob: .binaryproto
  Hdf5,         ///< weights as HDF5: .caffemodel.h5
};

Kind kind_of(const ModelFile& model);
/// Why a file of that kind is no model, and what to do. Empty for networks and weights.
std::optional<LoneCompanion> no_model(Kind kind);

}  // namespace mo::caffe
