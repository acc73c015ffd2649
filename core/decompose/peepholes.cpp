#include "core/decompose/peepholes.h"

#include "core/build/loop_builder.h"
#include "core/decompose/shaping.h"

namespace mo {
namespace {

std::vector<OutPort> split_last(Builder& b, OutPort x, int parts) {
  Node& split = b.node("Split", {x, b.i64_scalar(-1)}, {{"num_splits", int64_t{parts}}}, parts);
  std::vector<OutPort> out;
  for (int i = 0; i < parts; ++i) out.push_back(split.out(i));
  return out;
}

OutPort by_transposed(Builder& b, OutPort x, OutPort weights) { return b.matmul({x, weights}, true); }

}  // namespace

std::vector<OutPort> peephole_lstm(Builder& b, const PeepholeLstm& lstm) {
  // The part that does not depend on the states is one product for all steps.
  const OutPort fed = b.op("Add", {by_transposed(b, lstm.x, lstm.w), lstm.bias});
  const std::vector<OutPort> peepholes = split_last(b, lstm.peepholes, 3);
  LoopBuilder loop(b);
  Builder& body = loop.body();
  const auto activated = [&](OutPort x, size_t which) {
    if (lstm.clip > 0) x = body.op("AttributedClamp", {x}, {{"min", -lstm.clip}, {"max", lstm.clip}});
    const std::string& name = lstm.activations[which];
    return body.op(name == "sigmoid" ? "Sigmoid" : name == "tanh" ? "Tanh" : "ReLU", {x});
  };
  const auto seeing = [&](OutPort gate, size_t which, OutPort cell) {
    return body.op("Add", {gate, body.op("Mul", {loop.invariant(peepholes[which]), cell})});
  };
  const OutPort before = loop.state(lstm.hidden), cell_before = loop.state(lstm.cell);
  const OutPort sum =
      body.op("Add", {loop.each(fed, 1, lstm.reverse), by_transposed(body, before, loop.invariant(lstm.r))});
  const std::vector<OutPort> gates = split_last(body, sum, 4);
  const OutPort forget = activated(seeing(gates[0], 2, cell_before), 0),
                input = activated(seeing(gates[1], 0, cell_before), 0);
  const OutPort cell =
      body.op("Add", {body.op("Mul", {forget, cell_before}), body.op("Mul", {input, activated(gates[2], 1)})});
  const OutPort output = activated(seeing(gates[3], 1, cell), 0);
  const OutPort hidden = body.op("Mul", {output, activated(cell, 2)});
  OutPort shown = hidden, next = hidden, next_cell = cell;
  if (lstm.lengths) {
    // After the end of a sequence the states stay unchanged and the output is zero.
    const OutPort step = loop.each(counted(b, dimension_of(b, lstm.x, 1)), 0, lstm.reverse);
    const OutPort lengths = loop.invariant(b.unsqueeze(b.convert(lstm.lengths, ElementType::I64), {1}));
    const OutPort inside = body.op("Less", {step, lengths});
    shown = body.op("Select", {inside, hidden, body.scalar_like(hidden, 0)});
    next = body.op("Select", {inside, hidden, before});
    next_cell = body.op("Select", {inside, cell, cell_before});
  }
  const OutPort all = loop.collect(shown, 1, lstm.reverse), last = loop.carry(before, next),
                last_cell = loop.carry(cell_before, next_cell);
  loop.finish();
  return {all, last, last_cell};
}

}  // namespace mo
