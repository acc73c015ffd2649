// Functions of operators.def for losses and statistics.

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

void extract_in_top_k(Node& node) {
  node.add_in_ports(3);
  node.in(2).connect(Builder(node).i64_scalar(node.get_int("k")));
  node.set_op("InTopKV2");
}

void extract_approx_top_k(Node& node) {
  if (!node.get_bool("aggregate_to_topk", true)) throw Error(Code::UnsupportedForm, "more than the k best");
  node.set("axis", node.get_int("reduction_dimension", -1));
  node.set("largest", node.get_bool("is_max_k", true));
  node.set("index_element_type", ElementType::I32);
  node.set_op("TopKONNX");
}

/// Element k is in the sum of element i if sign * (i - k) > least.
void extract_cumulative_logsumexp(Node& node) {
  node.set("sign", node.get_bool("reverse") ? -1.0 : 1.0);
  node.set("least", node.get_bool("exclusive") ? 0.5 : -0.5);
  node.set_op("CumulativeLogsumexp");
}

void extract_stateless_multinomial(Node& node) {
  reorder_inputs(node, {0, 1});
  node.set("log_probs", true);
  node.set("convert_type", type_of(node, "output_dtype"));
  node.set_op("Multinomial");
}

}  // namespace mo::tf
