#include "core/front/kaldi/decompose/lowering.h"

namespace mo::kaldi {

void Lowering::find_and_replace_pattern(Graph& graph) {
  for (Node* node : graph.nodes(op()))
    at_node(*node, [&] {
      Builder b(*node);
      graph.replace(*node, lowered(b, *node).node());
    });
}

}  // namespace mo::kaldi
