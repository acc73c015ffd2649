// Layers that resize pictures, and compare or move them: DeepLab's and PSPNet's, SegNet's and YOLO's, FlowNet's.

#include <algorithm>
#include <limits>

#include "core/base/text.h"
#include "core/front/caffe/extract/extractor.h"

namespace mo::caffe {
namespace {

int64_t factor_of(const Node& node, const char* name, int64_t otherwise) {
  const int64_t factor = node.get_int(name, otherwise);
  if (factor < 1 || factor > INT32_MAX) throw Error(Code::BadAttribute, msg(name, " is ", factor));
  return factor;
}

/// One or more.
std::vector<OutPort> bottoms(const Node& node, int most) {
  std::vector<OutPort> out;
  for (int i = 0; i < std::max(1, std::min(most, bottoms_of(node))); ++i) {
    require_input(node, i);
    out.push_back(node.source(i));
  }
  return out;
}

constexpr int64_t kMostDisplacements = 4096;

/// The displacements along an axis, in steps.
struct Displaced {
  int64_t first = 0, last = 0;
};

/// The means of the products of windows of two feature maps, the second moved by each displacement. Correlation1D moves
/// it only across, and has no border above and below.
void correlate(Node& node, bool one_axis) {
  for (const int i : {0, 1}) require_input(node, i);
  const int64_t kernel = node.get_int("kernel_size"), most = node.get_int("max_displacement", -1),
                pad = node.get_int("pad"), stride = factor_of(node, "stride_1", 1),
                step = factor_of(node, "stride_2", 1);
  if (kernel < 1 || kernel % 2 == 0 || kernel > INT32_MAX)
    throw Error(Code::BadAttribute, msg("kernel_size is ", kernel));
  if (most < 0 || most > INT32_MAX || pad < 0 || pad > INT32_MAX)
    throw Error(Code::BadAttribute, msg("max_displacement is ", most, ", pad ", pad));
  if (node.get_bool("do_abs")) throw Error(Code::UnsupportedForm, "do_abs");
  const int64_t radius = most / step, direction = one_axis ? node.get_int("single_direction") : 0;
  if (direction < -1 || direction > 1) throw Error(Code::BadAttribute, msg("single_direction is ", direction));
  // To the left, Caffe begins a step further than to the right.
  const Displaced across = direction == 0  ? Displaced{-radius, radius}
                           : direction > 0 ? Displaced{0, radius}
                                           : Displaced{-radius - 1, -1},
                  down = one_axis ? Displaced{} : across;
  if (radius > kMostDisplacements ||
      (across.last - across.first + 1) * (down.last - down.first + 1) > kMostDisplacements)
    throw Error(Code::UnsupportedForm, msg("more than ", kMostDisplacements, " displacements"));
  // There it reads the zeros behind the row before, as far as these go.
  const int64_t before = std::max<int64_t>(0, -across.first * step - most);
  if (before > pad)
    throw Error(Code::UnsupportedForm, msg("a displacement of ", across.first * step, " with pad ", pad));
  const bool subtracts = node.get_string("correlation_type", "MULTIPLY") == "SUBTRACT";
  Builder b(node);
  const int64_t pad_down = one_axis ? 0 : pad, most_down = one_axis ? 0 : most;
  const auto padded = [&](OutPort x, int64_t more) {
    if (pad == 0) return x;
    const OutPort end = b.i64({0, 0, pad_down, pad}), begin = more == 0 ? end : b.i64({0, 0, pad_down, pad + more});
    return b.op("Pad", {x, begin, end, b.f32_scalar(0)}, {{"mode", "constant"}});
  };
  const OutPort first = padded(node.source(0), 0), second = padded(node.source(1), before);
  const OutPort axes = b.i64({2, 3}), steps = kernel == 1 ? b.i64({stride, stride}) : b.i64({1, 1});
  const auto part = [&](OutPort x, int64_t y, int64_t x_begin, int64_t x_moved) {
    const auto end = [](int64_t moved, int64_t border) { return border == moved ? INT64_MAX : moved - border; };
    const OutPort begin = b.i64({most_down + y, x_begin + x_moved}),
                  stop = b.i64({end(y, most_down), end(x_moved, most)});
    return b.op("Slice", {x, begin, stop, steps, axes});
  };
  const OutPort still = part(first, 0, most, 0);
  std::vector<OutPort> parts;
  for (int64_t row = down.first; row <= down.last; ++row)
    for (int64_t column = across.first; column <= across.last; ++column) {
      const OutPort moved = part(second, row * step, most + before, column * step);
      const OutPort both = subtracts ? b.op("Abs", {b.op("Sub", {still, moved})}) : b.op("Mul", {still, moved});
      const OutPort mean = b.reduce("ReduceMean", both, {1}, true);
      const Ints window{kernel, kernel}, strides{stride, stride};
      parts.push_back(kernel == 1 ? mean
                                  : b.op("Pooling", {mean},
                                         {{"pool_method", "avg"}, {"kernel_shape", window}, {"strides", strides}}));
    }
  become(node, "Concat", parts);
  node.set("axis", int64_t{1});
}

}  // namespace

/// Corners stay where they are. Pads cut.
void extract_interp(Node& node) {
  const int64_t height = node.get_int("height"), width = node.get_int("width"), begin = node.get_int("pad_beg"),
                end = node.get_int("pad_end");
  if (begin > 0 || end > 0 || begin < -INT32_MAX || end < -INT32_MAX)
    throw Error(Code::BadAttribute, msg("pad_beg is ", begin, ", pad_end ", end));
  // One factor counts before a size, two count behind it.
  const bool zooms = node.has("zoom_factor"), shrinks = node.has("shrink_factor"), is_sized = height > 0 && width > 0;
  const bool by_factors = zooms != shrinks || (zooms && !is_sized);
  const int64_t shrink = factor_of(node, "shrink_factor", 1), zoom = factor_of(node, "zoom_factor", 1);
  const std::vector<OutPort> inputs = bottoms(node, by_factors || is_sized ? 1 : 2);
  if (inputs.size() < 2 && !by_factors && !is_sized)
    throw Error(Code::BadAttribute, msg("height is ", height, ", width ", width));
  become(node, "Interp", inputs);
  node.set("mode", std::string("linear_onnx"));
  node.set("crop_begin", -begin);
  node.set("crop_end", -end);
  node.set("shrink", shrink);
  node.set("zoom", zoom - 1);
  node.set("gaps", int64_t{1});
  if (!by_factors && is_sized) node.set("sizes", Ints{height, width});
}

/// With a mask each number goes to its place, else each is repeated.
void extract_upsample(Node& node) {
  const std::vector<OutPort> inputs = bottoms(node, 2);
  if (inputs.size() == 1) {
    const int64_t scale = factor_of(node, "scale", 1);
    become(node, "Interp", inputs);
    node.set("mode", std::string("nearest"));
    node.set("zoom", scale - 1);
    return;
  }
  const int64_t both = factor_of(node, "scale", 2), scale_h = factor_of(node, "scale_h", both),
                scale_w = factor_of(node, "scale_w", both), height = node.get_int("upsample_h"),
                width = node.get_int("upsample_w");
  Builder b(node);
  const OutPort scales = height > 0 && width > 0 ? b.i64({0, 0}) : b.i64({scale_h, scale_w});
  const OutPort sizes = height > 0 && width > 0
                            ? b.i64({height, width})
                            : b.i64({node.get_bool("pad_out_h") ? -1 : 0, node.get_bool("pad_out_w") ? -1 : 0});
  become(node, "Unpooled", {inputs[0], inputs[1], scales, sizes});
}

/// To the size of a second bottom, to that of the text, or in Intel's fork by a factor.
void extract_resample(Node& node) {
  const std::vector<OutPort> inputs = bottoms(node, 2);
  const std::string type = node.get_string("type", "LINEAR");
  if (type == "AREA") throw Error(Code::UnsupportedForm, "resampling by areas");
  const Ints sizes{node.get_int("height"), node.get_int("width")};
  const bool is_sized = sizes[0] > 0 && sizes[1] > 0;
  const double factor = node.get_float("factor");
  if (inputs.size() == 1 && !is_sized && !(factor > 0 && factor < INT32_MAX))
    throw Error(Code::BadAttribute, msg("height is ", sizes[0], ", width ", sizes[1]));
  const bool antialias = node.get_bool("antialias", true);
  become(node, "Resample", inputs);
  node.set("kernel", std::string(type == "NEAREST" ? "" : type == "CUBIC" ? "KeysCubic" : "Triangle"));
  node.set("antialias", static_cast<int64_t>(antialias ? 1 : 0));
  if (inputs.size() > 1) return;
  if (is_sized)
    node.set("sizes", sizes);
  else
    node.set("factor", factor);
}

/// (picture, flow [batch, x and y, height, width])
void extract_flow_warp(Node& node) {
  for (const int i : {0, 1}) require_input(node, i);
  const bool zero = node.get_string("fill_value", "ZERO") == "ZERO";
  become(node, "FlowWarp", {node.source(0), node.source(1)});
  node.set("fill", zero ? 0.0 : std::numeric_limits<double>::quiet_NaN());
}

void extract_correlation(Node& node) { correlate(node, false); }
void extract_correlation_1d(Node& node) { correlate(node, true); }

}  // namespace mo::caffe
