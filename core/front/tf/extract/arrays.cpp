// Functions of operators.def for operations that join, cut and make tensors.

#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tf/extract/data_format.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

/// The first input passes; the others are printed.
void extract_print(Node& node) {
  reorder_inputs(node, {0});
  node.set_op("Identity");
}

/// The axis comes first.
void extract_concat(Node& node) {
  std::vector<int> order;
  for (int i = 1; i < node.in_count(); ++i) order.push_back(i);
  order.push_back(0);
  reorder_inputs(node, order);
  node.set_op("ConcatV2");
}

void extract_split(Node& node) {
  reorder_inputs(node, {1, 0});
  node.set("num_splits", int64_t{node.out_count()});
  node.set_op("Split");
}

void extract_split_v(Node& node) {
  reorder_inputs(node, {0, 2, 1});
  node.set_op("VariadicSplit");
}

/// The axis follows the batch.
void extract_gather(Node& node) {
  require_input(node, 1);
  node.add_in_ports(3);
  node.in(2).connect(Builder(node).i64_scalar(node.get_int("batch_dims")));
  node.set_op("Gather");
}

void extract_fill(Node& node) {
  reorder_inputs(node, {1, 0});
  node.set_op("Broadcast");
}

/// (x, indices of one or several slices, their values)
void extract_inplace(Node& node) {
  require_input(node, 2);
  const OutPort indices = Builder(node).unsqueeze(node.source(1), {-1});
  set_inputs(node, {node.source(0), indices, node.source(2)});
  const std::string& op = node.op();
  node.set("reduction", std::string(op == "InplaceAdd" ? "sum" : op == "InplaceSub" ? "sub" : "none"));
  node.set_op("ScatterNDUpdate");
}

/// SpaceToDepth and DepthToSpace: blocks come before channels.
void extract_space_depth(Node& node) { set_axes(node, data_format(node, 2)); }

/// SpaceToBatch and BatchToSpace with one number for the blocks of both axes.
void extract_space_batch(Node& node) {
  require_input(node, 1);
  const OutPort pads = node.source(1);
  const int64_t size = node.get_int("block_size");
  node.add_in_ports(3);
  node.in(2).connect(pads);
  node.in(1).connect(Builder(node).i64({size, size}));
  node.set_op("TF" + node.op());
}

void extract_image_patches(Node& node) {
  const DataFormat format = data_format(node, 2);
  set_axes(node, format);
  if (node.has("rates")) node.set("dilations", node.get_ints("rates"));
  window_of(node, format).set(node);
  node.set("sizes", spatial_numbers(node, "ksizes", format));
  node.set_op("ExtractImagePatches");
}

void extract_volume_patches(Node& node) {
  require_input(node, 0);
  Builder b(node);
  node.set("same", int64_t{node.get_string("padding") == "SAME"});
  set_inputs(node, {node.source(0), b.i64(node.get_ints("ksizes")), b.i64(node.get_ints("strides"))});
  node.set_op("ExtractVolumePatches");
}

}  // namespace mo::tf
