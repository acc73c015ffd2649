// Integer weights of a right IR that OpenVINO's CPU plugin does not compute as the IR says.
#pragma once

#include "core/ir/ir_net.h"
#include "core/ir/verify/verify.h"

namespace mo {

/// Names each MatMul whose weights at input 1 are Const of integers -> Convert -> [Subtract] -> Multiply, in a form that
/// the plugin computes wrongly or does not compile (docs/runtime.md); in bodies, too.
void find_spoiled_weights(const IrGraph& graph, const IrNet& net, const IrFindings& spoiled);

}  // namespace mo
