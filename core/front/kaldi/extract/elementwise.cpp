// Functions of each element, and what training alone changes.

#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {
namespace {

void scale_by(Node& node, double factor) {
  const OutPort x = frame(node);
  if (factor == 1) return become(node, "Identity", {x});
  become(node, "Mul", {x, Builder(node).f32_scalar(static_cast<float>(factor))});
}

/// x with a vector of all its elements.
void with_vector(Node& node, const char* op, std::string_view key) {
  const OutPort x = frame(node);
  const Constant vector = vector_of(node, key);
  require_sizes(node, vector.shape[0], vector.shape[0]);
  become(node, op, {x, Builder(node).constant(reshape(vector, {1, vector.shape[0]}))});
}

/// A share of 0 to 1 of the elements.
double proportion_of(const Node& node, std::string_view key) {
  const double value = number_of(node, key);
  if (!(value >= 0 && value <= 1)) throw Error(Code::BadAttribute, msg(std::string(key), " is ", value));
  return value;
}

}  // namespace

void extract_identity(Node& node) { become(node, "Identity", {frame(node)}); }
void extract_sigmoid(Node& node) { become(node, "Sigmoid", {frame(node)}); }
void extract_tanh(Node& node) { become(node, "Tanh", {frame(node)}); }
void extract_relu(Node& node) { become(node, "ReLU", {frame(node)}); }
void extract_soft_hinge(Node& node) { become(node, "SoftPlus", {frame(node)}); }
void extract_softmax(Node& node) { become(node, "SoftMax", {frame(node)}, {{"axis", 1}}); }
void extract_floored_softmax(Node& node) { become(node, "FlooredSoftMax", {frame(node)}); }
void extract_log_softmax(Node& node) { become(node, "LogSoftmax", {frame(node)}, {{"axis", 1}}); }

void extract_power(Node& node) {
  const OutPort x = frame(node);
  Builder b(node);
  const OutPort power = b.f32_scalar(static_cast<float>(number_of(node, "Power")));
  become(node, "Pow", {b.op("Abs", {x}), power});
}

/// Each element has a factor for negative numbers, and one for others.
void extract_parametric_relu(Node& node) {
  const OutPort x = frame(node);
  const Constant below = vector_of(node, "Alpha"), above = vector_of(node, "Beta", below.shape[0]);
  require_sizes(node, below.shape[0], below.shape[0]);
  Builder b(node);
  const auto part = [&](const char* op, const Constant& factors) {
    const OutPort row = b.constant(reshape(factors, {1, factors.shape[0]}));
    return b.op("Mul", {b.op(op, {x, b.f32_scalar(0)}), row});
  };
  const OutPort negative = part("Minimum", below), positive = part("Maximum", above);
  become(node, "Add", {negative, positive});
}

void extract_shift(Node& node) { with_vector(node, "Add", "Bias"); }
void extract_rescale(Node& node) { with_vector(node, "Mul", "Scales"); }
void extract_element_scale(Node& node) { with_vector(node, "Mul", "Params"); }

/// Vectors shorter than the frame are for each of its blocks.
void extract_element_offset(Node& node) {
  const OutPort x = frame(node);
  const Constant offsets = vector_of(node, "Offsets");
  const int64_t size = offsets.shape[0];
  times("Dim", size_of(node, "Dim", 1, size), "the number of Offsets", size);
  Builder b(node);
  const OutPort row = b.constant(reshape(offsets, {1, size}));
  if (size == size_of(node, "Dim", 1, size)) return become(node, "Add", {x, row});
  give(node, by_blocks(b, x, size, [&](OutPort rows) { return b.op("Add", {rows, row}); }));
}

void extract_scale_and_offset(Node& node) {
  const OutPort x = frame(node);
  const Constant scales = vector_of(node, "Scales"), offsets = vector_of(node, "Offsets", scales.shape[0]);
  const int64_t size = scales.shape[0], dim = size_of(node, "Dim");
  times("Dim", dim, "the number of Scales", size);
  Builder b(node);
  const auto changed = [&](OutPort rows) {
    const OutPort factors = b.constant(reshape(scales, {1, size})), summands = b.constant(reshape(offsets, {1, size}));
    return b.op("Add", {b.op("Mul", {rows, factors}), summands});
  };
  give(node, size == dim ? changed(x) : by_blocks(b, x, size, changed));
}

void extract_scale(Node& node) { scale_by(node, number_of(node, "Scale")); }
/// Its gradient is what it limits; the scale is of the data, too.
void extract_backprop_truncation(Node& node) { scale_by(node, number_of(node, "Scale", 1)); }
/// Kaldi's programs test with the mean of what training sees.
void extract_dropout(Node& node) {
  if (node.has("DropoutScale")) return extract_identity(node);  // of nnet2: other elements are larger, the mean is 1
  scale_by(node, 1 - proportion_of(node, "DropoutProportion"));
}

/// Its input says nothing but how many frames there are.
void extract_dropout_mask(Node& node) {
  const int64_t size = size_of(node, "OutputDim");
  const double share = node.get_bool("Continuous") ? 0 : proportion_of(node, "DropoutProportion");
  become(node, "dropoutmaskcomponent", {}, {{"size", size}, {"dropout_proportion", share}});
}

void extract_constant(Node& node) {
  const Constant output = vector_of(node, "Output");
  give(node, Builder(node).constant(reshape(output, {1, output.shape[0]})));
}

}  // namespace mo::kaldi
