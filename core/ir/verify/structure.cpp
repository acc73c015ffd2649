#include "core/ir/verify/structure.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <span>

#include "core/base/text.h"

namespace mo {

void IrStructure::add(const IrLayer& layer) {
  const auto place = static_cast<uint32_t>(layers_.size());
  has_sink_ = has_sink_ || layer.type == "Result" || layer.type == "Assign";
  if (layer.id < 0)
    checks_.wrong(&layer, msg("the layer has no id"));
  else if (find_layer(layer.id))
    checks_.wrong(&layer, msg("another layer has the id ", layer.id));
  else if (layer.id != place)
    others_.emplace(layer.id, place);
  if (layer.type.empty()) checks_.wrong(&layer, msg("the layer has no type"));
  if (layer.name.empty()) checks_.wrong(&layer, msg("the layer has no name"));
  check_ids(layer);
  layers_.push_back({.id = layer.id,
                     .offset = layer.offset,
                     .text = texts_.size(),
                     .first_port = ports_.size(),
                     .name_size = static_cast<uint32_t>(layer.name.size()),
                     .type_size = static_cast<uint32_t>(layer.type.size()),
                     .inputs = static_cast<uint32_t>(layer.inputs.size()),
                     .outputs = static_cast<uint32_t>(layer.outputs.size())});
  texts_ += layer.name;
  texts_ += layer.type;
  keep(layer, layer.inputs);
  keep(layer, layer.outputs);
}

void IrStructure::keep(const IrLayer& layer, const std::vector<IrPort>& ports) {
  const uint64_t first = ports_.size();
  bool in_order = true;
  for (const IrPort& port : ports) {
    const auto type = port.type;
    if (!type) checks_.wrong(&layer, msg("port ", port.id, " has the precision ", printable(port.precision)));
    for (const int64_t dim : port.dims)
      if (dim < -1) checks_.wrong(&layer, msg("port ", port.id, " has the dimension ", dim));
    ports_.push_back({.id = port.id,
                      .first_dim = keep(port.dims),
                      .rank = static_cast<uint32_t>(port.dims.size()),
                      .type = type.value_or(ElementType::Unknown),
                      .has_type = type.has_value()});
    in_order =
        in_order && static_cast<uint64_t>(port.id) - static_cast<uint64_t>(ports[0].id) == ports_.size() - 1 - first;
  }
  if (in_order) return;
  for (uint64_t at = first; at < ports_.size(); ++at) odd_ports_.try_emplace({first, ports_[at].id}, at);
}

/// Shapes that follow each other are mostly equal.
uint64_t IrStructure::keep(const std::vector<int64_t>& dims) {
  if (dims.size() > dims_.size() || !std::equal(dims.rbegin(), dims.rend(), dims_.rbegin()))
    dims_.insert(dims_.end(), dims.begin(), dims.end());
  return dims_.size() - dims.size();
}

void IrStructure::check_ids(const IrLayer& layer) {
  int64_t last = -1;
  bool in_order = true;
  for (const std::vector<IrPort>* ports : {&layer.inputs, &layer.outputs})
    for (const IrPort& port : *ports) {
      if (port.id < 0) checks_.wrong(&layer, msg("a port has no id"));
      in_order = in_order && port.id > last;
      last = port.id;
    }
  if (in_order) return;
  std::vector<int64_t> ids;
  for (const std::vector<IrPort>* ports : {&layer.inputs, &layer.outputs})
    for (const IrPort& port : *ports) ids.push_back(port.id);
  std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) checks_.wrong(&layer, msg("two ports have the id ", *twice));
}

std::optional<uint32_t> IrStructure::find_layer(int64_t id) const {
  if (!others_.empty())
    if (const auto found = others_.find(id); found != others_.end()) return found->second;
  if (id < 0 || id >= static_cast<int64_t>(layers_.size()) || layers_[static_cast<size_t>(id)].id != id)
    return std::nullopt;
  return static_cast<uint32_t>(id);
}

