// Before: hidden [time, size], cell = LstmOfRows(sums [time, 4 * size], r [size, 4 * size], bias [1, 4 * size (+ 3 *
// size
//         of peepholes)], peepholes: the same, h [1, size], c [1, size], projection [size, out]) {reverse, gate…};
//         gates c i f o
// Before: hidden = GruOfRows(sums [time, 3 * size], weights, h) {reverse, gate, candidate, origin_mode}
// Before: hidden, gates, reset = GruStep(sums [batch, 3 * size], weights, h) {gate, candidate, origin_mode}
//         gates u r c; weights are [size, 2 * size] of u and r, then [size, size] of c
// Before: cell, hidden = LstmUnit(x [batch, 4 * size], c) {forget_bias}; gates i f o c
// After:  a TensorIterator of the steps, or one step
// Conditions: the size is known.

#include "core/build/loop_builder.h"
#include "core/decompose/math/constants.h"
#include "core/decompose/recurrent/cell.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

OutPort slice_of(Builder& b, OutPort x, int64_t from, int64_t to, int64_t axis) {
  return b.op("Slice", {x, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({axis})});
}

/// Of a tensor whose last dimension is `gates` times as large.
int64_t size_of(OutPort x, int64_t gates) {
  const PartialShape& shape = x.tensor().shape;
  const int rank = shape.rank();
  if (rank < 1 || !shape[rank - 1].is_exact()) throw Error(Code::UnsupportedForm, "the hidden size is not known");
  const int64_t all = shape[rank - 1].min;
  if (all < gates || all % gates) throw Error(Code::BadValue, msg(all, " columns of ", gates, " gates"));
  return all / gates;
}

OutPort zeros(Builder& b, OutPort like, int64_t size) { return splat_like(b, like, {1, size}, 0); }

/// The steps of a sequence, [time, 1, sums].
struct Steps {
  Steps(Builder& b, OutPort sums, bool backward) : reverse(backward), loop(b) {
    fed = loop.each(b.unsqueeze(sums, {1}), 0, reverse);
  }
  OutPort collected(OutPort part) { return loop.collect(part, 0, reverse); }
  bool reverse;
  LoopBuilder loop;
  OutPort fed;
};

OutPort rows(Builder& b, OutPort collected) { return b.squeeze(collected, {1}); }

struct GruWeights {
  OutPort gates, candidate;
  GruWeights(Builder& b, OutPort all, int64_t size) {
    const OutPort flat = b.reshape(all, {-1}, false);
    const int64_t square = size * size;
    gates = b.reshape(slice_of(b, flat, 0, 2 * square, 0), {size, 2 * size}, false);
    candidate = b.reshape(slice_of(b, flat, 2 * square, 3 * square, 0), {size, size}, false);
  }
};

struct GruMade {
  OutPort hidden, update, reset, candidate, seen;
};

GruMade gru_step(Builder& b, const Node& node, const GruWeights& w, OutPort sums, OutPort hidden) {
  const CellActivation gate{node.get_string("gate")}, last{node.get_string("candidate")};
  const std::vector<OutPort> of_x = blocks_of(b, sums, 3);
  const std::vector<OutPort> of_h = blocks_of(b, b.matmul({hidden, w.gates}), 2);
  GruMade made;
  made.update = activated(b, b.op("Add", {of_h[0], of_x[0]}), gate);
  made.reset = activated(b, b.op("Add", {of_h[1], of_x[1]}), gate);
  made.seen = b.op("Mul", {made.reset, hidden});
  made.candidate = activated(b, b.op("Add", {b.matmul({made.seen, w.candidate}), of_x[2]}), last);
  // The update gate says how much of the candidate is taken, in origin_mode how much of the state stays.
  const bool stays = node.get_bool("origin_mode");
  const OutPort base = stays ? made.candidate : hidden, other = stays ? hidden : made.candidate;
  made.hidden = b.op("Add", {base, b.op("Mul", {made.update, b.op("Sub", {other, base})})});
  return made;
}

