// Pooling, of data with or without a batch.

#include "core/base/text.h"
#include "core/front/pytorch/extract/extractor.h"
#include "core/ops/window.h"

namespace mo::pytorch {
namespace {

/// The rank of data that has a batch.
int64_t batched_rank(size_t axes) { return static_cast<int64_t>(axes) + 2; }
bool has_batch(const Node& node, size_t axes) { return rank_of(node, "self") == batched_rank(axes); }

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
  } else {
    window.counted = node.get_bool("count_include_pad") ? Counted::Padding : Counted::Data;
    if (is_given(node, "divisor_override")) {
      const int64_t divisor = int_of(node, "divisor_override");
      if (divisor == 0) throw Error(Code::BadAttribute, "divisor_override is 0");
      double count = 1;
      for (const int64_t size : window.kernel) count *= static_cast<double>(size);
      window.counted = Counted::Kernel;
      return with_batch(node, batched_rank(axes), [&](Builder& b, OutPort x) {
        Node& made = b.node("Pooling", {x}, {{"pool_method", method}});
        window.set(made);
        const OutPort factor = b.constant(make_scalar(result_type(node), count / static_cast<double>(divisor)));
        return std::vector<OutPort>{b.op("Mul", {made.out(0), factor})};
      });
    }
  }
  const bool has_places = node.is_read(1);
  if (has_batch(node, axes) && !has_places) {
    const OutPort x = required(node, "self");
    become(node, "Pooling", {x}, {{"pool_method", method}});
    return window.set(node);
  }
  with_batch(node, batched_rank(axes), [&](Builder& b, OutPort x) {
    Node& made = b.node("Pooling", {x}, {{"pool_method", method}}, has_places ? 2 : 1);
    window.set(made);
    std::vector<OutPort> results{made.out(0)};
    if (has_places) results.push_back(b.convert(b.op("PlaceInPlane", {made.out(1), x}), result_type(node, 1)));
    return results;
  });
}

void adaptive(Node& node, size_t axes, const char* method) {
  const bool has_places = node.is_read(1);
  const bool is_computed = !inputs(node, "output_size").empty();
  if (const size_t count = node.get_ints("output_size").size(); is_computed && count != axes)
    throw Error(Code::BadAttribute, msg("output_size has ", count, " numbers for ", axes, " axes"));
  Builder b(node);
  const OutPort sizes = is_computed ? int_list(node, b, "output_size") : b.i64(ints_of_axes(node, "output_size", axes));
  if (has_batch(node, axes) && !has_places) {
    const OutPort x = required(node, "self");
    return become(node, "AdaptivePool", {x, sizes}, {{"pool_method", method}});
  }
  with_batch(node, batched_rank(axes), [&](Builder& own, OutPort x) {
    Node& made = own.node("AdaptivePool", {x, sizes}, {{"pool_method", method}}, has_places ? 2 : 1);
    std::vector<OutPort> results{made.out(0)};
    if (has_places) results.push_back(own.convert(made.out(1), result_type(node, 1)));
    return results;
  });
}

/// Zeros in these sizes, with each number at its place in the plane.
void unpool(Node& node, size_t axes) {
  with_batch(node, batched_rank(axes), [&](Builder& b, OutPort x) {
    const OutPort places = required(node, "indices"), sizes = int_list(node, b, "output_size");
    const OutPort channels = b.dims_of(x, {0, 1}), lists = b.concat({channels, b.i64({-1})}, 0);
    const auto flat = [&](OutPort all) { return b.op("Reshape", {all, lists}, {{"special_zero", false}}); };
    const OutPort whole = b.concat({channels, b.reduce("ReduceProd", sizes, {0}, true)}, 0);
    const OutPort zeros =
        b.op("Broadcast", {b.constant(make_scalar(result_type(node), 0)), whole}, {{"mode", "numpy"}});
    const OutPort indices = flat(places), numbers = flat(x), along = b.i64_scalar(2);
    const OutPort filled = b.op("ScatterElementsUpdate", {zeros, indices, numbers, along},
                                {{"reduction", "none"}, {"use_init_val", true}});
    const OutPort shape = b.concat({channels, sizes}, 0);
    return std::vector<OutPort>{b.op("Reshape", {filled, shape}, {{"special_zero", false}})};
  });
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

void extract_max_unpool2d(Node& node) { unpool(node, 2); }
void extract_max_unpool3d(Node& node) { unpool(node, 3); }

}  // namespace mo::pytorch
