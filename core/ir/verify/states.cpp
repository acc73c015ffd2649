#include "core/ir/verify/states.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo {

void IrStates::add(const IrLayer& layer) {
  for (const IrBody& body : layer.bodies)
    for (const IrLayer& inner : body.graph.layers) add(inner);
  const bool reads = layer.type == "ReadValue";
  if (!reads && layer.type != "Assign") return;
  const auto id = std::find_if(layer.attributes.begin(), layer.attributes.end(),
                               [](const auto& attribute) { return attribute.first == "variable_id"; });
  if (id == layer.attributes.end()) return;  // verify_layer() says so
  State& state = states_[id->second];
  std::optional<IrLayer>& place = reads ? state.reader : state.writer;
  if (place) checks_.wrong(&layer, msg("another ", layer.type, " has the variable ", printable(id->second)));
  place = layer;
}

void IrStates::finish() {
  for (const auto& entry : states_) {
    const State& state = entry.second;
    if (!state.reader) {
      checks_.wrong(&*state.writer, msg("no ReadValue has the variable ", printable(entry.first)));
      continue;
    }
    if (!state.writer) {
      checks_.wrong(&*state.reader, msg("no Assign has the variable ", printable(entry.first)));
      continue;
    }
    if (state.writer->inputs.empty() || state.reader->outputs.empty()) continue;
    const IrPort &written = state.writer->inputs[0], &read = state.reader->outputs[0];
    if (written.type != read.type)
      checks_.wrong(&*state.writer, msg("it writes ", printable(written.precision), ", and its ReadValue gives ",
                                        printable(read.precision)));
  }
}

}  // namespace mo
