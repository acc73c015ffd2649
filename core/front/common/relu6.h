// min(max(x + 3, 0), 6), a part of hard swish and hard sigmoid, in the forms that frameworks use.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// Return x, or an empty port if the node has another form. Bounds are constants.
OutPort relu6_by_clamp(Node& last);    ///< Clamp(x + 3, 0, 6); the bounds are inputs or attributes
OutPort relu6_by_min_max(Node& last);  ///< Minimum(Maximum(x + 3, 0), 6), operands in any order
OutPort relu6_by_relu(Node& last);     ///< Minimum(ReLU(x + 3), 6)

/// For each s that the form recognises, x * s / 6 becomes HSwish; in fuse_hsigmoid, s / 6 becomes HSigmoid.
void fuse_hswish(Graph& graph, OutPort (*form)(Node&));
/// `op` is the operation that must apply 1/6: "Mul", "Div", or empty for both.
void fuse_hsigmoid(Graph& graph, OutPort (*form)(Node&), std::string_view op);

}  // namespace mo
