// Activations of recurrent cells.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/decompose/recurrent/cell.h"

namespace mo {

OutPort activated(Builder& b, OutPort x, const CellActivation& activation) {
  const auto& [name, alpha, beta] = activation;
  const auto number = [&](double value) { return splat_like(b, x, {}, value); };
  const auto scaled = [&](OutPort port, double by) { return by == 1 ? port : b.op("Mul", {port, number(by)}); };
  if (name == "sigmoid") return b.op("Sigmoid", {x});
  if (name == "tanh") return b.op("Tanh", {x});
  if (name == "relu") return b.op("ReLU", {x});
  if (name == "softplus") return b.op("SoftPlus", {x});
  if (name == "none") return x;
  if (name == "clip") return b.op("AttributedClamp", {x}, {{"min", alpha}, {"max", beta}});
  if (name == "affine") return b.op("Add", {scaled(x, alpha), number(beta)});
  if (name == "scaledtanh") return scaled(b.op("Tanh", {scaled(x, beta)}), alpha);
  if (name == "leakyrelu") return b.op("PReLU", {x, splat_like(b, x, {1}, alpha)});
  if (name == "thresholdedrelu") return b.op("Select", {b.op("Greater", {x, number(alpha)}), x, number(0)});
  if (name == "softsign") return b.op("Div", {x, b.op("Add", {b.op("Abs", {x}), number(1)})});
  if (name == "hardsigmoid") {
    const OutPort slope = number(alpha), middle = number(beta);
    return b.op("HardSigmoid", {x, slope, middle});
  }
  if (name == "elu") {  // IR's alpha is a number from 0 on
    if (alpha >= 0) return b.op("Elu", {x}, {{"alpha", alpha}});
    const OutPort below = b.op("Sub", {b.op("Exp", {x}), number(1)});
    return b.op("Select", {b.op("Less", {x, number(0)}), scaled(below, alpha), x});
  }
  throw Error(Code::UnsupportedForm, msg("the activation ", name, " of a recurrent layer"));
}

}  // namespace mo
