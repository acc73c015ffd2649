// AttributeProtos as Attributes: tensors as places, bodies left to the caller.
#pragma once

#include <string>
#include <vector>

#include "core/base/proto/wire.h"
#include "core/graph/attributes.h"

namespace mo::onnx {

/// An attribute that is a graph: the GraphProto, or the attribute of the function around it that it refers to.
struct Body {
  std::string attribute;
  WireField message;
  std::string reference;  ///< empty when there is a message
};
using Bodies = std::vector<Body>;

/// Reads the AttributeProtos at `messages`. One that refers to an attribute of the function around it gets that value
/// from `actuals`, or is left out. Graphs, and references that may mean one, go to `bodies`. Throws what read_tensor()
/// throws, BadAttribute, CorruptFile.
Attributes read_attributes(Window& window, Files& files, const std::vector<WireField>& messages,
                           const Attributes* actuals, Bodies& bodies);

}  // namespace mo::onnx
