// AttributeProtos as Attributes: tensors as places, bodies left to the caller.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/base/wire.h"
#include "core/graph/attributes.h"

namespace mo::onnx {

/// Attributes that are graphs: name and GraphProto.
using Bodies = std::vector<std::pair<std::string, WireField>>;

/// Reads the AttributeProtos at `messages`. One that refers to an attribute of the function around it gets that value
/// from `actuals`, or is left out. Graphs go to `bodies`. Throws what read_tensor() throws, BadAttribute, CorruptFile.
Attributes read_attributes(Window& window, Files& files, const std::vector<WireField>& messages,
                           const Attributes* actuals, Bodies& bodies);

}  // namespace mo::onnx
