// Normalisation and what is added for each channel.

#include "core/base/text.h"
#include "core/front/common/extracted.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/data_format.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

void extract_fused_batch_norm(Node& node) {
  for (int i = 0; i < 5; ++i) require_input(node, i);
  const bool volume = node.get_string("data_format").size() == 5;
  set_axes(node, data_format(node, volume ? 3 : 2));
  const bool training = node.get_bool("is_training", true);
  node.set("epsilon", node.get_float("epsilon", 1e-4));
  node.set("training_mode", training);
  if (training) {
    node.set("momentum", 1 - node.get_float("exponential_avg_factor", 1));
    node.set("unbiased_variance", true);
  }
  node.set_op("batchNormInference");
}

/// (x, mean, variance, beta, gamma)
void extract_global_batch_norm(Node& node) {
  node.set("epsilon", node.get_float("variance_epsilon"));
  if (!node.get_bool("scale_after_normalization")) {
    reorder_inputs(node, {0, 1, 2, 3});
    return node.set_op("GlobalBatchNormalization");
  }
  reorder_inputs(node, {0, 4, 3, 1, 2});
  set_axes(node, data_format(node, 2));
  node.set_op("batchNormInference");
}

/// If channels are last, Add broadcasts the bias along them.
void extract_bias_add(Node& node) {
  const std::string format = node.get_string("data_format", "NHWC");
  if (format == "NHWC") return node.set_op("Add");
  if (format != "NCHW") throw Error(Code::BadAttribute, msg("data_format is '", printable(format), "'"));
  node.set("operation", std::string("Add"));
  node.set("axis", int64_t{1});
  node.set_op("AxisBroadcast");
}

void extract_lrn(Node& node) {
  set_lrn_window(node, "depth_radius", node.get_int("depth_radius", 5), node.get_float("alpha", 1));
  node.set("beta", node.get_float("beta", 0.5));
  node.set("bias", node.get_float("bias", 1));
  set_axes(node, data_format(node, 2));
  node.set_op("AttributedLRN");
}

}  // namespace mo::tf
