// Pictures of other sizes, and padding.

#include "core/base/text.h"
#include "core/front/mxnet/extract/window.h"

namespace mo::mxnet {
namespace {

/// Spatial axes of these sizes; without them larger by the factor.
OutPort resized(Builder& b, OutPort x, OutPort sizes, const char* mode, bool corners, double factor = 0) {
  Attributes attributes{{"mode", mode},
                        {"align_corners", corners},
                        {"half_pixel", !corners},
                        {"by_scales", !sizes},
                        {"channels_last", false}};
  if (!sizes) attributes.set("scales", Doubles{factor, factor});
  return b.op("Resized", sizes ? std::vector<OutPort>{x, sizes} : std::vector<OutPort>{x}, attributes);
}

/// A transposed convolution of each channel with given weights.
void extract_bilinear(Node& node, int64_t scale) {
  const OutPort x = required(node, 0), weights = required(node, 1);
  const int64_t channels = limited_int(node, "num_filter", 0, 1);
  SpatialWindow window(2);
  window.kernel.assign(2, 2 * scale - scale % 2);
  window.strides.assign(2, scale);
  window.pads_begin.assign(2, scale / 2);
  window.pads_end = window.pads_begin;
  become(node, "Deconvolution", {x, weights}, {{"group", channels}});
  window.set(node);
}

}  // namespace

/// Elements are repeated, of several inputs so that all have the size of the first result; or weights say it.
void extract_upsampling(Node& node) {
  const int64_t scale = limited_int(node, "scale", 0, 1, 1 << 16);
  const std::string type = choice_of(node, "sample_type", "", {"nearest", "bilinear"});
  if (type == "bilinear") return extract_bilinear(node, scale);
  const std::vector<OutPort> all = all_inputs(node);
  const bool sum = choice_of(node, "multi_input_mode", "concat", {"concat", "sum"}) == "sum";
  Builder b(node);
  std::vector<OutPort> parts{resized(b, all[0], {}, "nearest", false, static_cast<double>(scale))};
  if (all.size() == 1) return give(node, parts);
  const OutPort sizes = b.op("Mul", {b.dims_of(all[0], {2, 3}), b.i64({scale})});
  for (size_t i = 1; i < all.size(); ++i) parts.push_back(resized(b, all[i], sizes, "nearest", false));
  if (sum) return become(node, "EltwiseN", parts, {{"operation", "sum"}});
  become(node, "Concat", parts, {{"axis", 1}});
}

namespace {

/// The size along one axis by a factor; `odd`: of an odd size the gaps between elements are scaled.
OutPort scaled_size(Builder& b, OutPort size, double factor, bool odd) {
  OutPort part = odd ? b.op("FloorMod", {size, b.i64({2})}) : OutPort();
  const OutPort from = odd ? b.op("Sub", {size, part}) : size;
  const OutPort product = b.op("Mul", {b.convert(from, ElementType::F32), b.f32_scalar(static_cast<float>(factor))});
  const OutPort whole = b.convert(b.op("Floor", {product}), ElementType::I64);
  return odd ? b.op("Add", {whole, part}) : whole;
}

OutPort resized_sizes(const Node& node, Builder& b, OutPort x, const std::string& mode) {
  if (mode == "like") return b.dims_of(required(node, 1), {2, 3});
  if (mode.starts_with("to_")) {
    const OutPort size = b.dims_of(x, {2, 3}), odd = b.op("FloorMod", {size, b.i64({2})});
    const OutPort difference = mode.starts_with("to_odd") ? b.op("Sub", {b.i64({1}), odd}) : odd;
    return b.op(mode.ends_with("up") ? "Add" : "Sub", {size, difference});
  }
  std::vector<OutPort> parts;
  const char* const kNames[2][2] = {{"height", "scale_height"}, {"width", "scale_width"}};
  for (int64_t i = 0; i < 2; ++i) {
    const auto& [size, scale] = kNames[i];
    if (is_given(node, scale))
      parts.push_back(scaled_size(b, b.dims_of(x, {2 + i}), float_of(node, scale), mode == "odd_scale"));
    else
      parts.push_back(b.i64({limited_int(node, size, 1, 1)}));
  }
  return b.concat(parts, 0);
}

}  // namespace

void extract_bilinear_resize(Node& node) {
  const OutPort x = required(node, 0);
  const std::string mode = choice_of(
      node, "mode", "size", {"size", "like", "odd_scale", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"});
  const bool corners = bool_of(node, "align_corners", true);
  Builder b(node);
  give(node, {resized(b, x, resized_sizes(node, b, x, mode), "linear", corners)});
}

/// A begin and an end for each axis in turn.
void extract_pad(Node& node) {
  const OutPort x = required(node, 0);
  const std::string mode = choice_of(node, "mode", "", {"constant", "edge", "reflect"});
  const Ints widths = ints_of(node, "pad_width");
  if (widths.empty()) throw Error(Code::MissingAttribute, "pad_width");
  if (widths.size() % 2 != 0)
    throw Error(Code::BadAttribute,
                msg(std::string("pad_width"), " has ", widths.size(), " numbers for ", widths.size() / 2, " axes"));
  Ints begins, ends;
  for (size_t i = 0; i < widths.size(); ++i) (i % 2 == 0 ? begins : ends).push_back(widths[i]);
  Builder b(node);
  const OutPort begin = b.i64(begins), end = b.i64(ends);
  std::vector<OutPort> sources{x, begin, end};
  if (mode == "constant") sources.push_back(b.scalar_like(x, float_of(node, "constant_value")));
  become(node, "Pad", sources, {{"mode", mode}});
}

}  // namespace mo::mxnet
