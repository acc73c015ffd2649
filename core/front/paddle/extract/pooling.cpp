// Pooling.

#include "core/base/text.h"
#include "core/front/paddle/extract/window.h"

namespace mo::paddle {
namespace {

/// Places in the tensor become those in each plane.
void count_in_planes(Node& node, OutPort x) {
  if (node.out_count() < 2 || node.out(1).disconnected()) return;
  Node& places = Builder(node).node("PlaceInPlane", {OutPort(), x});
  node.out(1).connection().set_source(places.out(0), TensorNames::Merge);
  node.out(1).connect(places.in(0));
}

void extract_pool(Node& node, size_t axes, const std::string& method, bool has_places = false) {
  const bool last = channels_last(node), adaptive = node.get_bool("adaptive"), global = node.get_bool("global_pooling"),
             is_masked = has_places && is_read(node, "Mask");
  if (adaptive && global) throw Error(Code::UnsupportedForm, "adaptive pooling with global_pooling");
  const OutPort x = required(node, "X");
  const auto turn = [&](const char* op, const std::vector<OutPort>& sources, Attributes attributes) {
    attributes.set("pool_method", method);
    if (has_places)
      become(node, op, sources, std::move(attributes), {"Out", "Mask"});
    else
      become(node, op, sources, std::move(attributes));
    if (last) set_last_channels(node, axes);
  };
  if (global && !is_masked) return turn("Pooling", {x}, {{"global_pool", true}});
  if (global) return turn("AdaptivePool", {x, Builder(node).i64(Ints(axes, 1))}, {});
  if (adaptive) {
    const bool computed = !inputs(node, "ksize").empty();
    const OutPort sizes = computed ? sizes_of(node, "ksize") : Builder(node).i64(numbers_of(node, "ksize", axes, 1));
    return turn("AdaptivePool", {x, sizes}, {});
  }
  if (!inputs(node, "ksize").empty()) throw Error(Code::UnsupportedForm, "a kernel that is computed");
  if (!node.has("ksize")) throw Error(Code::MissingAttribute, "ksize");
  SpatialWindow window = window_of(node, axes);
  window.kernel = numbers_of(node, "ksize", axes, 1);
  window.dilations.assign(axes, 1);
  window.rounding = node.get_bool("ceil_mode") && !window.is_same() ? Rounding::Ceil : Rounding::Floor;
  window.counted = node.get_bool("exclusive", true) ? Counted::Data : Counted::Mirrored;
  turn("Pooling", {x}, {});
  window.set(node);
  if (has_places) count_in_planes(node, x);
}

std::string method_of(const Node& node) {
  const std::string method = node.get_string("pooling_type", "max");
  if (method != "max" && method != "avg")
    throw Error(Code::BadAttribute, msg("pooling_type is '", printable(method), "'"));
  return method;
}

OutPort unpooled(Node& node, Builder& b, OutPort x, OutPort places, size_t axes) {
  if (const OutPort given = sizes_of(node, "output_size"))
    return b.op("Unpooled", {x, places, b.i64(Ints(axes, 0)), given});
  const SpatialWindow window = window_of(node, axes);
  const Ints kernel = numbers_of(node, "ksize", axes, 1);
  Ints more;
  for (size_t i = 0; i < axes; ++i)
    more.push_back(kernel[i] - window.strides[i] - window.pads_begin[i] - window.pads_end[i]);
  return b.op("Unpooled", {x, places, b.i64(window.strides), b.i64(more)});
}

}  // namespace

void extract_pool2d(Node& node) { extract_pool(node, 2, method_of(node)); }
void extract_pool3d(Node& node) { extract_pool(node, 3, method_of(node)); }
void extract_max_pool2d_with_index(Node& node) { extract_pool(node, 2, "max", true); }
void extract_max_pool3d_with_index(Node& node) { extract_pool(node, 3, "max", true); }

/// Powers are of the numbers themselves, so that an odd norm of negative ones is none.
void extract_lp_pool2d(Node& node) {
  const double norm = node.get_float("norm_type", static_cast<double>(node.get_int("norm_type")));
  if (!(norm > 0) || norm != 2 * static_cast<double>(static_cast<int64_t>(norm / 2)))
    throw Error(Code::UnsupportedForm, msg("norm_type ", norm));
  if (node.get_bool("adaptive")) throw Error(Code::UnsupportedForm, "adaptive pooling by a norm");
  if (!inputs(node, "ksize").empty()) throw Error(Code::UnsupportedForm, "a kernel that is computed");
  const bool last = channels_last(node), global = node.get_bool("global_pooling");
  SpatialWindow window = window_of(node, 2);
  window.kernel = numbers_of(node, node.has("ksize") ? "ksize" : "kernel_size", 2, 1);
  window.rounding = node.get_bool("ceil_mode") && !window.is_same() ? Rounding::Ceil : Rounding::Floor;
  become(node, "LpPool", {required(node, "X")}, {{"p", norm}, {"global_pool", global}});
  if (!global) window.set(node);
  if (last) set_last_channels(node, 2);
}

void extract_unpool(Node& node) {
  if (const std::string type = node.get_string("unpooling_type", "max"); type != "max")
    throw Error(Code::UnsupportedForm, msg("unpooling_type ", printable(type)));
  if (channels_last(node)) throw Error(Code::UnsupportedForm, "unpooling with channels last");
  Builder b(node);
  const OutPort x = required(node, "X"), places = required(node, "Indices");
  give(node, {{"Out", unpooled(node, b, x, places, 2)}});
}

/// Volumes become pictures of one column.
void extract_unpool3d(Node& node) {
  Builder b(node);
  const OutPort x = required(node, "X"), places = required(node, "Indices");
  const OutPort sizes = sizes_of(node, "output_size");
  if (channels_last(node)) throw Error(Code::UnsupportedForm, "unpooling with channels last");
  if (!sizes) throw Error(Code::MissingAttribute, "output_size");
  const OutPort column = b.concat({b.reduce("ReduceProd", sizes, {0}, true), b.i64({1})}, 0);
  const OutPort flat = b.reshape(x, {0, 0, -1, 1}), flat_places = b.reshape(places, {0, 0, -1, 1});
  const OutPort y = b.op("Unpooled", {flat, flat_places, b.i64({0, 0}), column});
  give(node, {{"Out", b.op("Reshape", {y, b.concat({b.i64({0, 0}), sizes}, 0)}, {{"special_zero", true}})}});
}

/// Windows of halves, quarters… of the data.
void extract_spp(Node& node) {
  const int64_t height = node.get_int("pyramid_height");
  if (height < 1 || height > 16) throw Error(Code::BadAttribute, msg("pyramid_height is ", height));
  become(node, "SpatialPyramid", {required(node, "X")},
         {{"levels", height}, {"pool_method", method_of(node)}, {"of_data", true}});
}

}  // namespace mo::paddle
