// Normalisation of batches, layers, groups, instances, neighbours and vectors.

#include "core/base/text.h"
#include "core/front/mxnet/extract/extractor.h"

namespace mo::mxnet {
namespace {

double epsilon_of(const Node& node, double otherwise) {
  const double epsilon = float_of(node, "eps", otherwise);
  if (!(epsilon >= 0)) throw Error(Code::BadAttribute, msg(std::string("eps"), " is ", epsilon));
  return epsilon;
}

/// Ones, as many as `like` has elements.
OutPort ones(Builder& b, OutPort like) {
  if (const Constant* value = like.node().get_constant("value"))
    return b.constant(make_splat(value->type, value->shape, 1));
  return b.op("Broadcast", {b.scalar_like(like, 1), b.shape_of(like)}, {{"mode", "numpy"}});
}

OutPort along(Builder& b, const char* operation, OutPort x, OutPort numbers, int64_t axis) {
  return b.op("AxisBroadcast", {x, numbers}, {{"operation", operation}, {"axis", axis}});
}

/// Of the data along axes, whose dimensions stay.
struct Moments {
  OutPort mean, distance, variance;
};
Moments moments(Builder& b, OutPort x, OutPort axes) {
  const auto average = [&](OutPort of) { return b.op("ReduceMean", {of, axes}, {{"keep_dims", true}}); };
  Moments out;
  out.mean = average(x);
  out.distance = b.op("Sub", {x, out.mean});
  out.variance = average(b.op("Mul", {out.distance, out.distance}));
  return out;
}

/// Channels along any other axis than 1: their factors and summands follow from vectors.
OutPort normalized_along(Builder& b, const std::vector<OutPort>& x, double epsilon, int64_t axis) {
  const OutPort deviation = b.op("Sqrt", {b.op("Add", {x[4], b.scalar_like(x[4], epsilon)})});
  const OutPort scale = b.op("Div", {x[1], deviation});
  const OutPort shift = b.op("Sub", {x[2], b.op("Mul", {x[3], scale})});
  const OutPort factors = b.op("ConvertLike", {scale, x[0]}), summands = b.op("ConvertLike", {shift, x[0]});
  return along(b, "Add", along(b, "Mul", x[0], factors, axis), summands, axis);
}

/// By the statistics of training. What is read of the other outputs: the mean, and 1 over the deviation.
void normalize_batch(Node& node, bool relu) {
  std::vector<OutPort> sources;
  for (int i = 0; i < 5; ++i) sources.push_back(required(node, i));
  const double epsilon = epsilon_of(node, 1e-3);
  const int64_t axis = int_of(node, "axis", 1);
  Builder b(node);
  if (bool_of(node, "fix_gamma", true)) sources[1] = ones(b, sources[3]);
  const bool alone = !node.is_read(1);
  if (axis == 1 && alone && !relu) return become(node, "batchNormInference", sources, {{"epsilon", epsilon}});
  OutPort y = axis == 1 ? b.op("batchNormInference", sources, {{"epsilon", epsilon}})
                        : normalized_along(b, sources, epsilon, axis);
  if (relu) y = b.op("ReLU", {y});
  if (alone) return give(node, {y});
  const OutPort variance = sources[4];
  const OutPort inverse =
      b.op("Pow", {b.op("Add", {variance, b.scalar_like(variance, epsilon)}), b.scalar_like(variance, -0.5)});
  give(node, {y, sources[3], inverse});
}

}  // namespace

void extract_batch_norm(Node& node) { normalize_batch(node, false); }
void extract_batch_norm_with_relu(Node& node) { normalize_batch(node, true); }

/// Along one axis. Further outputs are the mean and the deviation.
void extract_layer_norm(Node& node) {
  const OutPort x = required(node, 0), gamma = required(node, 1), beta = required(node, 2);
  const int64_t axis = int_of(node, "axis", -1);
  const double epsilon = epsilon_of(node, 1e-5);
  if (axis == -1 && !node.is_read(1))
    return become(node, "LayerNormalization", {x, gamma, beta}, {{"axis", axis}, {"epsilon", epsilon}});
  Builder b(node);
  const OutPort axes = b.i64({axis});
  if (!node.is_read(1)) {
    const OutPort unit =
        b.op("MVN", {x, axes}, {{"eps", epsilon}, {"normalize_variance", true}, {"eps_mode", "inside_sqrt"}});
    return give(node, {along(b, "Add", along(b, "Mul", unit, gamma, axis), beta, axis)});
  }
  const Moments of = moments(b, x, axes);
  const OutPort deviation = b.op("Sqrt", {b.op("Add", {of.variance, b.scalar_like(x, epsilon)})});
  const OutPort unit = b.op("Div", {of.distance, deviation});
  give(node, {along(b, "Add", along(b, "Mul", unit, gamma, axis), beta, axis), of.mean, deviation});
}

void extract_instance_norm(Node& node) {
  const OutPort x = required(node, 0), gamma = required(node, 1), beta = required(node, 2);
  become(node, "InstanceNormalization", {x, gamma, beta}, {{"epsilon", epsilon_of(node, 1e-3)}});
}

/// Gamma and beta are of groups; in MXNet 2 of channels.
void extract_group_norm(Node& node) {
  const OutPort x = required(node, 0), gamma = required(node, 1), beta = required(node, 2);
  const int64_t groups = limited_int(node, "num_groups", 1, 1);
  const Constant* value = gamma.node().get_constant("value");
  const bool by_group = !value || value->elements() == static_cast<uint64_t>(groups);
  become(node, "GroupNormalizationONNX", {x, gamma, beta},
         {{"num_groups", groups}, {"epsilon", epsilon_of(node, 1e-5)}, {"by_group", by_group}});
}

/// Over all that a sample has, over channels, or over space.
void extract_l2_normalization(Node& node) {
  const OutPort x = required(node, 0);
  const std::string mode = choice_of(node, "mode", "instance", {"instance", "channel", "spatial"});
  const double epsilon = epsilon_of(node, 1e-10);
  if (mode == "channel")
    return become(node, "NormalizeL2", {x, Builder(node).i64({1})}, {{"eps", epsilon}, {"eps_mode", "add"}});
  become(node, "UnitFrom", {x}, {{"begin", mode == "instance" ? 1 : 2}, {"eps", epsilon}});
}

void extract_lrn(Node& node) {
  const OutPort x = required(node, 0);
  if (!is_given(node, "nsize")) throw Error(Code::MissingAttribute, "nsize");
  const int64_t size = limited_int(node, "nsize", 0, 1);
  if (size % 2 == 0) throw Error(Code::BadAttribute, msg(std::string("nsize"), " is ", size));
  become(node, "AttributedLRN", {x},
         {{"size", size},
          {"alpha", float_of(node, "alpha", 1e-4)},
          {"beta", float_of(node, "beta", 0.75)},
          {"bias", float_of(node, "knorm", 2)}});
}

/// The mean and the variance along axes.
void extract_moments(Node& node) {
  const OutPort x = required(node, 0);
  const bool keep = bool_of(node, "keepdims"), all = ints_of(node, "axes").empty();
  Builder b(node);
  const auto average = [&](OutPort of, bool kept) {
    Attributes attributes{{"operation", "ReduceMean"}, {"keep_dims", kept}};
    if (!all) attributes.set("axes", ints_of(node, "axes"));
    return b.op("Reduced", {of}, attributes);
  };
  const OutPort distance = b.op("Sub", {x, average(x, true)});
  give(node, {average(x, keep), average(b.op("Mul", {distance, distance}), keep)});
}

}  // namespace mo::mxnet
