// The products of attention whose queries, keys and values are interleaved: [time, batch, heads * parts * width].

#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

void product(Node& node, const char* kind, int inputs) {
  std::vector<OutPort> sources;
  for (int i = 0; i < inputs; ++i) sources.push_back(required(node, i));
  become(node, "InterleavedProduct", sources, {{"kind", kind}, {"heads", limited_int(node, "heads", 0, 1, 1 << 20)}});
}

}  // namespace

void extract_selfatt_qk(Node& node) { product(node, "self_scores", 1); }
void extract_selfatt_valatt(Node& node) { product(node, "self_values", 2); }
void extract_encdec_qk(Node& node) { product(node, "scores", 2); }
void extract_encdec_valatt(Node& node) { product(node, "values", 2); }

}  // namespace mo::mxnet
