// Base class of rewrites in the back phase, which bring the graph into a form that IR can express. A class derived from
// MiddleReplacementPattern can also run in this phase: its row in core/pipeline/transforms.def and its run_after and
// run_before decide.
#pragma once

#include "core/rewrite/middle_replacement.h"

namespace mo {

/// As MiddleReplacementPattern, in the back phase.
class BackReplacementPattern : public MiddleReplacementPattern {
 public:
  Names run_after() const override { return {"BackStart"}; }
  Names run_before() const override { return {"BackFinish"}; }
};

}  // namespace mo
