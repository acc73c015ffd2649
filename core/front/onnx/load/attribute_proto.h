// Reads AttributeProtos as Attributes: tensors become places; bodies are left to the caller.
#pragma once

#include <string>
#include <vector>

#include "core/base/proto/wire.h"
#include "core/graph/attributes.h"

namespace mo::onnx {

/// An attribute that is a graph: a GraphProto, or a reference to an attribute of the enclosing function.
struct Body {
  std::string attribute;
  WireField message;
  std::string reference;  ///< empty if there is a message
};
using Bodies = std::vector<Body>;

/// Reads the AttributeProtos at `messages`. A reference to an attribute of the enclosing function gets its value from
/// `actuals`, or is omitted. Graphs, and references that may be graphs, are added to `bodies`. Throws what
/// read_tensor() throws, BadAttribute, CorruptFile.
Attributes read_attributes(Window& window, Files& files, const std::vector<WireField>& messages,
                           const Attributes* actuals, Bodies& bodies);

}  // namespace mo::onnx
