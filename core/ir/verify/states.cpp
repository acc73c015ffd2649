// States: each Assign writes a variable that one ReadValue reads, of its type.

#include <algorithm>
#include <map>

#include "core/base/text.h"
#include "core/ir/verify/verify.h"

namespace mo {
namespace {

struct State {
  const IrLayer *reader = nullptr, *writer = nullptr;
};
using States = std::map<std::string_view, State>;

void collect(const IrGraph& graph, const IrChecks& checks, States& states) {
  for (const IrLayer& layer : graph.layers) {
    for (const IrBody& body : layer.bodies) collect(body.graph, checks, states);
    const bool reads = layer.type == "ReadValue";
    if (!reads && layer.type != "Assign") continue;
    const auto id = std::find_if(layer.attributes.begin(), layer.attributes.end(),
                                 [](const auto& attribute) { return attribute.first == "variable_id"; });
    if (id == layer.attributes.end()) continue;  // verify_layer() says so
    State& state = states[id->second];
    const IrLayer*& place = reads ? state.reader : state.writer;
    if (place) checks.wrong(&layer, msg("another ", layer.type, " has the variable ", printable(id->second)));
    place = &layer;
  }
}

}  // namespace

void verify_states(const IrGraph& graph, const IrChecks& checks) {
  States states;
  collect(graph, checks, states);
  for (const auto& entry : states) {
    const State& state = entry.second;
    if (!state.reader) {
      checks.wrong(state.writer, msg("no ReadValue has the variable ", printable(entry.first)));
      continue;
    }
    if (!state.writer) {
      checks.wrong(state.reader, msg("no Assign has the variable ", printable(entry.first)));
      continue;
    }
    if (state.writer->inputs.empty() || state.reader->outputs.empty()) continue;
    const std::string &written = state.writer->inputs[0].precision, &read = state.reader->outputs[0].precision;
    if (type_of_precision(written) != type_of_precision(read))
      checks.wrong(state.writer, msg("it writes ", printable(written), ", and its ReadValue gives ", printable(read)));
  }
}

}  // namespace mo
