// Functions of operators.def for resizing.

#include <algorithm>
#include <initializer_list>

#include "core/base/text.h"
#include "core/front/onnx/extract/extractor.h"
#include "core/front/onnx/extract/opset.h"

namespace mo::onnx {
namespace {

/// IR's operation has texts of the same names, and would get any other one as it is.
void check_text(const Node& node, const char* key, std::initializer_list<std::string_view> known) {
  if (!node.has(key)) return;
  const std::string text = node.get_string(key);
  if (std::find(known.begin(), known.end(), text) == known.end())
    throw Error(Code::BadAttribute, msg(key, " is '", printable(text), "'"));
}

}  // namespace

void extract_resize(Node& node) {
  check_text(node, "mode", {"nearest", "linear", "bilinear", "trilinear", "cubic"});
  if (opset(node) < 11) return node.set_op("ONNXResize10");
  check_text(node, "coordinate_transformation_mode",
             {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric",
              "tf_half_pixel_for_nn", "tf_crop_and_resize"});
  if (node.get_string("mode", "nearest") == "nearest")  // exporters write anything where it is not used
    check_text(node, "nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
  check_text(node, "keep_aspect_ratio_policy", {"stretch", "not_larger", "not_smaller"});
  node.set_op("ONNXResize11");
}

void extract_upsample(Node& node) {
  if (opset(node) < 7 && !node.has("scales"))  // the first version had one scale attribute for each image axis
    node.set("scales", Doubles{1, 1, node.get_float("height_scale", 1), node.get_float("width_scale", 1)});
  if (opset(node) < 9 && !node.has("scales")) throw Error(Code::MissingAttribute, "scales");
  node.set_op("Upsample");
}

}  // namespace mo::onnx