const IrStructure::Port* IrStructure::find_port(uint64_t first, uint32_t count, int64_t id) const {
  const std::span<const Port> ports(ports_.data() + first, count);
  // Ids are nearly always in order, from the first one's on.
  if (!ports.empty() && id >= ports[0].id) {
    const auto at = static_cast<uint64_t>(id) - static_cast<uint64_t>(ports[0].id);
    if (at < ports.size() && ports[static_cast<size_t>(at)].id == id) return &ports[static_cast<size_t>(at)];
  }
  const auto odd = odd_ports_.find({first, id});
  return odd == odd_ports_.end() || ports.empty() ? nullptr : &ports_[static_cast<size_t>(odd->second)];
}

void IrStructure::add(const IrEdge& edge) {
  const std::optional<uint32_t> from = find_layer(edge.from_layer), to = find_layer(edge.to_layer);
  if (!from || !to) {
    const Detail what = msg("an edge goes from layer ", edge.from_layer, " to layer ", edge.to_layer,
                            ", and the graph has no layer ", from ? edge.to_layer : edge.from_layer);
    if (to || from)
      wrong(to ? *to : *from, what);
    else
      checks_.wrong(nullptr, what);
    return;
  }
  const Layer &source = layers_[*from], &reader = layers_[*to];
  const Port* output = find_port(source.first_port + source.inputs, source.outputs, edge.from_port);
  const Port* input = find_port(reader.first_port, reader.inputs, edge.to_port);
  if (!output)
    wrong(*to, msg("it reads output ", edge.from_port, " of layer ", edge.from_layer, " (", printable(name(*from)),
                   "), which has no such output"));
  if (!input) wrong(*to, msg("an edge goes to its input ", edge.to_port, ", which it does not have"));
  links_.push_back({*from, *to, edge.to_port});
  if (output && input) compare(*to, *output, *input);
}

std::string IrStructure::shape(const Port& port) const {
  const auto begin = dims_.begin() + static_cast<std::ptrdiff_t>(port.first_dim);
  return join(std::vector<int64_t>(begin, begin + port.rank));
}

void IrStructure::compare(uint32_t reader, const Port& output, const Port& input) {
  if (output.has_type && input.has_type && output.type != input.type)
    wrong(reader,
          msg("input ", input.id, " is ", precision(input.type), ", and what it reads is ", precision(output.type)));
  const int64_t* dims = dims_.data();
  if (output.rank != input.rank ||
      !std::equal(dims + input.first_dim, dims + input.first_dim + input.rank, dims + output.first_dim))
    wrong(reader,
          msg("input ", input.id, " has shape [", shape(input), "], and what it reads has [", shape(output), "]"));
}

void IrStructure::wrong(uint32_t i, const Detail& what) const {
  const Layer& kept = layers_[i];
  IrLayer layer;
  layer.id = kept.id, layer.offset = kept.offset;
  layer.name = name(i), layer.type = texts_.substr(kept.text + kept.name_size, kept.type_size);
  checks_.wrong(&layer, what);
}

void IrStructure::finish() {
  if (!has_sink_) checks_.wrong(nullptr, msg("the graph has no Result"));
  check_names();
  const std::vector<uint32_t> begins = sort_links();
  check_inputs(begins);
  check_cycles(begins);
}

