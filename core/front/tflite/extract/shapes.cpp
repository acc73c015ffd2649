// Operators that change shapes, and those that join and cut.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/common/inputs.h"
#include "core/front/tflite/extract/extractor.h"
#include "core/front/tflite/extract/window.h"

namespace mo::tflite {

/// Old files have the shape as an option.
void extract_reshape(Node& node) {
  require_input(node, 0);
  if (!node.has_in(1)) {
    const OutPort shape = Builder(node).i64(node.get_ints("new_shape"));
    node.add_in_ports(2);
    node.in(1).connect(shape);
  }
  node.attributes.erase("new_shape");
  node.set("special_zero", false);
  node.set_op("Reshape");
}

/// Without dimensions all those of 1 are removed.
void extract_squeeze(Node& node) {
  const Ints axes = node.get_ints("squeeze_dims");
  node.attributes.erase("squeeze_dims");
  if (!axes.empty()) node.set("axes", axes);
  node.set_op("AttributedSqueeze");
}

void extract_mirror_pad(Node& node) {
  const int64_t mode = node.get_int("mode");
  if (mode != 0 && mode != 1) throw Error(Code::BadAttribute, msg("mode is ", mode));
  node.set("mode", std::string(mode == 0 ? "reflect" : "symmetric"));
  node.set_op("TFPad");
}

void extract_resize_nearest(Node& node) {
  if (node.get_bool("align_corners") && node.get_bool("half_pixel_centers")) {
    for (const char* key : {"align_corners", "half_pixel_centers"}) node.attributes.erase(key);
    return node.set_op("LiteResizeNearest");
  }
  node.set("mode", std::string("nearest"));
  node.set_op("TFResize");
}

/// Blocks come before channels.
void extract_depth_to_space(Node& node) { set_axes(node, 2), node.set_op("DepthToSpace"); }
void extract_space_to_depth(Node& node) { set_axes(node, 2), node.set_op("SpaceToDepth"); }

/// (axis, x)
void extract_split(Node& node) {
  reorder_inputs(node, {1, 0});
  node.set("num_splits", int64_t{node.out_count()});
  node.set_op("Split");
}
/// (x, sizes, axis)
void extract_split_v(Node& node) {
  reorder_inputs(node, {0, 2, 1});
  node.attributes.erase("num_splits");
  node.set_op("VariadicSplit");
}

/// With `offset` the ends count from the begins.
void extract_strided_slice(Node& node) {
  for (int i = 0; i < 4; ++i) require_input(node, i);
  if (node.get_bool("offset")) {
    const OutPort end = Builder(node).op("Add", {node.source(1), node.source(2)});
    node.in(2).connect(end);
  }
  node.attributes.erase("offset");
  node.set_op("TFStridedSlice");
}

/// (shape, value)
void extract_fill(Node& node) {
  reorder_inputs(node, {1, 0});
  node.set_op("Broadcast");
}

}  // namespace mo::tflite
