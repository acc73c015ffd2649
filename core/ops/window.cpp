#include "core/ops/window.h"

#include <algorithm>
#include <iterator>

#include "core/base/text.h"

namespace mo {
namespace {

constexpr std::string_view kAutoPads[] = {"explicit", "same_upper", "same_lower", "valid"};
constexpr std::string_view kRoundings[] = {"floor", "ceil", "ceil_torch", "ceil_caffe", "starts"};
constexpr std::string_view kCounted[] = {"data", "padding", "kernel", "mirrored"};

/// The value of an enumeration that the node's text names, or `otherwise` without a text.
template <typename T, size_t N>
T named(const Node& node, const char* key, const std::string_view (&names)[N], T otherwise) {
  const std::string text = node.get_string(key);
  if (text.empty()) return otherwise;
  const auto found = std::find(std::begin(names), std::end(names), text);
  if (found == std::end(names)) throw Error(Code::BadAttribute, msg(key, " is '", printable(text), "'"), node.place());
  return static_cast<T>(found - std::begin(names));
}

Ints positive(const Node& node, std::string_view key, size_t axes) {
  Ints values = ints_of_axes(node, key, axes, 1);
  for (const int64_t value : values)
    if (value < 1) throw Error(Code::BadAttribute, msg(key, " holds ", value), node.place());
  return values;
}

bool any(const Ints& values) {
  return std::any_of(values.begin(), values.end(), [](int64_t v) { return v != 0; });
}

}  // namespace

std::optional<AutoPad> auto_pad_of(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (lower.empty() || lower == "notset") return AutoPad::Explicit;
  const auto found = std::find(std::begin(kAutoPads), std::end(kAutoPads), lower);
  if (found == std::end(kAutoPads)) return std::nullopt;
  return static_cast<AutoPad>(found - std::begin(kAutoPads));
}

std::string_view name_of(AutoPad value) { return kAutoPads[static_cast<size_t>(value)]; }
std::string_view name_of(Rounding value) { return kRoundings[static_cast<size_t>(value)]; }

Interval WindowAxis::extent() const { return (kernel - 1) * dilation + 1; }

Dimension WindowAxis::output(Dimension input) const {
  if (auto_pad == AutoPad::SameUpper || auto_pad == AutoPad::SameLower) return to_dimension(ceil_div(input, stride));
  const Interval starts = ceil_div(input + pad_begin, stride);
  if (rounding == Rounding::Starts) return to_dimension(starts);
  const Interval room = input + pad_begin + pad_end - extent();
  if (room.max < 0)
    throw Error(Code::ShapeMismatch, msg("a window over ", extent().min, " elements does not fit into ",
                                         to_string(input), " and ", pad_begin, " + ", pad_end, " of padding"));
  const Interval count = (rounding == Rounding::Floor ? floor_div(room, stride) : ceil_div(room, stride)) + 1;
  if (rounding == Rounding::CeilTorch) return to_dimension(min(count, starts));
  // Caffe takes the last window only. Padding is smaller than its kernels, so no other one can start there.
  if (rounding == Rounding::CeilCaffe) return to_dimension(max(min(count, starts), count - 1));
  return to_dimension(count);
}

Dimension WindowAxis::transposed_output(Dimension input, int64_t output_padding) const {
  const Interval size = (input - 1) * stride + extent() - pad_begin - pad_end + output_padding;
  if (size.max < 0)
    throw Error(Code::ShapeMismatch,
                msg("padding of ", pad_begin, " + ", pad_end, " leaves nothing of ", to_string(input)));
  return to_dimension(size);
}

std::optional<int64_t> WindowAxis::same_padding(Dimension input) const {
  if (!kernel.is_exact() || (stride != 1 && !input.is_exact())) return std::nullopt;
  const int64_t rest = stride == 1 ? 0 : (input.min - 1) % stride;
  return std::max<int64_t>(0, extent().min - 1 - rest);
}

bool WindowAxis::may_start_in_padding() const { return (Interval(pad_end) + stride).max > extent().min; }

WindowAxis::Fit WindowAxis::rounded_down(Dimension input) const {
  if (input.is_exact()) {
    const Interval last = (output(input) - 1) * stride;
    return {(last + extent() - input - pad_begin).min, last.min >= (input + pad_begin).min};
  }
  const bool bare = may_start_in_padding();
  switch (rounding) {
    case Rounding::Floor: return {pad_end};
    case Rounding::Ceil: return {pad_end + stride - 1, bare};
    case Rounding::Starts: return {extent().min - 1};
    default: return {pad_end + stride - 1, bare, bare};
  }
}

SpatialWindow::SpatialWindow(const Node& node, size_t axes)
    : strides(positive(node, "strides", axes)),
      dilations(positive(node, "dilations", axes)),
      pads_begin(axes, 0),
      pads_end(axes, 0),
      rounding(named(node, "rounding_type", kRoundings,
                     node.get_int("ceil_mode") != 0 ? Rounding::CeilTorch : Rounding::Floor)),
      counted(named(node, "counted", kCounted,
                    node.get_int("count_include_pad") != 0 || !node.get_bool("exclude_pad", true) ? Counted::Padding
                                                                                                  : Counted::Data)) {
  for (const char* key : {"kernel_shape", "kernel", "sizes"})
    if (kernel.empty() && node.has(key)) kernel = ints_of_axes(node, key, axes, 1);
  const std::string text = node.get_string("auto_pad");
  const auto known = auto_pad_of(text);
  if (!known) throw Error(Code::BadAttribute, msg("auto_pad is '", printable(text), "'"), node.place());
  auto_pad = *known;
  if (auto_pad != AutoPad::Explicit) return;
  if (node.has("pads")) {
    const Ints pads = ints_of_axes(node, "pads", 2 * axes, 0);
    const auto half = pads.begin() + static_cast<std::ptrdiff_t>(axes);
    pads_begin.assign(pads.begin(), half);
    pads_end.assign(half, pads.end());
  } else {
    pads_begin = ints_of_axes(node, "pads_begin", axes, 0);
    pads_end = ints_of_axes(node, "pads_end", axes, 0);
  }
}

void SpatialWindow::set(Node& node) const {
  node.set("strides", strides);
  node.set("dilations", dilations);
  if (!kernel.empty()) node.set("kernel_shape", kernel);
  if (auto_pad != AutoPad::Explicit) {
    node.set("auto_pad", std::string(name_of(auto_pad)));
  } else {
    Ints pads = pads_begin;
    pads.insert(pads.end(), pads_end.begin(), pads_end.end());
    node.set("pads", pads);
  }
  if (rounding == Rounding::CeilTorch)
    node.set("ceil_mode", true);
  else if (rounding != Rounding::Floor)
    node.set("rounding_type", std::string(name_of(rounding)));
  if (counted == Counted::Padding)
    node.set("count_include_pad", true);
  else if (counted != Counted::Data)
    node.set("counted", std::string(kCounted[static_cast<size_t>(counted)]));
}

WindowAxis SpatialWindow::axis(size_t i, Interval size_of_kernel) const {
  WindowAxis out{size_of_kernel, strides[i], dilations[i], pads_begin[i], pads_end[i], auto_pad, rounding};
  if (rounding == Rounding::CeilCaffe && !any(pads_begin) && !any(pads_end)) out.rounding = Rounding::Ceil;
  return out;
}

Attributes SpatialWindow::attributes() const {
  return {{"strides", strides},
          {"dilations", dilations},
          {"pads_begin", pads_begin},
          {"pads_end", pads_end},
          {"auto_pad", name_of(auto_pad)}};
}

bool SpatialWindow::pad_explicitly(const std::vector<Dimension>& input, const std::vector<Dimension>& kernels) {
  if (!is_same()) return true;
  if (input.size() != axes() || kernels.size() != axes()) return false;
  Ints begin, end;
  for (size_t i = 0; i < axes(); ++i) {
    const auto total = axis(i, kernels[i]).same_padding(input[i]);
    if (!total) return false;
    begin.push_back(auto_pad == AutoPad::SameUpper ? *total / 2 : *total - *total / 2);
    end.push_back(*total - begin.back());
  }
  pads_begin = begin;
  pads_end = end;
  auto_pad = AutoPad::Explicit;
  return true;
}

void SpatialWindow::pad_known_sizes(const std::vector<Dimension>& input, const std::vector<Dimension>& kernels) {
  const bool all_known = std::all_of(input.begin(), input.end(), [](const Dimension& size) { return size.is_exact(); });
  if (!all_known) pad_explicitly(input, kernels);
}

SpatialWindow SpatialWindow::in_ir(const std::vector<Dimension>& input) const {
  SpatialWindow out = *this;
  if (rounding == Rounding::Floor) return out;
  const auto size = [&](size_t i) { return i < input.size() ? input[i] : kAnyDimension; };
  bool fits = rounding == Rounding::Starts, clips = false;
  for (size_t i = 0; i < axes(); ++i) {
    const WindowAxis window = axis(i);
    if (rounding == Rounding::CeilCaffe && window.pad_end >= window.extent().min) fits = true;
    clips |= window.rounding != Rounding::Ceil && window.may_start_in_padding();
    if (!is_same() && size(i).is_exact() && window.rounded_down(size(i)).bare)
      throw Error(Code::UnsupportedForm, msg("a window that covers nothing of ", to_string(size(i)), " elements"));
  }
  out.rounding = clips ? Rounding::CeilTorch : Rounding::Ceil;
  if (!fits) return out;
  for (size_t i = 0; i < axes(); ++i) {
    const WindowAxis::Fit fit = axis(i).rounded_down(size(i));
    if (fit.surplus) throw Error(Code::UnsupportedForm, "padding as large as the kernel of data of unknown size");
    out.pads_end[i] = std::max<int64_t>(0, fit.pad_end);
  }
  out.rounding = Rounding::Floor;
  return out;
}

size_t spatial_axes(const Node& node) { return node.get_ints("strides").size(); }

void add_pad_attributes(const SpatialWindow& window, IrAttributes& attributes) {
  attributes.add("pads_begin", window.pads_begin);
  attributes.add("pads_end", window.pads_end);
}

void add_window_attributes(const Node& node, IrAttributes& attributes) {
  const SpatialWindow window(node, spatial_axes(node));
  attributes.add("strides", window.strides);
  attributes.add("dilations", window.dilations);
  add_pad_attributes(window, attributes);
  attributes.add("auto_pad", name_of(window.auto_pad));
}

Ints ints_of_axes(const Node& node, std::string_view key, size_t axes, int64_t otherwise) {
  Ints values = node.get_ints(key);
  if (values.empty()) return Ints(axes, otherwise);
  if (values.size() != axes)
    throw Error(Code::BadAttribute, msg(key, " has ", values.size(), " numbers for ", axes, " axes"));
  // The limit is larger than any window, and small enough that sums do not overflow.
  for (const int64_t v : values)
    if (v < -INT32_MAX || v > INT32_MAX) throw Error(Code::BadAttribute, msg(key, " holds ", v));
  return values;
}

}  // namespace mo
