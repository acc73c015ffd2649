// Normalisation of batches, layers, groups, instances, neighbours and vectors.

#include <cmath>

#include "core/base/text.h"
#include "core/front/paddle/extract/window.h"

namespace mo::paddle {
namespace {

/// The operation, also with channels last: its axes follow when the rank is known.
OutPort by_channel(Builder& b, bool last, const char* op, const std::vector<OutPort>& sources, Attributes attributes) {
  if (last) attributes.set("operation", std::string(op));
  return b.op(last ? "OfLastChannels" : op, sources, std::move(attributes));
}

/// `value` for each channel of `like`, a vector of channels.
OutPort filled(Builder& b, OutPort like, double value) {
  return b.op("Broadcast", {b.scalar_like(like, value), b.shape_of(like)}, {{"mode", "numpy"}});
}

/// x times scale, plus bias: each is one number for each channel, and may be missing.
OutPort scaled_by_channel(Builder& b, bool last, OutPort x, OutPort scale, OutPort bias) {
  for (const auto& [op, factor] : {std::pair("Mul", scale), std::pair("Add", bias)}) {
    if (!factor) continue;
    x = last ? b.op(op, {x, factor})
             : b.op("AxisBroadcast", {x, factor}, {{"operation", std::string(op)}, {"axis", int64_t{1}}});
  }
  return x;
}

double epsilon_of(const Node& node, std::string_view attribute = "epsilon", double otherwise = 1e-5) {
  const double epsilon = node.get_float(attribute, otherwise);
  if (!(epsilon >= 0)) throw Error(Code::BadAttribute, msg(attribute, " is ", epsilon));
  return epsilon;
}

/// The normalised data. With trainable_statistics the batch's own mean and variance count.
OutPort batch_normalized(Node& node, Builder& b) {
  const bool last = channels_last(node, node.has("data_layout") ? "data_layout" : "data_format");
  const OutPort x = required(node, "X"), mean = required(node, "Mean"), variance = required(node, "Variance");
  const OutPort scale = input(node, "Scale"), bias = input(node, "Bias");
  Attributes attributes{{"epsilon", epsilon_of(node)}};
  if (node.get_bool("trainable_statistics") && !node.get_bool("use_global_stats")) {
    if (is_read(node, "MeanOut") || is_read(node, "VarianceOut"))
      throw Error(Code::UnsupportedForm, "statistics of training as an output");
    attributes.set("training_mode", true);
  }
  return by_channel(b, last, "batchNormInference",
                    {x, scale ? scale : filled(b, mean, 1), bias ? bias : filled(b, mean, 0), mean, variance},
                    std::move(attributes));
}

}  // namespace

/// The statistics pass: another layer may share them.
void extract_batch_norm(Node& node) {
  Builder b(node);
  const OutPort y = batch_normalized(node, b);
  give(node, {{"Y", y}, {"MeanOut", required(node, "Mean")}, {"VarianceOut", required(node, "Variance")}});
}

/// batch_norm and an activation.
void extract_inplace_abn(Node& node) {
  Builder b(node);
  const std::string activation = node.get_string("activation");
  const double alpha = node.get_float("alpha", 0.1);
  OutPort y = batch_normalized(node, b);
  if (activation == "leaky_relu")
    y = b.op("LeakyReLU", {y}, {{"alpha", alpha}});
  else if (activation == "elu")
    y = b.op("Elu", {y}, {{"alpha", alpha}});
  else if (!is_one_of(activation, {"", "identity"}))
    throw Error(Code::UnsupportedForm, msg("the activation ", printable(activation)));
  give(node, {{"Y", y}, {"MeanOut", required(node, "Mean")}, {"VarianceOut", required(node, "Variance")}});
}

void extract_instance_norm(Node& node) {
  const OutPort x = required(node, "X"), scale = input(node, "Scale"), bias = input(node, "Bias");
  const double epsilon = epsilon_of(node);
  if (scale && bias) return become(node, "InstanceNormalization", {x, scale, bias}, {{"epsilon", epsilon}}, {"Y"});
  Builder b(node);
  const OutPort unit = b.op("FlatNorm", {x}, {{"begin", int64_t{2}}, {"epsilon", epsilon}});
  give(node, {{"Y", scaled_by_channel(b, false, unit, scale, bias)}});
}

void extract_group_norm(Node& node) {
  const bool last = channels_last(node, node.has("data_layout") ? "data_layout" : "data_format");
  const int64_t groups = node.get_int("groups", 1);
  const OutPort x = required(node, "X"), scale = input(node, "Scale"), bias = input(node, "Bias");
  Builder b(node);
  const OutPort channels = scale || bias ? OutPort() : b.dims_of(x, {last ? -1 : 1});
  const auto given = [&](OutPort port, double otherwise) {
    if (port) return port;
    if (!channels) return filled(b, scale ? scale : bias, otherwise);
    return b.op("Broadcast", {b.scalar_like(x, otherwise), channels}, {{"mode", "numpy"}});
  };
  const OutPort factors = given(scale, 1), summands = given(bias, 0);
  Attributes attributes{{"num_groups", groups}, {"epsilon", epsilon_of(node)}};
  if (last) attributes.set("operation", "GroupNormalizationONNX");
  become(node, last ? "OfLastChannels" : "GroupNormalizationONNX", {x, factors, summands}, std::move(attributes),
         {"Y"});
}

void extract_layer_norm(Node& node) {
  const OutPort x = required(node, "X"), scale = input(node, "Scale"), bias = input(node, "Bias");
  become(node, "FlatNorm", {x, scale, bias},
         {{"begin", node.get_int("begin_norm_axis", 1)}, {"epsilon", epsilon_of(node)}}, {"Y"});
}

/// x plus bias and residual, whose sum is a result, too. Its last dimensions are normalised: from the begin on, or as
/// many as normalized_shape has.
void extract_rms_norm(Node& node) {
  Builder b(node);
  OutPort x = required(node, "x");
  for (const char* slot : {"bias", "residual"})
    if (const OutPort more = input(node, slot)) x = b.op("Add", {x, more});
  if (node.get_float("quant_scale", -1) > 0) throw Error(Code::UnsupportedForm, "a quantised result");
  const auto last = static_cast<int64_t>(ints_of(node, "normalized_shape").size());
  const int64_t begin = last > 0 ? -last : node.get_int("begin_norm_axis", 1);
  const OutPort y = b.op("FlatNorm", {x, input(node, "norm_weight"), input(node, "norm_bias")},
                         {{"begin", begin}, {"epsilon", epsilon_of(node)}, {"centered", false}});
  give(node, {{"out", y}, {"residual_out", x}});
}

/// The statistics are sums over so many samples.
void extract_data_norm(Node& node) {
  if (node.get_int("slot_dim", -1) > 0) throw Error(Code::UnsupportedForm, "slot_dim");
  Builder b(node);
  const OutPort x = required(node, "X"), size = required(node, "BatchSize"), sum = required(node, "BatchSum"),
                squares = required(node, "BatchSquareSum");
  const OutPort mean = b.op("Div", {sum, size}), scale = b.op("Sqrt", {b.op("Div", {size, squares})});
  OutPort y = b.op("Mul", {b.op("Sub", {x, mean}), scale});
  if (node.get_bool("enable_scale_and_shift")) {
    y = b.op("Mul", {y, required(node, "scale_w")});
    y = b.op("Add", {y, required(node, "bias")});
  }
  give(node, {{"Y", y}, {"Means", mean}, {"Scales", scale}});
}

void extract_affine_channel(Node& node) {
  Builder b(node);
  const bool last = channels_last(node, "data_layout");
  const OutPort x = required(node, "X"), scale = required(node, "Scale"), bias = required(node, "Bias");
  give(node, {{"Out", scaled_by_channel(b, last, x, scale, bias)}});
}

/// alpha is of each neighbour, not of their average. MidOut is what the data is divided by, before its power is taken.
void extract_lrn(Node& node) {
  const int64_t size = node.get_int("n", 5);
  const double alpha = node.get_float("alpha", 1e-4) * static_cast<double>(size), beta = node.get_float("beta", 0.75),
               bias = node.get_float("k", 2);
  if (size < 1 || size > INT32_MAX) throw Error(Code::BadAttribute, msg("n is ", size));
  const bool last = channels_last(node);
  const OutPort x = required(node, "X");
  if (!is_read(node, "MidOut")) {
    become(node, "AttributedLRN", {x}, {{"size", size}, {"alpha", alpha}, {"beta", beta}, {"bias", bias}});
    if (last) set_last_channels(node, 2);
    return;
  }
  Builder b(node);
  SpatialWindow window(3);
  const size_t channels = last ? 2 : 0;
  window.kernel = {1, 1, 1};
  window.kernel[channels] = size;
  window.pads_begin[channels] = (size - 1) / 2;
  window.pads_end[channels] = size / 2;
  window.counted = Counted::Padding;
  Node& pool = b.node("Pooling", {b.unsqueeze(b.op("Mul", {x, x}), {1})}, {{"pool_method", "avg"}});
  window.set(pool);
  const OutPort mean = b.squeeze(pool.out(0), {1});
  const OutPort middle = b.op("Add", {b.op("Mul", {mean, b.scalar_like(x, alpha)}), b.scalar_like(x, bias)});
  give(node, {{"Out", b.op("Div", {x, b.op("Pow", {middle, b.scalar_like(x, beta)})})}, {"MidOut", middle}});
}

/// x divided by its norm along an axis.
void extract_norm(Node& node) {
  const OutPort x = required(node, "X"), axis = Builder(node).i64({node.get_int("axis", -1)});
  const double epsilon = epsilon_of(node, "epsilon", 1e-10);
  become(node, "NormalizeL2", {x, axis}, {{"eps", epsilon}, {"eps_mode", "add"}});
}

void extract_spectral_norm(Node& node) {
  const int64_t steps = node.get_int("power_iters", 1);
  if (steps < 0 || steps > 1000) throw Error(Code::BadAttribute, msg("power_iters is ", steps));
  become(node, "SpectralNorm", {required(node, "Weight"), required(node, "U"), required(node, "V")},
         {{"dim", node.get_int("dim")}, {"steps", steps}, {"eps", epsilon_of(node, "eps", 1e-12)}});
}

}  // namespace mo::paddle
