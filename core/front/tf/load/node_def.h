// A NodeDef: one operation of a graph or a function.
#pragma once

#include <string>
#include <vector>

#include "core/front/tf/load/tensor_proto.h"
#include "core/graph/attributes.h"

namespace mo::tf {

struct NodeDef {
  std::string name, op;
  std::vector<std::string> inputs;  ///< as written: "name", "name:1", and "^name" for control inputs
  /// The value of each attribute, by name. Annotations, whose names begin with '_', are not among them.
  ///   type: an element type, or DataType's number for one that IR does not have; a list of types: their numbers
  ///   shape: a partial shape; tensor: a constant; func: the function's name; a list of booleans: integers
  Attributes attributes;
};

/// In the body of a function the value of an attribute may be the name of an attribute of the call; `actuals`, the
/// attributes of the call, have its value. Throws the errors of read_tensor() and read_shape(), with the tensor's
/// attribute as place.
NodeDef read_node(const Origin& origin, const proto::Message& message, const Attributes* actuals = nullptr);

}  // namespace mo::tf
