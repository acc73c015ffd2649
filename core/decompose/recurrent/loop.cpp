#include "core/decompose/recurrent/loop.h"

#include "core/build/loop_builder.h"
#include "core/decompose/shaping/shaping.h"

namespace mo {
namespace {

/// The size of h'.
int64_t output_size(const RecurrentLayer& layer, const Cell& cell) {
  if (!cell.projection) return layer.hidden;
  const PartialShape& shape = cell.projection.tensor().shape;
  if (shape.rank() != 2 || !shape[0].is_exact()) throw Error(Code::UnsupportedForm, "a projection to an unknown size");
  return shape[0].min;
}

/// The state before the first step, [batch, size].
OutPort first_state(Builder& b, const RecurrentLayer& layer, OutPort given, int d, int64_t size) {
  const int batch_axis = layer.batch_first ? 0 : 1;
  if (!given) return zero_states(b, layer.x, b.dims_of(layer.x, {batch_axis}), 0, size);
  const OutPort state = layer.stacked ? b.gather(given, b.i64_scalar(d), layer.batch_first ? 1 : 0) : given;
  return of_batch(b, state, layer.x, batch_axis, {size});
}

RecurrentOutputs direction(Builder& b, const RecurrentLayer& layer, int d) {
  const int64_t time = layer.batch_first ? 1 : 0;
  const bool reverse = layer.directions == 1 ? layer.reverse : d == 1;
  Cell cell = cell_of(b, layer, d);
  // The part that does not depend on the states is one product for all steps.
  const OutPort sums = input_sums(b, cell, layer.x);
  const OutPort first = first_state(b, layer, layer.hidden_state, d, output_size(layer, cell));
  const bool has_cell = layer.kind == RecurrentKind::Lstm;
  const OutPort first_cell = has_cell ? first_state(b, layer, layer.cell_state, d, layer.hidden) : OutPort();

  LoopBuilder loop(b);
  Builder& body = loop.body();
  const OutPort fed = loop.each(sums, time, reverse), before = loop.state(first);
  const OutPort cell_before = has_cell ? loop.state(first_cell) : OutPort();
  if (!cell.norm) cell.bias = {};
  for (OutPort* port : cell.tensors())
    if (*port) *port = loop.invariant(*port);
  const CellStep made = step(body, cell, fed, before, cell_before);
  OutPort next = made.hidden, next_cell = made.cell, inside;
  const auto shown = [&](OutPort x) { return inside ? body.op("Select", {inside, x, body.scalar_like(x, 0)}) : x; };
  if (layer.lengths) {
    // After the end of a sequence the states stay unchanged and the output is zero.
    const OutPort at = loop.each(counted(b, dimension_of(b, layer.x, time)), 0, reverse);
    const OutPort lengths = loop.invariant(b.unsqueeze(b.convert(layer.lengths, ElementType::I64), {1}));
    inside = body.op("Less", {at, lengths});
    next = body.op("Select", {inside, next, before});
    if (has_cell) next_cell = body.op("Select", {inside, next_cell, cell_before});
  }
  RecurrentOutputs out;
  if (layer.wants_y) out.y = loop.collect(shown(made.hidden), time, reverse);
  for (OutPort CellStep::*const value : layer.wanted)
    out.wanted.push_back(loop.collect(shown(made.*value), time, reverse));
  out.hidden = loop.carry(before, next);
  if (has_cell) out.cell = loop.carry(cell_before, next_cell);
  loop.finish();
  return out;
}

}  // namespace

OutPort zero_states(Builder& b, OutPort x, OutPort batch, int directions, int64_t size) {
  const OutPort zero = b.scalar_like(x, 0);
  const OutPort rest = directions > 0 ? b.i64({directions, size}) : b.i64({size});
  return b.op("Broadcast", {zero, b.concat({batch, rest}, 0)}, {{"mode", "numpy"}});
}

OutPort of_batch(Builder& b, OutPort state, OutPort x, int batch_axis, List<int64_t> sizes) {
  const PartialShape& shape = x.tensor().shape;
  if (!state.tensor().value || (shape.rank() == 3 && shape[batch_axis].is_exact())) return state;
  const OutPort batch = b.dims_of(x, {batch_axis}), rest = b.i64(sizes);
  return b.op("Broadcast", {state, b.concat({batch, rest}, 0)}, {{"mode", "numpy"}});
}

RecurrentOutputs recurrent_loop(Builder& b, const RecurrentLayer& layer) {
  std::vector<RecurrentOutputs> each;
  for (int d = 0; d < layer.directions; ++d) each.push_back(direction(b, layer, d));
  if (!layer.stacked) return each[0];
  const auto stacked = [&](OutPort RecurrentOutputs::*output, int64_t axis) {
    std::vector<OutPort> parts;
    for (const RecurrentOutputs& one : each)
      if (one.*output) parts.push_back(b.unsqueeze(one.*output, {axis}));
    return parts.size() > 1 ? b.concat(parts, axis) : parts.empty() ? OutPort() : parts[0];
  };
  RecurrentOutputs out;
  out.y = stacked(&RecurrentOutputs::y, layer.batch_first ? 2 : 1);
  out.hidden = stacked(&RecurrentOutputs::hidden, layer.batch_first ? 1 : 0);
  out.cell = stacked(&RecurrentOutputs::cell, layer.batch_first ? 1 : 0);
  return out;
}

}  // namespace mo
