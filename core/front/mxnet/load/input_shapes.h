// The shapes of inputs in the files that model servers pack beside a symbol: signature.json and model-shapes.json.
#pragma once

#include <map>
#include <string>

#include "core/base/shape.h"
#include "core/front/model_file.h"

namespace mo::mxnet {

/// By the names of inputs; empty if no such file lies beside the model. Throws what read_json() throws.
std::map<std::string, PartialShape> packed_shapes(const ModelFile& model);

}  // namespace mo::mxnet
