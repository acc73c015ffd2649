#include "core/decompose/recurrent/layer.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/decompose/recurrent/loop.h"
#include "core/decompose/recurrent/sequence.h"
#include "core/ops/dimension_origins.h"

namespace mo {
namespace {

bool is_absent(const GateTensors& tensors) {
  return std::none_of(tensors.begin(), tensors.end(), [](const OutPort& port) { return bool(port); });
}

/// Those that IR's sequences have without parameters.
bool has_activations_of_ir(const RecurrentLayer& layer) {
  for (const auto& activations : layer.activations)
    for (const auto& [name, alpha, beta] : activations)
      if (name != "sigmoid" && name != "tanh" && name != "relu") return false;
  return true;
}

/// Whether IR's sequence says all that the layer does.
bool is_sequence(const RecurrentLayer& layer) {
  return !layer.coupled && !layer.projection && layer.cell_clip == 0 && layer.wanted.empty() &&
         is_absent(layer.peepholes) && is_absent(layer.norms) && has_activations_of_ir(layer);
}

bool may_be_empty(OutPort lengths) {
  const auto& known = lengths.tensor().ints;
  return !known || std::any_of(known->elements.begin(), known->elements.end(), [](Interval n) { return n.min < 1; });
}

}  // namespace

bool covers_time(OutPort lengths, OutPort x, int64_t time_axis) {
  const PartialShape& shape = x.tensor().shape;
  if (shape.rank() != 3) return false;
  const auto axis = static_cast<size_t>(time_axis);
  if (const auto& known = lengths.tensor().ints)
    if (std::all_of(known->elements.begin(), known->elements.end(),
                    [&](Interval n) { return n.min >= shape[axis].max; }))
      return true;
  // Else all are one number, which a shape sub-graph computes: the dimension itself.
  while (lengths && is_one_of(lengths.node().op(), {"Broadcast", "Tile", "Cast", "Reshape", "Squeeze", "Unsqueeze"}))
    lengths = lengths.node().source(0);
  if (!lengths || !(lengths.tensor().shape.elements() == Interval(1))) return false;
  size_t at = 0;
  if (lengths.node().op() == "Slice") {
    const auto start = lengths.node().source(1).exact_int();
    if (!start || *start < 0) return false;
    at = static_cast<size_t>(*start), lengths = lengths.node().source(0);
  }
  const ShapeElement element = shape_element(lengths, at);
  DimensionOrigins origins;
  return element.kind == ShapeElement::Kind::Dimension && origins.of(element.dimension) == origins.of({x, axis});
}

RecurrentOutputs recurrent_layer(Builder& b, RecurrentLayer layer) {
  if (layer.lengths && covers_time(layer.lengths, layer.x, layer.batch_first ? 1 : 0)) layer.lengths = {};
  const bool zeros = layer.ends_empty_with_zeros && layer.lengths && may_be_empty(layer.lengths);
  RecurrentOutputs out = is_sequence(layer) ? recurrent_sequence(b, layer) : recurrent_loop(b, layer);
  if (!zeros) return out;
  const auto ended = [&](OutPort& state, OutPort first, bool wanted) {
    if (!wanted || !first || !state) return;
    const Ints axes = layer.stacked && layer.batch_first ? Ints{1, 2} : layer.stacked ? Ints{0, 2} : Ints{1};
    const OutPort some = b.op("Greater", {layer.lengths, b.scalar_like(layer.lengths, 0)});
    state = b.op("Select", {b.unsqueeze(some, axes), state, b.scalar_like(state, 0)});
  };
  ended(out.hidden, layer.hidden_state, layer.wants_hidden);
  ended(out.cell, layer.cell_state, layer.wants_cell);
  return out;
}

CellStep one_step(Builder& b, const RecurrentLayer& layer) {
  const Cell cell = cell_of(b, layer, 0);
  return step(b, cell, input_sums(b, cell, layer.x), layer.hidden_state, layer.cell_state);
}

}  // namespace mo
