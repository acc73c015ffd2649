// Pooling.

#include "core/base/text.h"
#include "core/front/mxnet/extract/window.h"

namespace mo::mxnet {
namespace {

/// What comes before and behind a sum over windows: x^p and its root. MXNet takes no magnitudes.
OutPort powers_in(Builder& b, OutPort x, int64_t p) {
  OutPort out = x;
  for (int64_t i = 1; i < p; ++i) out = b.op("Mul", {out, x});
  return out;
}

OutPort root_of(Builder& b, OutPort x, int64_t p) {
  if (p == 1) return x;
  return p == 2 ? b.op("Sqrt", {x}) : b.op("CubeRoot", {x});
}

/// Pools have no dilations. `same` has no padding, but may have a list of it for more axes.
SpatialWindow pool_window_of(Node& node, Counted counted) {
  const std::string convention = choice_of(node, "pooling_convention", "valid", {"valid", "full", "same"});
  if (convention == "same") {
    for (const int64_t pad : ints_of(node, "pad"))
      if (pad != 0) throw Error(Code::BadAttribute, msg(std::string("pad"), " is ", pad));
    node.attributes.erase("pad");
  }
  SpatialWindow window = window_of(node);
  window.dilations.assign(window.axes(), 1);
  window.rounding = convention == "full" ? Rounding::Ceil : convention == "same" ? Rounding::Starts : Rounding::Floor;
  window.counted = counted;
  return window;
}

/// The sums of all windows, or of all data.
OutPort window_sums(Node& node, Builder& b, OutPort x, bool last) {
  if (bool_of(node, "global_pool")) {
    const Ints kept{0, last ? -1 : 1};
    return b.op("Reduced", {x}, {{"operation", "ReduceSum"}, {"axes", kept}, {"exclude", true}, {"keep_dims", true}});
  }
  const SpatialWindow window = pool_window_of(node, Counted::Kernel);
  Node& made = b.node("Pooling", {x}, {{"pool_method", "avg"}});
  window.set(made);
  if (last) set_last_channels(made, window.axes());
  double count = 1;
  for (const int64_t size : window.kernel) count *= static_cast<double>(size);
  return count == 1 ? made.out(0) : b.op("Mul", {made.out(0), b.scalar_like(x, count)});
}

/// Padding with zeros, which the window then does not have.
OutPort with_zeros_around(Node& node, OutPort x, SpatialWindow& window) {
  const Ints none(window.axes(), 0);
  if (window.pads_begin == none) return x;
  Builder b(node);
  Ints pads{0, 0};
  pads.insert(pads.end(), window.pads_begin.begin(), window.pads_begin.end());
  window.pads_begin = window.pads_end = none;
  const OutPort sizes = b.i64(pads);
  return b.op("Pad", {x, sizes, sizes, b.scalar_like(x, 0)}, {{"mode", "constant"}});
}

void pool(Node& node, Counted counted) {
  OutPort x = required(node, 0);
  const std::string type = choice_of(node, "pool_type", "max", {"max", "avg", "sum", "lp"});
  const bool last = has_channels_last(node), global = bool_of(node, "global_pool");
  if (type == "sum" || type == "lp") {
    const int64_t p = type == "sum" ? 1 : limited_int(node, "p_value", 0, 1, 3);
    Builder b(node);
    return give(node, {root_of(b, window_sums(node, b, powers_in(b, x, p), last), p)});
  }
  const std::optional<size_t> axes = spatial_axes_of(node);
  if (global) {
    become(node, "Pooling", {x}, {{"pool_method", type}, {"global_pool", true}});
    if (last) set_last_channels(node, *axes);
    return;
  }
  SpatialWindow window = pool_window_of(node, bool_of(node, "count_include_pad", true) ? counted : Counted::Data);
  if (counted == Counted::Kernel && type == "max") x = with_zeros_around(node, x, window);
  become(node, "Pooling", {x}, {{"pool_method", type}});
  window.set(node);
  if (last) set_last_channels(node, window.axes());
}

}  // namespace

void extract_pooling(Node& node) { pool(node, Counted::Padding); }
/// The first version divides by all elements that the kernel has, and its padding is zeros for maxima, too.
void extract_pooling_v1(Node& node) { pool(node, Counted::Kernel); }

/// One number is for both axes; without any, the result is one element.
void extract_adaptive_avg_pooling(Node& node) {
  const OutPort x = required(node, 0);
  Ints sizes = ints_of(node, "output_size", {1});
  if (sizes.empty()) sizes = {1};
  if (sizes.size() == 1) sizes.push_back(sizes[0]);
  if (sizes.size() != 2)
    throw Error(Code::BadAttribute,
                msg(std::string("output_size"), " has ", sizes.size(), " numbers for ", 2, " axes"));
  become(node, "AdaptivePool", {x, Builder(node).i64(sizes)}, {{"pool_method", "avg"}});
}

}  // namespace mo::mxnet
