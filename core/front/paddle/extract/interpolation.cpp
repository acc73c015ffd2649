// Resizing. Operators of 1.x have one scale, and compute positions from sizes; those of 2.x, *_v2, from the scales.

#include "core/front/paddle/extract/window.h"

namespace mo::paddle {
namespace {

/// Any other layout than NCHW has channels last, of volumes, too. Sizes for OutSize, SizeTensor and the attributes
/// out_d, out_h and out_w; scales for Scale and the attribute. Sizes in tensors come first, then scales.
void extract_resized(Node& node, const char* mode, bool by_scales) {
  Attributes attributes{{"mode", mode},
                        {"align_corners", node.get_bool("align_corners", true)},
                        {"half_pixel", node.get_int("align_mode", 1) == 0},
                        {"by_scales", by_scales},
                        {"channels_last", node.get_string("data_layout", "NCHW") != "NCHW"}};
  const OutPort sizes = inputs(node, "SizeTensor").empty() ? int_list(node, "OutSize", {}, {})
                                                           : int_list(node, {}, "SizeTensor", {}),
                scales = sizes ? OutPort() : input(node, "Scale");
  if (!sizes && !scales) {
    Doubles given = node.get_floats("scale");
    if (given.empty() && node.get_float("scale") > 0) given = {node.get_float("scale")};
    bool is_scaled = !given.empty();
    for (const double scale : given) is_scaled &= scale > 0;
    Ints wanted;
    for (const char* key : {"out_d", "out_h", "out_w"}) wanted.push_back(node.get_int(key, -1));
    if (is_scaled)
      attributes.set("scales", given);
    else
      attributes.set("sizes", wanted);
  }
  // PaddlePaddle 3 counts the place of one element along lines and in volumes as others do.
  if (node.get_bool("is_usual")) attributes.set("is_usual", true);
  become(node, "Resized", {required(node, "X"), sizes, scales}, std::move(attributes));
}

}  // namespace

void extract_nearest_interp(Node& node) { extract_resized(node, "nearest", false); }
void extract_nearest_interp_v2(Node& node) { extract_resized(node, "nearest", true); }
void extract_linear_interp(Node& node) { extract_resized(node, "linear", false); }
void extract_linear_interp_v2(Node& node) { extract_resized(node, "linear", true); }
void extract_bilinear_interp(Node& node) { extract_resized(node, "linear", false); }
void extract_bilinear_interp_v2(Node& node) { extract_resized(node, "linear", true); }
void extract_trilinear_interp(Node& node) { extract_resized(node, "linear", false); }
void extract_trilinear_interp_v2(Node& node) { extract_resized(node, "linear", true); }
void extract_bicubic_interp(Node& node) { extract_resized(node, "cubic", false); }
void extract_bicubic_interp_v2(Node& node) { extract_resized(node, "cubic", true); }

}  // namespace mo::paddle
