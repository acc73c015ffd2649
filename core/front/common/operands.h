// What rewrites of the front phase ask of operands: no shape is known yet, but the values of constants are.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// The number that a constant of one element holds, whatever its numeric type; none for other tensors.
std::optional<double> number_of(OutPort port);
/// As above, for a floating-point constant that leaves the shape of `beside` alone when both are broadcast.
std::optional<double> number_beside(OutPort port, OutPort beside);
/// A number that the tensor's rank is sure to reach, found without inference; 0 when nothing tells.
int least_rank(OutPort port);
/// Equal but for what rounding to f16 may have taken.
bool is_close(double value, double wanted);

/// Coefficients of 1, x, x² and x³.
using Polynomial = std::array<double, 4>;
/// `y` as a polynomial in `x`, when it is computed by Add, Sub, Mul, Div, Pow and numbers in a few steps.
std::optional<Polynomial> polynomial_of(OutPort y, OutPort x);
bool is_close(const Polynomial& value, const Polynomial& wanted);

struct Product {
  Node* node;  ///< gives the product
  OutPort x;   ///< its factor that is not a number
};
/// All the nodes that compute s * x * factor for any x, the three being multiplied in any order; dividing by the
/// reciprocal counts.
std::vector<Product> products_of(OutPort s, double factor);
/// The k for which the node gives k times its operand at that input, by Mul or Div.
std::optional<double> scale_of(const InPort& operand);
/// The other operand of a node with two of them.
OutPort other_operand(const InPort& one);

/// The axes of a reduction that keeps dimensions, when they are constant and there are any.
std::optional<Ints> kept_reduction_axes(const Node& node);

/// `fused` gets the name, consumers and tensor names of `old`, which is called "<name>/TBR" and left without consumers.
void take_place_of(Node& old, Node& fused);
/// A node with these inputs and one output.
Node& add_fused(Graph& graph, std::string_view op, List<OutPort> inputs, Attributes attributes = {});

}  // namespace mo
