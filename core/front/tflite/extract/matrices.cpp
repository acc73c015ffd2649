// FULLY_CONNECTED and embeddings.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tflite/extract/extractor.h"

namespace mo::tflite {

/// (x, weights [out, in], bias). Unless its dimensions are kept, x is a matrix with rows of `in` elements.
void extract_fully_connected(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  if (node.get_int("weights_format") != 0)
    throw Error(Code::UnsupportedForm, "weights in an order for one kind of processor");
  node.set_op(node.get_bool("keep_num_dims") ? "FullyConnectedOfAll" : "FullyConnected");
  for (const char* key : {"keep_num_dims", "weights_format"}) node.attributes.erase(key);
}

/// (indices, rows)
void extract_embedding_lookup(Node& node) {
  reorder_inputs(node, {1, 0});
  const OutPort axis = Builder(node).i64_scalar(0);
  node.add_in_ports(3);
  node.in(2).connect(axis);
  node.set_op("Gather");
}

/// (ids, their places, the shape of the places, weights, rows)
void extract_embedding_lookup_sparse(Node& node) {
  constexpr const char* kCombiners[] = {"EmbeddingSparseSum", "EmbeddingSparseMean", "EmbeddingSparseSqrtN"};
  const int64_t combiner = node.get_int("combiner");
  if (combiner < 0 || combiner > 2) throw Error(Code::BadAttribute, msg("combiner is ", combiner));
  node.attributes.erase("combiner");
  node.set_op(kCombiners[combiner]);
}

void extract_gather(Node& node) {
  require_input(node, 1);
  const OutPort axis = Builder(node).i64_scalar(node.get_int("axis"));
  node.attributes.erase("axis");
  node.add_in_ports(3);
  node.in(2).connect(axis);
  node.set_op("Gather");
}

}  // namespace mo::tflite
