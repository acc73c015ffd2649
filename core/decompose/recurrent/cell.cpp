#include "core/decompose/recurrent/cell.h"

namespace mo {
namespace {

OutPort limited(Builder& b, OutPort x, double limit) {
  return limit > 0 ? activated(b, x, {"clip", -limit, limit}) : x;
}

OutPort plus(Builder& b, OutPort x, OutPort more) { return more ? b.op("Add", {x, more}) : x; }

OutPort normalized(Builder& b, OutPort x) {
  return b.op("MVN", {x, b.i64({-1})}, {{"eps", 1e-8}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}});
}

/// h R + its part of the input's sums. The order counts: the CPU plugin may overwrite the first summand, which must not
/// be the slice of this step (docs/runtime.md).
OutPort with_product(Builder& b, OutPort sums, OutPort hidden, OutPort r) {
  return b.op("Add", {b.matmul({hidden, r}, true), sums});
}

/// The gates' sums, completed.
class Gates {
 public:
  Gates(Builder& b, const Cell& cell, OutPort sums) : b_(b), cell_(cell), sums_(blocks_of(b, sums, cell.gates.size())) {
    if (!cell.norm) return;
    norms_ = blocks_of(b, cell.norm, cell.gates.size());
    if (cell.bias) biases_ = blocks_of(b, cell.bias, cell.gates.size());
  }

  /// `peephole` of the cell state, if it has one; f or g of the activations.
  OutPort gate(char name, int peephole, OutPort state, size_t activation) {
    const size_t at = cell_.gates.find(name);
    OutPort x = sums_[at];
    if (peephole >= 0 && cell_.peepholes[peephole]) x = plus(b_, x, b_.op("Mul", {state, cell_.peepholes[peephole]}));
    if (cell_.norm) x = b_.op("Mul", {normalized(b_, x), norms_[at]});
    if (!biases_.empty()) x = plus(b_, x, biases_[at]);
    return activated(b_, limited(b_, x, cell_.clip), cell_.activations[activation]);
  }

 private:
  Builder& b_;
  const Cell& cell_;
  std::vector<OutPort> sums_, norms_, biases_;
};

CellStep lstm(Builder& b, const Cell& cell, OutPort sums, OutPort state) {
  Gates gates(b, cell, sums);
  const auto rest = [&](OutPort gate) { return b.op("Sub", {b.scalar_like(gate, 1), gate}); };
  CellStep made;
  const char coupled = cell.coupled();
  if (coupled != 'f') made.forget = gates.gate('f', 1, state, 0);
  if (coupled != 'i') made.input = gates.gate('i', 0, state, 0);
  if (coupled == 'f') made.forget = rest(made.input);
  if (coupled == 'i') made.input = rest(made.forget);
  made.candidate = gates.gate('c', -1, {}, 1);
  const OutPort kept = b.op("Mul", {made.forget, state}), added = b.op("Mul", {made.input, made.candidate});
  made.cell = limited(b, b.op("Add", {kept, added}), cell.cell_clip);
  made.output = gates.gate('o', 2, made.cell, 0);
  made.squashed = activated(b, made.cell, cell.activations[2]);
  made.hidden = b.op("Mul", {made.output, made.squashed});
  return made;
}

CellStep gru(Builder& b, const Cell& cell, OutPort sums, OutPort hidden) {
  const auto gate = [&](OutPort x, size_t activation) {
    return activated(b, limited(b, x, cell.clip), cell.activations[activation]);
  };
  const std::vector<OutPort> of_x = blocks_of(b, sums, 3);
  const size_t at_z = cell.gates.find('z'), at_r = cell.gates.find('r');
  CellStep made;
  OutPort remembered;  // what the candidate sees of the state
  if (cell.reset_after) {
    const std::vector<OutPort> of_h = blocks_of(b, b.matmul({hidden, cell.r}, true), 3);
    made.update = gate(b.op("Add", {of_h[at_z], of_x[at_z]}), 0);
    made.reset = gate(b.op("Add", {of_h[at_r], of_x[at_r]}), 0);
    remembered = b.op("Mul", {made.reset, plus(b, of_h[2], cell.recurrent_bias)});
  } else {
    const std::vector<OutPort> of_h = blocks_of(b, b.matmul({hidden, cell.r}, true), 2);
    made.update = gate(b.op("Add", {of_h[at_z], of_x[at_z]}), 0);
    made.reset = gate(b.op("Add", {of_h[at_r], of_x[at_r]}), 0);
    remembered = b.matmul({b.op("Mul", {made.reset, hidden}), cell.candidate_r}, true);
  }
  made.candidate = gate(b.op("Add", {remembered, of_x[2]}), 1);
  const OutPort fresh = b.op("Mul", {b.op("Sub", {b.scalar_like(made.update, 1), made.update}), made.candidate});
  made.hidden = b.op("Add", {fresh, b.op("Mul", {made.update, hidden})});
  return made;
}

}  // namespace

char Cell::coupled() const {
  if (kind != RecurrentKind::Lstm) return 0;
  return gates.find('i') == std::string::npos ? 'i' : gates.find('f') == std::string::npos ? 'f' : 0;
}

std::vector<OutPort*> Cell::tensors() {
  return {&bias,         &r,    &candidate_r, &recurrent_bias, &peepholes[0], &peepholes[1],
          &peepholes[2], &norm, &projection,  &projection_bias};
}

std::vector<OutPort> blocks_of(Builder& b, OutPort x, size_t parts) {
  if (parts == 1) return {x};
  Node& split =
      b.node("Split", {x, b.i64_scalar(-1)}, {{"num_splits", static_cast<int64_t>(parts)}}, static_cast<int>(parts));
  std::vector<OutPort> out;
  for (size_t i = 0; i < parts; ++i) out.push_back(split.out(static_cast<int>(i)));
  return out;
}

OutPort input_sums(Builder& b, const Cell& cell, OutPort x) {
  const OutPort sums = b.matmul({x, cell.w}, true);
  return cell.norm ? sums : plus(b, sums, cell.bias);
}

CellStep step(Builder& b, const Cell& cell, OutPort sums, OutPort hidden, OutPort state) {
  CellStep made;
  if (cell.kind == RecurrentKind::Gru) {
    made = gru(b, cell, sums, hidden);
  } else {
    if (cell.r) sums = with_product(b, sums, hidden, cell.r);
    if (cell.kind == RecurrentKind::Lstm)
      made = lstm(b, cell, sums, state);
    else
      made.hidden = Gates(b, cell, sums).gate('c', -1, {}, 0);
  }
  if (!cell.projection) return made;
  made.hidden = plus(b, b.matmul({made.hidden, cell.projection}, true), cell.projection_bias);
  made.hidden = limited(b, made.hidden, cell.projection_clip);
  return made;
}

}  // namespace mo
