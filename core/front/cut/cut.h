// Cutting: a part of a graph becomes the model, inputs get shapes, types or values. For a graph that is loaded and not
// yet extracted, so that what is cut away need not be supported.
#pragma once

#include <functional>

#include "core/front/cut/cut_request.h"
#include "core/graph/graph.h"

namespace mo {

/// What is known of a tensor of the graph, by inference; `nullptr` if nothing is.
using Measure = std::function<const Tensor*(OutPort)>;

/// A Parameter that --input names, or --input_shape.
struct NamedInput {
  std::string place;
  Node* parameter;
  bool has_shape;         ///< --input or --input_shape gives its shape
  bool is_listed = true;  ///< it is an item of --input
};

/// Carries out the request except --batch; gives the inputs that --input names, in its order, then those that only
/// --input_shape names. Places are those of the graph as it was loaded.
/// - A Parameter in --input or --input_shape gets the shape and type; without cuts inside the graph the other inputs
///   stay.
/// - Any other place gets a Parameter in place of its producer: with the shape and type given, else as measured, else
///   f32 of any shape. It has the tensor's names. If one input of a node is cut, its names are PORT:NODE and, for port
///   0, NODE, unless a tensor has that name.
/// - A place with a value gets a Const: of the type given or measured, in the shape given or measured.
/// - With --output these tensors become the outputs, in the order given.
/// If a place inside the graph, an output or a value is given, nodes that no output needs are removed then, except
/// Parameters that --input names. Inputs of the model that outputs need besides stay; where a place inside the graph is
/// given, InputStillNeeded warns of them. Throws the errors of places.h, BadFrozenValue, FrozenTwice, InputShapeCount,
/// NoSuchInput for a name of --input_shape inside the graph, and InputRank for a shape of another rank than the model
/// or the measure gives.
std::vector<NamedInput> cut(Graph& graph, const CutRequest& request, const Measure& measure);

}  // namespace mo
