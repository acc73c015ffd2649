// What If, Loop and TensorIterator have in common: the inference of their bodies.
#pragma once

#include "core/graph/body.h"
#include "core/ops/op_def.h"

namespace mo {

/// Infers a body whose Parameters know their shapes: all of it during partial inference, later what needs it. Errors of
/// its nodes go to the model's diagnostics; the owner fails with Error::told() then.
void infer_body(Graph& body);

/// Shape and type of a Parameter that reads a slice or has a back edge. Marks it when they are other than before.
void set_parameter(Node& parameter, const PartialShape& shape, ElementType type);

/// Infers the body in attribute `body` of a loop until its loop-carried shapes stay what they are: a dimension or rank
/// that the body changes becomes unknown. Sliced and carried Parameters take theirs from the owner's inputs. Throws
/// BadValue when a carried value changes its type, what infer_body() throws, and RankMismatch for a slice of a tensor
/// without that axis.
void infer_loop_body(InferContext& c);

/// Sets the owner's outputs from the body's Results; slices of `iterations` are put together along their axis.
void set_loop_outputs(InferContext& c, Dimension iterations);

/// Sets the outputs of an If from the Results of its branches, which are inferred. Throws BadValue where their types
/// differ, InvalidGraph when a branch lacks a Result.
void set_if_outputs(Node& node);

/// What the Result gives: shape and type of its input.
const Tensor& result_tensor(const Node& result);

}  // namespace mo
