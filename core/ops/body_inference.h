// The inference of bodies, shared by If, Loop and TensorIterator.
#pragma once

#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo {

/// Infers a body whose Parameters have their shapes: during partial inference the whole body, later the nodes that need
/// it. Errors of nodes go to the model's diagnostics; then Error::reported() is thrown.
void infer_body(Graph& body);

/// Sets shape and type of a Parameter that reads a slice or has a back edge. Requests inference if they changed.
void set_parameter(Node& parameter, const PartialShape& shape, ElementType type);

/// Infers the body in attribute `body` of a loop until the shapes of carried values are stable: a dimension or rank
/// that the body changes becomes unknown. Sliced and carried Parameters get their initial shapes from the owner's
/// inputs. Throws BadValue when a carried value changes its type, RankMismatch for a slice of a tensor without that
/// axis, and what infer_body() throws.
void infer_loop_body(InferContext& c);

/// Sets the owner's outputs from the body's Results. The slices of `iterations` iterations are concatenated along their
/// axis.
void set_loop_outputs(InferContext& c, Dimension iterations);

/// Sets the outputs of an If from the Results of its inferred branches. Throws BadValue where their types differ, and
/// InvalidGraph when a branch lacks a Result.
void set_if_outputs(Node& node);

/// Shape and type of the Result's input.
const Tensor& result_tensor(const Node& result);

}  // namespace mo
