// Normalisation of batches, layers, groups and instances. Factors and summands may be missing.

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

/// A vector of an argument, or `otherwise` `size` times.
OutPort vector_of(Node& node, Builder& b, std::string_view argument, Shape shape, double otherwise) {
  if (const OutPort port = input(node, argument)) return port;
  return b.constant(make_splat(result_type(node), std::move(shape), otherwise));
}

int64_t channels_of(const Node& node, std::string_view argument) {
  const Ints sizes = sizes_of(node, argument);
  if (sizes.size() < 2 || sizes[1] < 0) throw Error(Code::UnsupportedForm, "the number of channels is not known");
  return sizes[1];
}

void refuse_training(const Node& node, std::string_view argument) {
  if (node.has(argument) && int_of(node, argument) != 0)
    throw Error(Code::UnsupportedForm, "statistics of the batch, as in training: call model.eval() before the export");
}

void by_statistics(Node& node) {
  const int64_t channels = channels_of(node, "input");
  const OutPort x = required(node, "input"), mean = required(node, "running_mean"),
                variance = required(node, "running_var");
  Builder b(node);
  const OutPort gamma = vector_of(node, b, "weight", {channels}, 1), beta = vector_of(node, b, "bias", {channels}, 0);
  become(node, "batchNormInference", {x, gamma, beta, mean, variance}, {{"epsilon", number_of(node, "eps")}});
}

/// x with mean 0 and variance 1 along the axes.
OutPort centred(Node& node, Builder& b, const Ints& axes) {
  const OutPort x = required(node, "input"), list = b.i64(axes);
  return b.op("MVN", {x, list},
              {{"eps", number_of(node, "eps")}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}});
}

/// Each channel by the statistics of its own elements, where the program keeps no others.
void by_own_statistics(Node& node) {
  Builder b(node);
  const Ints sizes = sizes_of(node, "input");
  if (sizes.size() < 2) throw Error(Code::RankMismatch, msg("channels of a tensor of rank ", sizes.size()));
  Ints axes, along(sizes.size(), 1);
  for (size_t axis = 0; axis < sizes.size(); ++axis)
    if (axis != 1) axes.push_back(static_cast<int64_t>(axis));
  along[1] = sizes[1];
  OutPort y = centred(node, b, axes);
  if (const OutPort weight = input(node, "weight")) y = b.op("Mul", {y, b.reshape(weight, along, false)});
  if (const OutPort bias = input(node, "bias")) y = b.op("Add", {y, b.reshape(bias, along, false)});
  give(node, {y});
}

}  // namespace

void extract_batch_norm(Node& node) {
  if (!is_given(node, "running_mean")) return by_own_statistics(node);
  refuse_training(node, "training");
  by_statistics(node);
}

void extract_batch_norm_no_training(Node& node) { by_statistics(node); }

void extract_instance_norm(Node& node) {
  if (int_of(node, "use_input_stats") == 0) return by_statistics(node);
  const int64_t channels = channels_of(node, "input");
  Builder b(node);
  const OutPort x = required(node, "input"), gamma = vector_of(node, b, "weight", {channels}, 1),
                beta = vector_of(node, b, "bias", {channels}, 0);
  become(node, "InstanceNormalization", {x, gamma, beta}, {{"epsilon", number_of(node, "eps")}});
}

void extract_layer_norm(Node& node) {
  const auto axes = static_cast<int64_t>(ints_of(node, "normalized_shape").size());
  const double eps = number_of(node, "eps");
  const OutPort x = required(node, "input"), weight = input(node, "weight"), bias = input(node, "bias");
  if (weight && axes == 1) {
    std::vector<OutPort> sources{x, weight};
    if (bias) sources.push_back(bias);
    return become(node, "LayerNormalization", sources, {{"axis", -1}, {"epsilon", eps}});
  }
  Builder b(node);
  Ints last;
  for (int64_t i = axes; i > 0; --i) last.push_back(-i);
  OutPort y = centred(node, b, last);
  if (weight) y = b.op("Mul", {y, weight});
  if (bias) y = b.op("Add", {y, bias});
  give(node, {y});
}

void extract_group_norm(Node& node) {
  const int64_t channels = channels_of(node, "input");
  Builder b(node);
  const OutPort x = required(node, "input"), gamma = vector_of(node, b, "weight", {channels}, 1),
                beta = vector_of(node, b, "bias", {channels}, 0);
  const int64_t groups = int_of(node, node.has("group") ? "group" : "num_groups");
  become(node, "GroupNormalizationONNX", {x, gamma, beta},
         {{"num_groups", groups}, {"epsilon", number_of(node, "eps")}});
}

void extract_rms_norm(Node& node) {
  const Ints shape = ints_of(node, "normalized_shape");
  const double eps = node.has("eps") ? number_of(node, "eps") : 1.1920928955078125e-07;
  Builder b(node);
  const OutPort x = required(node, "input"), weight = vector_of(node, b, "weight", shape, 1);
  become(node, "RMSNormalization", {x, weight}, {{"axis", -static_cast<int64_t>(shape.size())}, {"epsilon", eps}});
}

/// Weights of that length along all axes but `dim`; -1: along all.
void extract_weight_norm(Node& node) {
  const int64_t rank = rank_of(node, "v");
  const bool of_all = int_of(node, "dim") == -1;
  const int64_t kept = of_all ? -1 : axis_of(node, "dim", rank);
  Ints axes;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (axis != kept) axes.push_back(axis);
  Builder b(node);
  const OutPort v = required(node, "v"), length = b.reduce("ReduceL2", v, axes, !of_all);
  std::vector<OutPort> results{b.op("Mul", {v, b.op("Div", {required(node, "g"), length})})};
  if (node.out_count() > 1) results.push_back(length);
  give(node, results);
}

}  // namespace mo::pytorch
