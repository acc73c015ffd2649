// Pooling, of data with or without a batch.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"
#include "core/ops/window.h"

namespace mo::pytorch {
namespace {

/// Calls `make` with data that has a batch, and takes it away again.
template <typename Make>
void with_batch(Node& node, size_t axes, const Make& make) {
  Builder b(node);
  const OutPort x = required(node, "self");
  const bool has_batch = rank_of(node, "self") == static_cast<int64_t>(axes) + 2;
  const OutPort y = make(b, has_batch ? x : b.unsqueeze(x, {0}));
  give(node, {has_batch ? y : b.squeeze(y, {0})});
}

/// The maxima of windows, and their places, which PyTorch counts in each plane.
void pool_with_places(Node& node, const SpatialWindow& window) {
  const auto axes = static_cast<int64_t>(window.axes());
  const bool has_batch = rank_of(node, "self") == axes + 2;
  Builder b(node);
  const OutPort given = required(node, "self"), x = has_batch ? given : b.unsqueeze(given, {0});
  Node& made = b.node("Pooling", {x}, {{"pool_method", "max"}}, 2);
  window.set(made);
  Ints spatial;
  for (int64_t i = 0; i < axes; ++i) spatial.push_back(i + 2);
  const OutPort size = b.reduce("ReduceProd", b.dims_of(x, spatial), {0}, false);
  const OutPort places = b.op("FloorMod", {made.out(1), size});
  if (has_batch) return give(node, {made.out(0), places});
  give(node, {b.squeeze(made.out(0), {0}), b.squeeze(places, {0})});
}

SpatialWindow window_of(const Node& node, size_t axes) {
  SpatialWindow window(axes);
  window.kernel = ints_of_axes(node, "kernel_size", axes);
  window.strides = ints_of_axes(node, "stride", axes, window.kernel);
  window.pads_begin = window.pads_end = ints_of_axes(node, "padding", axes);
  window.rounding = node.get_bool("ceil_mode") ? Rounding::CeilTorch : Rounding::Floor;
  return window;
}

void pool(Node& node, size_t axes, const char* method) {
  const bool is_max = method == std::string_view("max");
  SpatialWindow window = window_of(node, axes);
  if (is_max) {
    window.dilations = ints_of_axes(node, "dilation", axes);
    if (node.is_read(1)) return pool_with_places(node, window);
  } else {
    window.counted = node.get_bool("count_include_pad") ? Counted::Padding : Counted::Data;
    if (is_given(node, "divisor_override")) {
      const int64_t divisor = int_of(node, "divisor_override");
      if (divisor == 0) throw Error(Code::BadAttribute, "divisor_override is 0");
      double count = 1;
      for (const int64_t size : window.kernel) count *= static_cast<double>(size);
      window.counted = Counted::Kernel;
      return with_batch(node, axes, [&](Builder& b, OutPort x) {
        Node& made = b.node("Pooling", {x}, {{"pool_method", method}});
        window.set(made);
        return b.op("Mul",
                    {made.out(0), b.constant(make_scalar(result_type(node), count / static_cast<double>(divisor)))});
      });
    }
  }
  if (rank_of(node, "self") == static_cast<int64_t>(axes) + 2) {
    const OutPort x = required(node, "self");
    become(node, "Pooling", {x}, {{"pool_method", method}});
    return window.set(node);
  }
  with_batch(node, axes, [&](Builder& b, OutPort x) {
    Node& made = b.node("Pooling", {x}, {{"pool_method", method}});
    window.set(made);
    return made.out(0);
  });
}

void adaptive(Node& node, size_t axes, const char* method) {
  const Ints sizes = ints_of_axes(node, "output_size", axes);
  if (node.is_read(1)) {
    Builder b(node);
    const bool has_batch = rank_of(node, "self") == static_cast<int64_t>(axes) + 2;
    const OutPort given = required(node, "self"), x = has_batch ? given : b.unsqueeze(given, {0}), to = b.i64(sizes);
    Node& made = b.node("AdaptivePool", {x, to}, {{"pool_method", method}}, 2);
    const OutPort places = b.convert(made.out(1), ElementType::I64);
    if (has_batch) return give(node, {made.out(0), places});
    return give(node, {b.squeeze(made.out(0), {0}), b.squeeze(places, {0})});
  }
  if (rank_of(node, "self") == static_cast<int64_t>(axes) + 2) {
    const OutPort x = required(node, "self"), to = Builder(node).i64(sizes);
    return become(node, "AdaptivePool", {x, to}, {{"pool_method", method}});
  }
  with_batch(node, axes,
             [&](Builder& b, OutPort x) { return b.op("AdaptivePool", {x, b.i64(sizes)}, {{"pool_method", method}}); });
}

}  // namespace

void extract_max_pool1d(Node& node) { pool(node, 1, "max"); }
void extract_max_pool2d(Node& node) { pool(node, 2, "max"); }
void extract_max_pool3d(Node& node) { pool(node, 3, "max"); }
void extract_avg_pool1d(Node& node) { pool(node, 1, "avg"); }
void extract_avg_pool2d(Node& node) { pool(node, 2, "avg"); }
void extract_avg_pool3d(Node& node) { pool(node, 3, "avg"); }
void extract_adaptive_avg_pool1d(Node& node) { adaptive(node, 1, "avg"); }
void extract_adaptive_avg_pool2d(Node& node) { adaptive(node, 2, "avg"); }
void extract_adaptive_avg_pool3d(Node& node) { adaptive(node, 3, "avg"); }
void extract_adaptive_max_pool1d(Node& node) { adaptive(node, 1, "max"); }
void extract_adaptive_max_pool2d(Node& node) { adaptive(node, 2, "max"); }
void extract_adaptive_max_pool3d(Node& node) { adaptive(node, 3, "max"); }

}  // namespace mo::pytorch
