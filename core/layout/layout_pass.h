// Base class of the passes that change a model from NHWC to NCHW.
#pragma once

#include "core/layout/layout_state.h"
#include "core/rewrite/transform.h"

namespace mo {

/// Runs only in models of NHWC. Each pass names the one before and the one after it.
class LayoutPass : public Transform {
 public:
  bool graph_condition(Graph& graph) const override { return graph.model().layout == DataLayout::Nhwc; }
};

}  // namespace mo
