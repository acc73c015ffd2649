// If, Loop and Scan: what the bodies' Parameters and Results stand for (core/graph/body.h). ONNX tells it by position.
#pragma once

#include <vector>

#include "core/graph/body.h"

namespace mo::onnx {

/// The inputs of the owner that bodies do not capture: how many.
int formal_count(const Node& owner);
/// The body's Parameters that stand for them, in order. Throws InvalidGraph unless there are `count`.
std::vector<Node*> formal_parameters(const Node& owner, const Graph& body, int count);
/// The body of that name with its Results numbered (internal_layer_id). Throws MissingAttribute, and InvalidGraph
/// unless it has `outputs` or more Results.
Graph& required_body(const Node& owner, std::string_view attribute, int outputs);

/// Makes the Parameter carry what the Result gives, beginning with the owner's input. Whether it is carried: a value
/// that the body only hands on is read from outside in every iteration instead.
bool carry(Node& parameter, Node& result, int input);
/// Makes the Result one part of the owner's output, along a new axis at `axis`.
void scan_output(Node& result, int output, int64_t axis, bool reverse);

}  // namespace mo::onnx
