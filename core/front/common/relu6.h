// min(max(x + 3, 0), 6), of which hard swish and hard sigmoid are made, in the forms that frameworks have for it.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// The x; each form gives an empty port for everything else. Bounds are constants.
OutPort relu6_by_clamp(Node& last);    ///< Clamp(x + 3, 0, 6), the bounds being inputs or attributes
OutPort relu6_by_min_max(Node& last);  ///< Minimum(Maximum(x + 3, 0), 6), operands in any order
OutPort relu6_by_relu(Node& last);     ///< Minimum(ReLU(x + 3), 6)

/// Each node x * s / 6 becomes HSwish, and each s / 6 HSigmoid, for the s that the form recognises.
void fuse_hswish(Graph& graph, OutPort (*form)(Node&));
/// `op` is how 1/6 must be applied: "Mul", "Div", or empty for both.
void fuse_hsigmoid(Graph& graph, OutPort (*form)(Node&), std::string_view op);

}  // namespace mo
