#include "core/ir/ir_net.h"

#include <algorithm>

#include "core/base/hash.h"
#include "core/base/text.h"

namespace mo {
namespace {

void add_text(Hasher& hasher, std::string_view text) {
  const uint64_t size = text.size();
  hasher.add(std::as_bytes(std::span(&size, 1)));
  hasher.add(std::as_bytes(std::span(text.data(), text.size())));
}

uint64_t signature_of(const IrLayer& layer) {
  Hasher hasher;
  for (const auto& [name, value] : layer.attributes) add_text(hasher, name), add_text(hasher, value);
  for (const IrPort& port : layer.outputs) {
    add_text(hasher, port.precision);
    hasher.add(std::as_bytes(std::span(port.dims)));
  }
  return hasher.result().low;
}

}  // namespace

IrNet::IrNet(const IrGraph& graph, IrTypeNumbers& types) : graph_(graph) {
  const uint32_t count = size();
  first_inputs_.push_back(0);
  for (uint32_t i = 0; i < count; ++i) {
    const IrLayer& layer = graph.layers[i];
    ids_.emplace_back(layer.id, i);
    types_.push_back(types.of(layer.type));
    signatures_.push_back(signature_of(layer));
    first_inputs_.push_back(first_inputs_.back() + static_cast<uint32_t>(layer.inputs.size()));
    uint32_t place = 0;
    for (const IrPort& port : layer.inputs) ports_.push_back({i, true, port.id, place++});
    place = 0;
    for (const IrPort& port : layer.outputs) ports_.push_back({i, false, port.id, place++});
  }
  std::sort(ids_.begin(), ids_.end());
  std::sort(ports_.begin(), ports_.end());
  connect();
  sort_readers();
  for (uint32_t i = 0; i < count; ++i)
    is_weight_.push_back(layer(i).type == "Const" || (layer(i).decompression && layer(i).type == "Convert" &&
                                                      layer(i).inputs.size() == 1 && is_const(source(i, 0))));
}

std::optional<uint32_t> IrNet::find(int64_t id) const {
  const auto found = std::lower_bound(ids_.begin(), ids_.end(), std::pair(id, uint32_t{0}));
  if (found == ids_.end() || found->first != id) return std::nullopt;
  return found->second;
}

std::optional<uint32_t> IrNet::find_port(uint32_t layer, bool is_input, int64_t id) const {
  const auto found = std::lower_bound(ports_.begin(), ports_.end(), PortPlace{layer, is_input, id, 0});
  if (found == ports_.end() || found->layer != layer || found->is_input != is_input || found->id != id)
    return std::nullopt;
  return found->place;
}

IrNet::End IrNet::operand(uint32_t layer, uint32_t input) const {
  const End end = source(layer, input);
  return end && is_weight_[end.layer] && !is_const(end) ? source(end.layer, 0) : end;
}

void IrNet::connect() {
  sources_.resize(first_inputs_.back());
  for (const IrEdge& edge : graph_.edges) {
    const auto from = find(edge.from_layer), to = find(edge.to_layer);
    if (!from || !to) continue;
    const auto output = find_port(*from, false, edge.from_port), input = find_port(*to, true, edge.to_port);
    if (!output || !input) continue;
    End& source = sources_[first_inputs_[*to] + *input];
    if (!source) source = {*from, *output};
  }
}

void IrNet::sort_readers() {
  first_readers_.resize(size() + size_t{1});
  for (const End& end : sources_)
    if (end) ++first_readers_[end.layer + 1];
  for (size_t i = 1; i < first_readers_.size(); ++i) first_readers_[i] += first_readers_[i - 1];
  readers_.resize(first_readers_.back());
  std::vector<uint32_t> next = first_readers_;
  for (uint32_t i = 0; i < size(); ++i)
    for (uint32_t input = 0; input < layer(i).inputs.size(); ++input)
      if (const End end = source(i, input))
        readers_[next[end.layer]++] = {end.port, types_[i], is_commutative(layer(i)) ? 0 : input, i};
  for (uint32_t i = 0; i < size(); ++i)
    std::sort(readers_.begin() + first_readers_[i], readers_.begin() + first_readers_[i + 1]);
}

bool is_commutative(const IrLayer& layer) {
  return layer.inputs.size() == 2 &&
         is_one_of(layer.type, {"Add", "Multiply", "Maximum", "Minimum", "Equal", "NotEqual", "SquaredDifference",
                                "LogicalAnd", "LogicalOr", "LogicalXor", "BitwiseAnd", "BitwiseOr", "BitwiseXor"});
}

}  // namespace mo
