// Functions of operators.def for pooling of regions.

#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/opset.h"

namespace mo::onnx {

void extract_roi_align(Node& node) {
  // Up to operator set 15 the coordinates are always those that operator set 16 calls "output_half_pixel".
  const std::string mode =
      node.get_string("coordinate_transformation_mode", opset(node) >= 16 ? "half_pixel" : "output_half_pixel");
  if (mode != "half_pixel" && mode != "output_half_pixel")
    throw Error(Code::BadAttribute, msg("coordinate_transformation_mode is '", mode, "'"));
  node.set("aligned_mode", std::string(mode == "half_pixel" ? "half_pixel_for_nn" : "asymmetric"));
  node.set("pooled_h", node.get_int("output_height", 1));
  node.set("pooled_w", node.get_int("output_width", 1));
  const std::string pooling = node.get_string("mode", "avg");
  if (pooling != "avg" && pooling != "max") throw Error(Code::BadAttribute, msg("mode is '", pooling, "'"));
  node.set_op(pooling == "avg" ? "ROIAlign" : "ROIAlignMax");
}

void extract_max_roi_pool(Node& node) {
  const Ints pooled = node.get_ints("pooled_shape");
  if (pooled.size() != 2) throw Error(Code::BadAttribute, msg("pooled_shape has ", pooled.size(), " numbers, want 2"));
  node.set("pooled_h", pooled[0]);
  node.set("pooled_w", pooled[1]);
  node.set("method", std::string("max"));
  node.set_op("ROIPooling");
}

}  // namespace mo::onnx
