// Functions of operators.def for images.

#include "core/base/text.h"
#include "core/build/builder.h"
#include "core/front/tf/extract/extractor.h"

namespace mo::tf {

void extract_resize_area(Node& node) {
  if (node.get_bool("align_corners")) throw Error(Code::UnsupportedForm, "averages of areas with align_corners");
  node.set_op("ResizeArea");
}

/// Kernels are rows of formulas.def.
void extract_scale_and_translate(Node& node) {
  constexpr std::pair<std::string_view, const char*> kKernels[] = {{"lanczos1", "Lanczos1"},
                                                                   {"lanczos3", "Lanczos3"},
                                                                   {"lanczos5", "Lanczos5"},
                                                                   {"gaussian", "Gaussian"},
                                                                   {"box", "Box"},
                                                                   {"triangle", "Triangle"},
                                                                   {"keyscubic", "KeysCubic"},
                                                                   {"mitchellcubic", "MitchellCubic"}};
  const std::string given = node.get_string("kernel_type", "lanczos3");
  const char* kernel = nullptr;
  for (const auto& [name, row] : kKernels)
    if (name == given) kernel = row;
  if (!kernel) throw Error(Code::BadAttribute, msg("kernel_type is '", printable(given), "'"));
  node.set("kernel", std::string(kernel));
  node.set("antialias", node.get_bool("antialias", true) ? 1.0 : 0.0);
  node.set_op("ScaleAndTranslate");
}

/// The threshold is an attribute.
void extract_suppression_v1(Node& node) {
  node.add_in_ports(4);
  node.in(3).connect(Builder(node).f32_scalar(static_cast<float>(node.get_float("iou_threshold", 0.5))));
  node.set_op("NonMaxSuppressionV2");
}

void extract_suppression(Node& node) {
  node.set_op(node.op() + (node.get_bool("pad_to_max_output_size") ? "Padded" : ""));
}

void extract_combined_suppression(Node& node) {
  if (node.get_bool("pad_per_class")) throw Error(Code::UnsupportedForm, "pad_per_class");
  const bool clip = node.get_bool("clip_boxes", true);
  node.set("low", clip ? 0.0 : -3.4e38);
  node.set("high", clip ? 1.0 : 3.4e38);
  node.set_op("CombinedNonMaxSuppression");
}

void extract_crop_and_resize(Node& node) {
  const std::string method = node.get_string("method", "bilinear");
  if (method != "bilinear" && method != "nearest")
    throw Error(Code::BadAttribute, msg("method is '", printable(method), "'"));
  node.set_op(method == "nearest" ? "CropAndResizeNearest" : "CropAndResize");
}

}  // namespace mo::tf
