// Attention, and products, as oneDNN's parts of MXNet compute them. Version 1 has the layout of the interleaved
// operators. Version 2 has the batch first, all queries before all keys and all values, and does not divide scores by
// the root of their width.

#include "core/front/mxnet/extract/quantised.h"
#include "core/graph/framework_node.h"

namespace mo::mxnet {
void extract_selfatt_qk(Node&);
void extract_selfatt_valatt(Node&);
void extract_batch_dot(Node&);

namespace {

constexpr int64_t kVersion2 = 20'000;

/// The `count` tensors of an operator; if it is quantised, their limits are behind all of them, in the same order.
std::vector<OutPort> tensors_of(Node& node, int count) {
  const bool quantised = bool_of(node, "quantized");
  std::vector<OutPort> out;
  for (int i = 0; i < count; ++i)
    out.push_back(quantised ? quantised_input(node, i, count + 2 * i).real : required(node, i));
  return out;
}

void give_product(Node& node, OutPort y) {
  if (!bool_of(node, "quantized")) return give(node, {y});
  give_calibrated(node, y, ElementType::I8);
}

bool is_of_version_2(const Node& node) {
  return node.pb && (node.pb->since >= kVersion2 || node.pb->op.starts_with("_sg_onednn_"));
}

/// Part `i` of `parts` that lie beside each other, [batch, heads, time, width].
OutPort of_heads(Builder& b, OutPort x, int64_t heads, int64_t parts, int64_t i) {
  const OutPort apart = b.reshape(x, {0, 0, parts, heads, -1});
  return b.transpose(b.gather(apart, b.i64_scalar(i), 2), {0, 2, 1, 3});
}

int64_t heads_of(const Node& node) { return limited_int(node, "heads", 0, 1, 1 << 20); }

}  // namespace

void extract_fused_selfatt_qk(Node& node) {
  if (!is_of_version_2(node)) return give_product(node, of_reals(node, extract_selfatt_qk, tensors_of(node, 1)));
  // Queries and keys are one tensor, with values behind them, or two.
  const bool apart = node.in_count() == 2 || node.in_count() == 6;
  const std::vector<OutPort> tensors = tensors_of(node, apart ? 2 : 1);
  Builder b(node);
  const int64_t heads = heads_of(node), parts = apart ? 1 : 3;
  const OutPort queries = of_heads(b, tensors[0], heads, parts, 0);
  const OutPort keys = of_heads(b, tensors.back(), heads, parts, apart ? 0 : 1);
  give_product(node, b.matmul({queries, keys}, true));
}

void extract_fused_selfatt_valatt(Node& node) {
  const std::vector<OutPort> tensors = tensors_of(node, 2);
  if (!is_of_version_2(node)) return give_product(node, of_reals(node, extract_selfatt_valatt, tensors));
  Builder b(node);
  const OutPort values = of_heads(b, tensors[1], heads_of(node), 3, 2);
  const OutPort y = b.transpose(b.matmul({tensors[0], values}), {0, 2, 1, 3});
  give_product(node, b.reshape(y, {0, 0, -1}));
}

void extract_fused_batch_dot(Node& node) { give_product(node, of_reals(node, extract_batch_dot, tensors_of(node, 2))); }

}  // namespace mo::mxnet
