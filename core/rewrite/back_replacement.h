// Base class of rewrites towards what IR expresses. Under the middle one's name a class runs in the back phase, too:
// its row in core/pipeline/transforms.def and its neighbours say where.
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
