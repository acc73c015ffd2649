// Losses of predictions of classes.

#include "core/front/pytorch/extract/losses.h"

namespace mo::pytorch {
namespace {

/// Logarithms of probabilities along the axis of classes.
struct Classes {
  ElementType type;
  int64_t axis;
  OutPort logarithms;
};

/// Samples that a target names by the number of their class.
struct Samples {
  OutPort places;  ///< i64 with the axis of classes; 0 of those left out
  OutPort counts;  ///< whether a sample counts
  OutPort weight;  ///< of each, 0 for those left out
};

int64_t axis_of_classes(const Node& node) {
  const int64_t rank = rank_of(node, "self");
  if (rank < 1) throw Error(Code::UnsupportedForm, msg("rows of ", rank, " dimensions"));
  return rank > 1 ? 1 : 0;
}

Samples samples_of(Node& node, Builder& b, const Classes& of) {
  const OutPort target = operand(node, b, "target", ElementType::I64);
  const OutPort counts = b.op("NotEqual", {target, b.i64_scalar(int_of(node, "ignore_index"))});
  const OutPort places = b.op("Select", {counts, target, b.i64_scalar(0)});
  const OutPort one = number_as(b, of.type, 1), zero = number_as(b, of.type, 0);
  const OutPort weight = input(node, "weight") ? b.gather(operand(node, b, "weight", of.type), places, 0) : one;
  return {b.unsqueeze(places, {of.axis}), counts, b.op("Select", {counts, weight, zero})};
}

OutPort sum_of_all(Builder& b, OutPort x) { return b.reduce("ReduceSum", b.reshape(x, {-1}, false), {0}, false); }

/// The negative logarithm of each sample's class, weighted.
OutPort of_samples(Builder& b, const Classes& of, const Samples& samples) {
  const OutPort taken = b.op("GatherElements", {of.logarithms, samples.places}, {{"axis", of.axis}});
  const OutPort loss = b.op("Mul", {b.op("Negative", {b.squeeze(taken, {of.axis})}), samples.weight});
  // What is left out may be infinite.
  return b.op("Select", {samples.counts, loss, number_as(b, of.type, 0)});
}

/// Weights of classes, with as many dimensions as the logarithms.
OutPort weights_of_classes(Node& node, Builder& b, const Classes& of) {
  Ints shape(static_cast<size_t>(rank_of(node, "self")), 1);
  shape[static_cast<size_t>(of.axis)] = -1;
  return b.reshape(operand(node, b, "weight", of.type), shape, false);
}

/// The sums of negative logarithms, weighted by class.
OutPort of_all_classes(Node& node, Builder& b, const Classes& of, OutPort factors) {
  OutPort x = b.op("Negative", {of.logarithms});
  if (factors) x = b.op("Mul", {x, factors});
  if (input(node, "weight")) x = b.op("Mul", {x, weights_of_classes(node, b, of)});
  return b.reduce("ReduceSum", x, {of.axis}, false);
}

int64_t number_of_classes(const Node& node, int64_t axis) {
  const Ints sizes = sizes_of(node, "self");
  const int64_t count = sizes.empty() ? -1 : sizes[static_cast<size_t>(axis)];
  if (count < 1) throw Error(Code::UnsupportedForm, "the number of classes is not known");
  return count;
}

/// The target has the probability of each class. The mean is that of samples.
void of_probabilities(Node& node, Builder& b, const Classes& of, double smoothing) {
  OutPort target = operand(node, b, "target", of.type);
  if (smoothing > 0) {
    const double share = smoothing / static_cast<double>(number_of_classes(node, of.axis));
    const OutPort kept = b.op("Mul", {target, number_as(b, of.type, 1 - smoothing)});
    target = b.op("Add", {kept, number_as(b, of.type, share)});
  }
  give_loss(node, b, of_all_classes(node, b, of, target));
}

}  // namespace

/// `self` has logarithms of probabilities.
void extract_nll_loss(Node& node) {
  Builder b(node);
  const Classes of{type_of(node, "self"), axis_of_classes(node), required(node, "self")};
  const Samples samples = samples_of(node, b, of);
  const OutPort loss = of_samples(b, of, samples);
  give_loss(node, b, loss, sum_of_all(b, samples.weight));
}

/// `self` has numbers of which the softmax has the probabilities.
void extract_cross_entropy_loss(Node& node) {
  Builder b(node);
  const int64_t axis = axis_of_classes(node);
  const ElementType type = type_of(node, "self");
  const double smoothing = number_of(node, "label_smoothing");
  if (!(smoothing >= 0 && smoothing <= 1)) throw Error(Code::BadAttribute, msg("label_smoothing is ", smoothing));
  const Classes of{type, axis, b.op("LogSoftmax", {required(node, "self")}, {{"axis", axis}})};
  if (is_float(type_of(node, "target"))) return of_probabilities(node, b, of, smoothing);
  const Samples samples = samples_of(node, b, of);
  OutPort loss = of_samples(b, of, samples);
  if (smoothing > 0) {
    const double share = smoothing / static_cast<double>(number_of_classes(node, axis));
    const OutPort all = b.op("Select", {samples.counts, of_all_classes(node, b, of, {}), number_as(b, type, 0)});
    const OutPort own = b.op("Mul", {loss, number_as(b, type, 1 - smoothing)});
    loss = b.op("Add", {own, b.op("Mul", {all, number_as(b, type, share)})});
  }
  give_loss(node, b, loss, sum_of_all(b, samples.weight));
}

}  // namespace mo::pytorch
