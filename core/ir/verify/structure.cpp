// A graph as a graph: ids, names, ports, edges and cycles.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/base/text.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

class StructureCheck {
 public:
  StructureCheck(const IrGraph& graph, const IrChecks& checks) : graph_(graph), checks_(checks) {}

  void run() {
    check_layers();
    check_edges();
    check_inputs();
    check_cycles();
  }

 private:
  const IrLayer& layer(size_t index) const { return graph_.layers[index]; }

  void check_layers() {
    std::unordered_set<std::string_view> names;
    bool has_sink = false;
    for (size_t i = 0; i < graph_.layers.size(); ++i) {
      const IrLayer& one = layer(i);
      has_sink = has_sink || one.type == "Result" || one.type == "Assign";
      if (one.id < 0)
        checks_.wrong(&one, msg("the layer has no id"));
      else if (!index_.emplace(one.id, i).second)
        checks_.wrong(&one, msg("another layer has the id ", one.id));
      if (one.type.empty()) checks_.wrong(&one, msg("the layer has no type"));
      if (one.name.empty())
        checks_.wrong(&one, msg("the layer has no name"));
      else if (!names.insert(one.name).second)
        checks_.wrong(&one, msg("another layer has the name"));
      check_ports(one);
    }
    if (!has_sink) checks_.wrong(nullptr, msg("the graph has no Result"));
  }

  void check_ports(const IrLayer& one) {
    std::vector<int64_t> ids;
    ids.reserve(one.inputs.size() + one.outputs.size());
    for (const std::vector<IrPort>* ports : {&one.inputs, &one.outputs})
      for (const IrPort& port : *ports) {
        if (port.id < 0) checks_.wrong(&one, msg("a port has no id"));
        ids.push_back(port.id);
        if (!type_of_precision(port.precision))
          checks_.wrong(&one, msg("port ", port.id, " has the precision ", printable(port.precision)));
        for (const int64_t dim : port.dims)
          if (dim < -1) checks_.wrong(&one, msg("port ", port.id, " has the dimension ", dim));
      }
    if (std::is_sorted(ids.begin(), ids.end())) {
      if (std::adjacent_find(ids.begin(), ids.end()) == ids.end()) return;
    } else {
      std::sort(ids.begin(), ids.end());
    }
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    if (twice != ids.end()) checks_.wrong(&one, msg("two ports have the id ", *twice));
  }

  static const IrPort* find_port(const std::vector<IrPort>& ports, int64_t id) {
    // Ids are nearly always in order, from the first one's on.
    if (!ports.empty() && id >= ports[0].id) {
      const auto at = static_cast<uint64_t>(id) - static_cast<uint64_t>(ports[0].id);
      if (at < ports.size() && ports[static_cast<size_t>(at)].id == id) return &ports[static_cast<size_t>(at)];
    }
    for (const IrPort& port : ports)
      if (port.id == id) return &port;
    return nullptr;
  }

  const size_t* find_layer(int64_t id) const {
    const auto found = index_.find(id);
    return found == index_.end() ? nullptr : &found->second;
  }

  void check_edges() {
    sources_.resize(graph_.layers.size());
    for (const IrEdge& edge : graph_.edges) {
      const size_t *from = find_layer(edge.from_layer), *to = find_layer(edge.to_layer);
      if (!from || !to) {
        checks_.wrong(to     ? &layer(*to)
                      : from ? &layer(*from)
                             : nullptr,
                      msg("an edge goes from layer ", edge.from_layer, " to layer ", edge.to_layer,
                          ", and the graph has no layer ", from ? edge.to_layer : edge.from_layer));
        continue;
      }
      const IrPort* output = find_port(layer(*from).outputs, edge.from_port);
      const IrPort* input = find_port(layer(*to).inputs, edge.to_port);
      if (!output)
        checks_.wrong(&layer(*to), msg("it reads output ", edge.from_port, " of layer ", edge.from_layer, " (",
                                       printable(layer(*from).name), "), which has no such output"));
      if (!input)
        checks_.wrong(&layer(*to), msg("an edge goes to its input ", edge.to_port, ", which it does not have"));
      sources_[*to].push_back({*from, edge.to_port});
      if (output && input) compare(layer(*to), *output, *input);
    }
  }

  void compare(const IrLayer& reader, const IrPort& output, const IrPort& input) {
    const auto from = type_of_precision(output.precision), to = type_of_precision(input.precision);
    if (from && to && *from != *to)
      checks_.wrong(&reader, msg("input ", input.id, " is ", printable(input.precision), ", and what it reads is ",
                                 printable(output.precision)));
    if (output.dims != input.dims)
      checks_.wrong(&reader, msg("input ", input.id, " has shape [", join(input.dims), "], and what it reads has [",
                                 join(output.dims), "]"));
  }

  void check_inputs() {
    for (size_t i = 0; i < graph_.layers.size(); ++i) {
      std::vector<Source>& sources = sources_[i];
      if (sources.empty() && layer(i).inputs.empty()) continue;
      std::vector<int64_t> read;
      read.reserve(sources.size());
      for (const Source& source : sources) read.push_back(source.port);
      std::sort(read.begin(), read.end());
      const auto twice = std::adjacent_find(read.begin(), read.end());
      if (twice != read.end()) checks_.wrong(&layer(i), msg("two edges go to input ", *twice));
      for (const IrPort& port : layer(i).inputs)
        if (!std::binary_search(read.begin(), read.end(), port.id))
          checks_.wrong(&layer(i), msg("no edge goes to input ", port.id));
    }
  }

  void check_cycles() {
    std::vector<std::vector<size_t>> readers(graph_.layers.size());
    std::vector<size_t> waiting(graph_.layers.size()), ready;
    for (size_t i = 0; i < sources_.size(); ++i) {
      waiting[i] = sources_[i].size();
      if (waiting[i] == 0) ready.push_back(i);
      for (const Source& source : sources_[i]) readers[source.layer].push_back(i);
    }
    size_t done = 0;
    while (!ready.empty()) {
      const size_t i = ready.back();
      ready.pop_back();
      ++done;
      for (const size_t reader : readers[i])
        if (--waiting[reader] == 0) ready.push_back(reader);
    }
    if (done == graph_.layers.size()) return;
    // The layers behind a cycle wait as well: a layer of it is found by going back until one comes again.
    size_t at = 0;
    while (waiting[at] == 0) ++at;
    std::vector<bool> seen(graph_.layers.size());
    while (!seen[at]) {
      seen[at] = true;
      for (const Source& source : sources_[at])
        if (waiting[source.layer] > 0) {
          at = source.layer;
          break;
        }
    }
    checks_.wrong(&layer(at), msg("the layer depends on itself: the edges form a cycle"));
  }

  struct Source {
    size_t layer;
    int64_t port;  ///< of the reader
  };

  const IrGraph& graph_;
  const IrChecks& checks_;
  std::unordered_map<int64_t, size_t> index_;  // for lookup only
  std::vector<std::vector<Source>> sources_;
};

}  // namespace

void verify_structure(const IrGraph& graph, const IrChecks& checks) { StructureCheck(graph, checks).run(); }

}  // namespace mo
