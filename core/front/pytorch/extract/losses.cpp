// Losses of predictions that are numbers.

#include "core/front/pytorch/extract/losses.h"

namespace mo::pytorch {

void give_loss(Node& node, Builder& b, OutPort loss, OutPort divisor) {
  const int64_t how = int_of(node, "reduction");
  if (how < 0 || how > 2) throw Error(Code::BadAttribute, msg("reduction is ", how));
  if (how == 0) return give(node, {loss});
  loss = b.reshape(loss, {-1}, false);
  if (how == 1 && !divisor) return give(node, {b.reduce("ReduceMean", loss, {0}, false)});
  const OutPort sum = b.reduce("ReduceSum", loss, {0}, false);
  give(node, {how == 2 ? sum : b.op("Div", {sum, divisor})});
}

namespace {

/// A prediction and what it should be.
struct Pair {
  ElementType type;
  OutPort x, target;
};

Pair pair_of(Node& node, Builder& b, std::string_view x = "self") {
  const ElementType type = result_type(node);
  const OutPort first = operand(node, b, x, type), second = operand(node, b, "target", type);
  return {type, first, second};
}

OutPort at_least(Builder& b, OutPort x, double least, ElementType type) {
  return b.op("Maximum", {x, number_as(b, type, least)});
}

/// number - x.
OutPort less(Builder& b, double number, OutPort x, ElementType type) {
  return b.op("Sub", {number_as(b, type, number), x});
}

OutPort weighted(Node& node, Builder& b, OutPort x, std::string_view weight, ElementType type) {
  return input(node, weight) ? b.op("Mul", {x, operand(node, b, weight, type)}) : x;
}

/// half * d * d of a distance below the edge, else |d| less half of the edge; times a factor.
void smooth(Node& node, double edge, double factor) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  const OutPort apart = b.op("Sub", {of.x, of.target});
  if (edge < 0) throw Error(Code::BadAttribute, msg("beta is ", edge));
  if (edge == 0) return give_loss(node, b, b.op("Abs", {apart}));
  OutPort loss = b.op("SmoothL1", {apart}, {{"edge", edge}, {"half", 0.5 / edge}, {"shift", edge / 2}});
  if (factor != 1) loss = b.op("Mul", {loss, number_as(b, of.type, factor)});
  give_loss(node, b, loss);
}

}  // namespace

void extract_l1_loss(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  give_loss(node, b, b.op("Abs", {b.op("Sub", {of.x, of.target})}));
}

void extract_mse_loss(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  give_loss(node, b, b.op("SquaredDifference", {of.x, of.target}));
}

void extract_smooth_l1_loss(Node& node) { smooth(node, number_of(node, "beta"), 1); }
void extract_huber_loss(Node& node) {
  const double delta = number_of(node, "delta");
  if (!(delta > 0)) throw Error(Code::BadAttribute, msg("delta is ", delta));
  smooth(node, delta, delta);
}

/// Logarithms are at least -100.
void extract_binary_cross_entropy(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  const auto log = [&](OutPort x) { return at_least(b, b.op("Log", {x}), -100, of.type); };
  const OutPort yes = b.op("Mul", {of.target, log(of.x)});
  const OutPort no = b.op("Mul", {less(b, 1, of.target, of.type), log(less(b, 1, of.x, of.type))});
  const OutPort loss = b.op("Negative", {b.op("Add", {yes, no})});
  give_loss(node, b, weighted(node, b, loss, "weight", of.type));
}

/// (1 - target) * x + SoftPlus(-x), of which the second term gets the weight of what holds.
void extract_binary_cross_entropy_with_logits(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  OutPort log = b.op("SoftPlus", {b.op("Negative", {of.x})});
  if (input(node, "pos_weight")) {
    const OutPort more = b.op("Sub", {operand(node, b, "pos_weight", of.type), number_as(b, of.type, 1)});
    const OutPort factor = b.op("Add", {b.op("Mul", {more, of.target}), number_as(b, of.type, 1)});
    log = b.op("Mul", {log, factor});
  }
  const OutPort loss = b.op("Add", {b.op("Mul", {less(b, 1, of.target, of.type), of.x}), log});
  give_loss(node, b, weighted(node, b, loss, "weight", of.type));
}

/// target * (log(target) - x).
void extract_kl_div(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  if (node.get_bool("log_target")) {
    const OutPort apart = b.op("Sub", {of.target, of.x});
    return give_loss(node, b, b.op("Mul", {b.op("Exp", {of.target}), apart}));
  }
  const OutPort own = b.op("Xlogy", {of.target, of.target}), product = b.op("Mul", {of.target, of.x});
  give_loss(node, b, b.op("Sub", {own, product}));
}

/// x - target * log(x), where x may be given as its logarithm. In full, Stirling's term of targets above 1 is added.
void extract_poisson_nll_loss(Node& node) {
  constexpr double kTwoPi = 6.283185307179586;
  Builder b(node);
  const Pair of = pair_of(node, b, "input");
  OutPort mean, log;
  if (node.get_bool("log_input")) {
    mean = b.op("Exp", {of.x}), log = of.x;
  } else {
    mean = of.x, log = b.op("Log", {b.op("Add", {of.x, number_as(b, of.type, number_of(node, "eps"))})});
  }
  OutPort loss = b.op("Sub", {mean, b.op("Mul", {of.target, log})});
  if (node.get_bool("full")) {
    const OutPort own = b.op("Sub", {b.op("Xlogy", {of.target, of.target}), of.target});
    const OutPort root = b.op("Log", {b.op("Mul", {of.target, number_as(b, of.type, kTwoPi)})});
    const OutPort term = b.op("Add", {own, b.op("Mul", {root, number_as(b, of.type, 0.5)})});
    const OutPort above = b.op("Greater", {of.target, number_as(b, of.type, 1)});
    loss = b.op("Add", {loss, b.op("Select", {above, term, number_as(b, of.type, 0)})});
  }
  give_loss(node, b, loss);
}

/// log(1 + exp(-target * x)).
void extract_soft_margin_loss(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  give_loss(node, b, b.op("SoftPlus", {b.op("Negative", {b.op("Mul", {of.target, of.x})})}));
}

/// x where the target is not -1, plus what is missing from the margin where it is not 1.
void extract_hinge_embedding_loss(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b);
  const OutPort zero = number_as(b, of.type, 0);
  const OutPort missing = at_least(b, less(b, number_of(node, "margin"), of.x, of.type), 0, of.type);
  const auto unless = [&](double target, OutPort x) {
    return b.op("Select", {b.op("NotEqual", {of.target, number_as(b, of.type, target)}), x, zero});
  };
  const OutPort far = unless(1, missing), near = unless(-1, of.x);
  give_loss(node, b, b.op("Add", {far, near}));
}

/// What target * (first - second) is less than the margin.
void extract_margin_ranking_loss(Node& node) {
  Builder b(node);
  const Pair of = pair_of(node, b, "input1");
  const OutPort apart = b.op("Sub", {of.x, operand(node, b, "input2", of.type)});
  const OutPort product = b.op("Mul", {of.target, apart});
  give_loss(node, b, at_least(b, less(b, number_of(node, "margin"), product, of.type), 0, of.type));
}

}  // namespace mo::pytorch
