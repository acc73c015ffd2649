// From Caffe's layers to Model Optimizer's operations: the table operators.def and the functions named in it.
#pragma once

#include "core/build/builder.h"
#include "core/front/loader.h"

namespace mo::caffe {

/// The rows of operators.def.
const Operators& operators();

/// The number of the layer's inputs without its blobs.
int bottoms_of(const Node& node);
/// Blob `i`; empty if the layer has fewer.
OutPort blob_of(const Node& node, int i);

/// What stands for -1 in the shape of a blob that a filler makes: a dimension of bottom 0, divided by `parts`; with
/// `all` the product of the dimensions from `axis` on.
struct OpenSize {
  int64_t axis = 1, parts = 1;
  bool all = false;
};
/// Blob `i` in this shape, which may have one -1. Throws MissingInput; ShapeMismatch if it has another shape, of which
/// leading dimensions of 1 do not count; a list of as many numbers will do, as some programs write no shape.
OutPort shaped_blob(Node& node, int i, Ints shape, OpenSize open = {});
/// The number of elements of blob `i`; nullopt for one that a filler makes, or that is not there.
std::optional<int64_t> size_of_blob(const Node& node, int i);

/// Inserts a node behind output 0, which takes over its readers and its names.
Node& add_behind(Node& node, const char* op, NewAttributes attributes = {});
/// ReLU, or LeakyReLU, behind the node: Intel's fork has them in other layers.
void add_relu(Node& node, double negative_slope);
/// The node becomes this op of these inputs, without attributes of the layer.
void become(Node& node, const char* op, const std::vector<OutPort>& inputs);

}  // namespace mo::caffe
