// min(max(x + 3, 0), 6), a part of hard swish and hard sigmoid, in the forms that frameworks use.
#pragma once

#include "core/graph/graph.h"

namespace mo {

/// A form of it. Bounds are constants.
struct Relu6Form {
  std::string_view ops[2];      ///< of the last node
  OutPort (*data)(Node& last);  ///< x, or an empty port if the node has another form
};
extern const Relu6Form kRelu6ByClamp;   ///< Clamp(x + 3, 0, 6); the bounds are inputs or attributes
extern const Relu6Form kRelu6ByMinMax;  ///< Minimum(Maximum(x + 3, 0), 6), operands in any order
extern const Relu6Form kRelu6ByRelu;    ///< Minimum(ReLU(x + 3), 6)

/// For each s that the form recognises, x * s / 6 becomes HSwish; in fuse_hsigmoid, s / 6 becomes HSigmoid.
void fuse_hswish(Graph& graph, const Relu6Form& form);
/// `op` is the operation that must apply 1/6: "Mul", "Div", or empty for both.
void fuse_hsigmoid(Graph& graph, const Relu6Form& form, std::string_view op);

}  // namespace mo
