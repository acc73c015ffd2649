// Operators that make tensors of labels and lengths.

#include "core/front/paddle/extract/scalars.h"

namespace mo::paddle {
namespace {

/// The places of ones along the last axis.
void become_one_hot(Node& node, OutPort indices) {
  const ElementType type = type_of(node, "dtype", ElementType::F32);
  Builder b(node);
  const OutPort depth = axis_of(node, "depth_tensor", "depth", 1);
  const OutPort on = b.constant(make_scalar(type, 1)), off = b.constant(make_scalar(type, 0));
  become(node, "OneHot", {indices, depth, on, off}, {{"axis", int64_t{-1}}});
}

}  // namespace

void extract_one_hot(Node& node) { become_one_hot(node, required(node, "X")); }
/// 1.x: the last dimension of X is 1, and is replaced.
void extract_one_hot_of_column(Node& node) {
  const OutPort x = required(node, "X");
  become_one_hot(node, Builder(node).squeeze(x, {-1}));
}

/// 1 before the length.
void extract_sequence_mask(Node& node) {
  const OutPort x = required(node, "X"), given = input(node, "MaxLenTensor");
  const int64_t most = node.get_int("maxlen", -1);
  const ElementType type = type_of(node, "out_dtype", ElementType::I64);
  Builder b(node);
  if (!given && most <= 0) return become(node, "SequenceMaskOfLongest", {x}, {{"dtype", type}}, {"Y"});
  const OutPort count = given ? scalar_of(b, given, ElementType::I64) : b.i64_scalar(most);
  become(node, "SequenceMask", {x, count}, {{"dtype", type}}, {"Y"});
}

void extract_label_smooth(Node& node) {
  const OutPort x = required(node, "X"), prior = input(node, "PriorDist");
  const double epsilon = node.get_float("epsilon");
  const Attributes attributes{{"kept", 1 - epsilon}, {"epsilon", epsilon}};
  if (prior) return become(node, "LabelSmoothTo", {x, prior}, attributes);
  become(node, "LabelSmooth", {x}, attributes);
}

}  // namespace mo::paddle
