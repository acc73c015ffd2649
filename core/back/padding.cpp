#include "core/back/padding.h"

namespace mo {
namespace {

bool pads_with_zeros(const Node& pad) {
  if (pad.get_string("mode", "constant") != "constant") return false;
  const OutPort value = pad.source(3);
  if (!value) return true;
  if (!value.tensor().value) return false;
  const auto number = read_doubles(*value.tensor().value, pad.graph().files(), 1);
  return number && number->size() == 1 && (*number)[0] == 0;
}

std::optional<Ints> pads_of(const Node& pad, int input) {
  const OutPort pads = pad.source(input);
  return pads ? pads.tensor().exact_ints() : std::nullopt;
}

}  // namespace

void for_each_padded_convolution(Graph& graph, const PaddedConvolution& action) {
  for (Node* pad : graph.nodes("Pad")) {
    const auto begin = pads_of(*pad, 1), end = pads_of(*pad, 2);
    if (!begin || !end || begin->size() != end->size() || begin->size() < 3 || !pads_with_zeros(*pad)) continue;
    for (const InPort& reader : pad->out(0).destinations()) {
      const std::string& op = reader.node().op();
      if (reader.index() == 0 && (op == "Convolution" || op == "GroupConvolution"))
        action(*pad, *begin, *end, reader.node());
    }
  }
}

}  // namespace mo