/// Names that share a bit of their hashes with another name: few, where all differ. Equal ones are neighbours when they
/// are sorted by hash.
void IrStructure::check_names() {
  const size_t mask = std::bit_ceil(16 * layers_.size() + 1) - 1;
  std::vector<bool> once(mask + 1), twice(mask + 1);
  std::vector<size_t> all(layers_.size());
  for (uint32_t i = 0; i < layers_.size(); ++i) {
    if (layers_[i].name_size == 0) continue;
    all[i] = std::hash<std::string_view>()(name(i));
    const size_t bit = all[i] & mask;
    if (once[bit]) twice[bit] = true;
    once[bit] = true;
  }
  std::vector<std::pair<size_t, uint32_t>> hashes;
  for (uint32_t i = 0; i < layers_.size(); ++i)
    if (layers_[i].name_size > 0 && twice[all[i] & mask]) hashes.emplace_back(all[i], i);
  std::sort(hashes.begin(), hashes.end());
  std::vector<uint32_t> again;
  for (size_t begin = 0, end = 0; begin < hashes.size(); begin = end) {
    while (end < hashes.size() && hashes[end].first == hashes[begin].first) ++end;
    if (end - begin < 2) continue;
    std::vector<uint32_t> same;
    for (size_t i = begin; i < end; ++i) same.push_back(hashes[i].second);
    std::stable_sort(same.begin(), same.end(), [&](uint32_t a, uint32_t b) { return name(a) < name(b); });
    for (size_t i = 1; i < same.size(); ++i)
      if (name(same[i]) == name(same[i - 1])) again.push_back(same[i]);
  }
  std::sort(again.begin(), again.end());
  for (const uint32_t i : again) wrong(i, msg("another layer has the name"));
}

std::vector<uint32_t> IrStructure::sort_links() {
  std::vector<uint32_t> begins(layers_.size() + 1);
  for (const Link& link : links_) ++begins[link.to + 1];
  for (size_t i = 1; i < begins.size(); ++i) begins[i] += begins[i - 1];
  std::vector<uint32_t> next = begins;
  std::vector<Link> sorted(links_.size());
  for (const Link& link : links_) sorted[next[link.to]++] = link;
  links_ = std::move(sorted);
  return begins;
}

void IrStructure::check_inputs(const std::vector<uint32_t>& begins) {
  std::vector<int64_t> read;
  for (uint32_t i = 0; i < layers_.size(); ++i) {
    read.clear();
    for (uint32_t at = begins[i]; at < begins[i + 1]; ++at) read.push_back(links_[at].to_port);
    std::sort(read.begin(), read.end());
    const auto twice = std::adjacent_find(read.begin(), read.end());
    if (twice != read.end()) wrong(i, msg("two edges go to input ", *twice));
    for (uint32_t port = 0; port < layers_[i].inputs; ++port)
      if (const int64_t id = ports_[layers_[i].first_port + port].id; !std::binary_search(read.begin(), read.end(), id))
        wrong(i, msg("no edge goes to input ", id));
  }
}

void IrStructure::check_cycles(const std::vector<uint32_t>& begins) {
  std::vector<uint32_t> waiting(layers_.size()), ready, places(layers_.size() + 1), readers(links_.size());
  for (const Link& link : links_) ++places[link.from + 1];
  for (size_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
  std::vector<uint32_t> next = places;
  for (const Link& link : links_) readers[next[link.from]++] = link.to;
  for (uint32_t i = 0; i < layers_.size(); ++i) {
    waiting[i] = begins[i + 1] - begins[i];
    if (waiting[i] == 0) ready.push_back(i);
  }
  size_t done = 0;
  while (!ready.empty()) {
    const uint32_t i = ready.back();
    ready.pop_back();
    ++done;
    for (uint32_t at = places[i]; at < places[i + 1]; ++at)
      if (--waiting[readers[at]] == 0) ready.push_back(readers[at]);
  }
  if (done == layers_.size()) return;
  // The layers behind a cycle wait as well: a layer of it is found by going back until one comes again.
  uint32_t at = 0;
  while (waiting[at] == 0) ++at;
  std::vector<bool> seen(layers_.size());
  while (!seen[at]) {
    seen[at] = true;
    for (uint32_t link = begins[at]; link < begins[at + 1]; ++link)
      if (waiting[links_[link].from] > 0) {
        at = links_[link].from;
        break;
      }
  }
  wrong(at, msg("the layer depends on itself: the edges form a cycle"));
}

}  // namespace mo
