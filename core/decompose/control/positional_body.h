// Bodies whose Parameters and Results have a meaning by their position, as those of ONNX's If, Loop and Scan: connects
// them (core/graph/body.h). A Parameter with an external_port_id is a captured value, and has no position.
#pragma once

#include <vector>

#include "core/graph/body.h"

namespace mo {

/// The number of the owner's inputs that are not captured by bodies.
int formal_count(const Node& owner);
/// The body's Parameters for these inputs, in order. Throws InvalidGraph unless there are `count`.
std::vector<Node*> formal_parameters(const Graph& body, int count);
/// The body in `attribute`, with its Results numbered (internal_layer_id). Throws MissingAttribute, and InvalidGraph if
/// it has fewer than `outputs` Results.
Graph& required_body(const Node& owner, std::string_view attribute, int outputs);

/// Makes the Parameter carry the value of the Result, with the owner's input as initial value. Returns false if the
/// body does not change the value: then every iteration reads the owner's input instead.
bool carry(Node& parameter, Node& result, int input);
/// Makes the Result one slice of the owner's output, along a new axis `axis`.
void scan_output(Node& result, int output, int64_t axis, bool reverse);

}  // namespace mo
