// What is done to a program before it becomes a graph.
#pragma once

#include "core/front/pytorch/load/program.h"

namespace mo::pytorch {

/// Wrappers that only say how to compute, wrap_with_set_grad_enabled and wrap_with_autocast, become the operations in
/// them. Throws UnsupportedForm for autocast that is on, TooDeep.
void inline_wrappers(Program& program);

/// Operations that write to a tensor, "add_", become those that make a new one, and what is read of the old one later,
/// also through views of it, is read of the new one. What is left of a buffer in the end is an output of kind
/// "buffer_mutation", as programs have it after run_decompositions(). Throws UnsupportedForm, with the operation, for
/// writes through views that cannot be turned back.
void make_functional(Program& program);

/// Operations whose outputs nothing reads are gone: asserts, too.
void remove_unread(Program& program);

/// "add" of "torch.ops.aten.add_.Tensor" with `in_place`, and the parts of a target.
struct Target {
  std::string domain, op, overload;
  bool in_place = false;  ///< the operator writes to its first input; `op` is without the underscore
};
Target target_of(std::string_view target);

}  // namespace mo::pytorch
