// What --transform asks for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/model.h"

namespace mo {

struct TransformRequest {
  enum class Kind { MakeStateful, LowLatency2, Pruning };
  Kind kind;
  bool use_const_initializer = true;                   ///< LowLatency2: states begin with zeros
  std::map<std::string, std::string> param_res_names;  ///< MakeStateful: inputs, and the outputs that they become
};

/// The value of --transform: NAME or NAME[key=value;key=value], separated by commas, in the order in which they are
/// carried out. Throws BadTransformSyntax, BadTransformAttributes, TransformNotAvailable.
std::vector<TransformRequest> parse_transforms(std::string_view text);

/// Asks the model's transformation ApplyRequestedTransforms for them.
void request_transforms(Model& model, std::vector<TransformRequest> requests);
/// Null if nothing is asked for.
const std::vector<TransformRequest>* requested_transforms(const Model& model);

}  // namespace mo
