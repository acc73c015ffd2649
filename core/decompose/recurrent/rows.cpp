// Weights and biases of recurrent layers, in the order that is wanted.

#include <algorithm>

#include "core/decompose/math/constants.h"
#include "core/decompose/recurrent/layer.h"

namespace mo {
namespace {

/// Elements [from, to) along `axis`.
OutPort cut(Builder& b, OutPort x, int64_t axis, int64_t from, int64_t to) {
  if (const auto& value = x.tensor().value) return b.constant(slice(*value, static_cast<size_t>(axis), from, to));
  return b.op("Slice", {x, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({axis})});
}

bool is_there(const GateTensors& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const OutPort& port) { return bool(port); });
}

/// Of a tensor with a dimension of directions: direction `d`, without that dimension.
OutPort of_direction(Builder& b, const RecurrentLayer& layer, OutPort x, int d, int64_t axis = 0) {
  return layer.stacked && x ? b.gather(x, b.i64_scalar(d), axis) : x;
}

/// The gates that have rows, the candidate of a GRU last.
std::string gates_of(const RecurrentLayer& layer) {
  std::string gates = layer.gates;
  std::erase(gates, layer.coupled);
  if (layer.kind == RecurrentKind::Gru && gates.back() != 'c') std::erase(gates, 'c'), gates += 'c';
  return gates;
}

}  // namespace

OutPort rows_of(Builder& b, const RecurrentLayer& layer, const GateTensors& tensors, const std::string& gates) {
  const int64_t axis = layer.stacked ? 1 : 0;
  std::vector<OutPort> parts;
  if (tensors.size() > 1) {
    for (const char gate : gates) {
      const OutPort part = tensors[layer.gates.find(gate)];
      if (!part) throw Error(Code::UnsupportedForm, "a recurrent layer with weights or biases of some gates only");
      parts.push_back(part);
    }
    return b.concat(parts, axis);
  }
  const OutPort all = tensors[0];
  if (gates == layer.gates) return all;
  const auto& value = all.tensor().value;
  Ints order;
  for (const char gate : gates) order.push_back(static_cast<int64_t>(layer.gates.find(gate)));
  if (value && gates.size() == layer.gates.size()) return b.constant(reorder(*value, static_cast<size_t>(axis), order));
  if (value) {
    for (const int64_t at : order) parts.push_back(cut(b, all, axis, at * layer.hidden, (at + 1) * layer.hidden));
    return b.concat(parts, axis);
  }
  const auto count = static_cast<int64_t>(layer.gates.size());
  Node& split = b.node("Split", {all, b.i64_scalar(axis)}, {{"num_splits", count}}, static_cast<int>(count));
  for (const int64_t at : order) parts.push_back(split.out(static_cast<int>(at)));
  return b.concat(parts, axis);
}

Cell cell_of(Builder& b, const RecurrentLayer& layer, int d) {
  Cell cell;
  cell.kind = layer.kind;
  cell.gates = gates_of(layer);
  const auto rows = [&](const GateTensors& tensors) {
    return is_there(tensors) ? of_direction(b, layer, rows_of(b, layer, tensors, cell.gates), d) : OutPort();
  };
  cell.w = rows(layer.w);
  cell.r = rows(layer.r);
  const auto gates = static_cast<int64_t>(layer.gates.size()), size = layer.hidden;
  GateTensors bias = layer.bias, recurrent = layer.recurrent_bias;
  if (layer.biases_joined && is_there(bias)) {
    const int64_t axis = layer.stacked ? 1 : 0;
    recurrent = {cut(b, bias[0], axis, gates * size, 2 * gates * size)};
    bias = {cut(b, bias[0], axis, 0, gates * size)};
  }
  cell.bias = rows(bias);
  if (OutPort more = rows(recurrent)) {
    if (layer.reset_after) {  // the candidate's part is added to the product before the reset gate
      const int64_t others = 2 * size;
      cell.recurrent_bias = cut(b, more, 0, others, others + size);
      more = b.concat({cut(b, more, 0, 0, others), splat_like(b, more, {size}, 0)}, 0);
    }
    cell.bias = cell.bias ? b.op("Add", {cell.bias, more}) : more;
  }
  if (layer.kind == RecurrentKind::Gru && !layer.reset_after) {
    cell.candidate_r = cut(b, cell.r, 0, 2 * size, 3 * size);
    cell.r = cut(b, cell.r, 0, 0, 2 * size);
  }
  for (size_t i = 0; i < layer.peepholes.size() && i < 3; ++i)
    cell.peepholes[i] = of_direction(b, layer, layer.peepholes[i], d);
  cell.norm = rows(layer.norms);
  cell.projection = of_direction(b, layer, layer.projection, d);
  cell.projection_bias = of_direction(b, layer, layer.projection_bias, d);
  cell.activations = layer.activations[static_cast<size_t>(d)];
  cell.clip = layer.clip, cell.cell_clip = layer.cell_clip, cell.projection_clip = layer.projection_clip;
  cell.reset_after = layer.reset_after;
  return cell;
}

}  // namespace mo
