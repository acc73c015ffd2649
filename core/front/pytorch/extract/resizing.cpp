// Pictures in other sizes.

#include <cmath>

#include "core/front/pytorch/extract/extractor.h"

namespace mo::pytorch {
namespace {

struct Form {
  const char* mode;
  bool has_corners, antialias = false;
};

/// The factors by which positions are computed; none if the sizes decide.
Doubles scales_of(const Node& node) {
  Doubles factors = node.get_floats("scale_factors");
  for (const char* key : {"scales", "scales_d", "scales_h", "scales_w"})
    if (node.has(key)) factors.push_back(number_of(node, key));
  const Ints from = sizes_of(node, input(node, "input") ? "input" : "self"), to = result_sizes(node);
  if (!is_given(node, "output_size")) return factors;
  // Sizes that the factors do not give are what counts.
  if (factors.size() + 2 != from.size() || to.size() != from.size()) return {};
  for (size_t i = 0; i < factors.size(); ++i) {
    const float product = static_cast<float>(from[i + 2]) * static_cast<float>(factors[i]);
    if (from[i + 2] < 0 || std::floor(product) != static_cast<float>(to[i + 2])) return {};
  }
  return factors;
}

void resize(Node& node, const Form& form) {
  Builder b(node);
  const OutPort x = required(node, input(node, "input") ? "input" : "self");
  const bool corners = form.has_corners && node.get_bool("align_corners");
  Attributes attributes{{"mode", form.mode},          {"align_corners", corners}, {"half_pixel", !corners},
                        {"by_scales", false},         {"channels_last", false},   {"is_usual", true},
                        {"antialias", form.antialias}};
  if (const Doubles factors = scales_of(node); !factors.empty()) {
    attributes.set("by_scales", true);
    attributes.set("scales", factors);
    return become(node, "Resized", {x, OutPort(), OutPort()}, std::move(attributes));
  }
  if (!is_given(node, "output_size")) throw Error(Code::MissingAttribute, "output_size");
  const OutPort sizes = int_list(node, b, "output_size");
  become(node, "Resized", {x, sizes, OutPort()}, std::move(attributes));
}

}  // namespace

void extract_upsample_nearest(Node& node) { resize(node, {"nearest", false}); }
void extract_upsample_nearest_exact(Node& node) { resize(node, {"nearest_exact", false}); }
void extract_upsample_linear(Node& node) { resize(node, {"linear", true}); }
void extract_upsample_bicubic(Node& node) { resize(node, {"cubic", true}); }
void extract_upsample_linear_antialias(Node& node) { resize(node, {"linear", true, true}); }
void extract_upsample_bicubic_antialias(Node& node) { resize(node, {"cubic", true, true}); }

}  // namespace mo::pytorch