class DecomposeRowsOfLayer final : public Decomposition {
 public:
  Names ops() const override { return {"LstmOfRows", "GruOfRows", "GruStep", "LstmUnit"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    if (node.op() == "LstmOfRows") return lstm(b, node);
    if (node.op() == "GruOfRows") return gru(b, node);
    if (node.op() == "LstmUnit") return unit(b, node);
    const GruWeights w(b, node.source(1), size_of(node.source(0), 3));
    const GruMade made = gru_step(b, node, w, node.source(0), node.source(2));
    return {made.hidden, b.concat({made.update, made.reset, made.candidate}, -1), made.seen};
  }

 private:
  static std::vector<OutPort> lstm(Builder& b, const Node& node) {
    const int64_t size = size_of(node.source(0), 4);
    Cell cell;
    cell.gates = "cifo";
    cell.r = b.transpose(node.source(1), {1, 0});
    cell.activations = {{node.get_string("gate")}, {node.get_string("candidate")}, {node.get_string("cell")}};
    cell.cell_clip = node.get_float("cell_clip");
    OutPort sums = node.source(0);
    if (node.has_in(2)) sums = b.op("Add", {sums, slice_of(b, node.source(2), 0, 4 * size, 1)});
    for (int i = 0; i < 3 && node.has_in(3); ++i)
      cell.peepholes[i] = slice_of(b, node.source(3), (4 + i) * size, (5 + i) * size, 1);
    const bool projects = node.has_in(6);
    const int64_t out = projects ? size_of(node.source(6), 1) : size;
    const OutPort h0 = node.has_in(4) ? node.source(4) : zeros(b, sums, out);
    const OutPort c0 = node.has_in(5) ? node.source(5) : zeros(b, sums, size);
    Steps steps(b, sums, node.get_bool("reverse"));
    LoopBuilder& loop = steps.loop;
    Builder& body = loop.body();
    const OutPort before = loop.state(h0), cell_before = loop.state(c0);
    for (OutPort* port : cell.tensors())
      if (*port) *port = loop.invariant(*port);
    CellStep made = step(body, cell, steps.fed, before, cell_before);
    if (projects) made.hidden = projected(body, node, made.hidden, loop.invariant(node.source(6)));
    const OutPort hidden = steps.collected(made.hidden), cells = steps.collected(made.cell);
    loop.carry(before, made.hidden);
    loop.carry(cell_before, made.cell);
    loop.finish();
    return {rows(b, hidden), rows(b, cells)};
  }

  /// PaddlePaddle takes the activation of the cell for that of the projection.
  static OutPort projected(Builder& b, const Node& node, OutPort hidden, OutPort weights) {
    OutPort out = b.matmul({hidden, weights});
    if (node.get_string("projection") != "none") out = activated(b, out, {node.get_string("cell")});
    const double limit = node.get_float("projection_clip");
    return limit > 0 ? activated(b, out, {"clip", -limit, limit}) : out;
  }

  static std::vector<OutPort> gru(Builder& b, const Node& node) {
    const OutPort sums = node.source(0);
    const int64_t size = size_of(sums, 3);
    GruWeights w(b, node.source(1), size);
    const OutPort h0 = node.has_in(2) ? node.source(2) : zeros(b, sums, size);
    Steps steps(b, sums, node.get_bool("reverse"));
    LoopBuilder& loop = steps.loop;
    const OutPort before = loop.state(h0);
    w.gates = loop.invariant(w.gates);
    w.candidate = loop.invariant(w.candidate);
    const OutPort next = gru_step(loop.body(), node, w, steps.fed, before).hidden;
    const OutPort hidden = steps.collected(next);
    loop.carry(before, next);
    loop.finish();
    return {rows(b, hidden)};
  }

  static std::vector<OutPort> unit(Builder& b, const Node& node) {
    const std::vector<OutPort> gates = blocks_of(b, node.source(0), 4);
    const double bias = node.get_float("forget_bias");
    const OutPort forget = bias == 0 ? gates[1] : b.op("Add", {gates[1], b.scalar_like(gates[1], bias)});
    const OutPort kept = b.op("Mul", {b.op("Sigmoid", {forget}), node.source(1)});
    const OutPort input = b.op("Sigmoid", {gates[0]}), added = b.op("Mul", {input, b.op("Tanh", {gates[3]})});
    const OutPort cell = b.op("Add", {kept, added}), open = b.op("Sigmoid", {gates[2]});
    return {cell, b.op("Mul", {open, b.op("Tanh", {cell})})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeRowsOfLayer)
}  // namespace mo
