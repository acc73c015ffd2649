// Operations of TensorFlow written as formulas over IR's: rows of formulas.def, read when a node is decomposed.
#pragma once

#include <string_view>

#include "core/build/builder.h"

namespace mo {

/// The formula of an operation; empty for others.
std::string_view formula_of(std::string_view op);

/// Creates the nodes of a formula and returns its results. `inputs` are x y z w v u t s. `node` has the attributes that
/// the formula names. The grammar is in formulas.def.
std::vector<OutPort> evaluate(Builder& b, const Node& node, std::string_view formula, List<OutPort> inputs);

}  // namespace mo
