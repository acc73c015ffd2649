// Questions of front-phase rewrites about operands: shapes are not known yet, but values of constants are.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/graph/graph.h"

namespace mo {

/// The number in a numeric constant of one element; nullopt for other tensors.
std::optional<double> number_of(OutPort port);
/// The same, for a floating-point constant that does not change the shape of `beside` when both are broadcast.
std::optional<double> number_beside(OutPort port, OutPort beside);
/// A lower bound of the tensor's rank, found without inference; 0 if nothing is known.
int least_rank(OutPort port);
/// Equal within the precision of f16.
bool is_close(double value, double wanted);

/// Coefficients of 1, x, x² and x³.
using Polynomial = std::array<double, 4>;
/// `y` as a polynomial in `x`, if it is computed by a few Add, Sub, Mul, Div, Pow and numbers.
std::optional<Polynomial> polynomial_of(OutPort y, OutPort x);
bool is_close(const Polynomial& value, const Polynomial& wanted);

struct Product {
  Node* node;  ///< gives the product
  OutPort x;   ///< the factor that is not a number
};
/// All nodes that compute s * x * factor for any x, with the three multiplied in any order. Division by the reciprocal
/// also counts.
std::vector<Product> products_of(OutPort s, double factor);
/// The k for which the node gives k times this operand, by Mul or Div.
std::optional<double> scale_of(const InPort& operand);
/// The other operand of a node that has two.
OutPort other_operand(const InPort& one);

/// The axes of a reduction that keeps dimensions, if they are constant and not empty.
std::optional<Ints> kept_reduction_axes(const Node& node);

/// `fused` takes over name, consumers and tensor names of `old`. `old` is renamed to "<name>/TBR" and has no consumers.
void take_place_of(Node& old, Node& fused);
/// A node with these inputs and one output.
Node& add_fused(Graph& graph, std::string_view op, List<OutPort> inputs, Attributes attributes = {});

}  // namespace mo
