// Before: y = Frames(x) {frame_length, hop_length, axis}
// After:  y = Gather(x, the places of each frame), along the last axis [length, frames], along the first [frames,
//         length]
// Before: y = OverlapAdd(x) {hop_length, axis}
// After:  y = ScatterElementsUpdate(0, the places of each frame, x) {sum}
// Before: y = ShortTimeSpectrum(x [, window]) {n_fft, hop_length, normalized, onesided}
// After:  y = Transpose(RDFT(Gather(x, the places of each frame) * window)) [/ sqrt(n_fft)]; not onesided: DFT
// Conditions: the rank is known; for ShortTimeSpectrum it is 1 or 2.

#include <cmath>

#include "core/decompose/math/constants.h"
#include "core/decompose/shaping/shaping.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

int64_t above_0(const Node& node, std::string_view attribute) {
  const int64_t value = node.get_int(attribute);
  if (value < 1) throw Error(Code::BadAttribute, msg(attribute, " is ", value));
  return value;
}

class DecomposeFrames final : public Decomposition {
 public:
  Names ops() const override { return {"Frames", "OverlapAdd", "ShortTimeSpectrum"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    require_input(node, 0);
    const OutPort x = node.source(0);
    const int rank = x.tensor().shape.rank();
    if (rank < 1) throw Error(Code::UnsupportedForm, msg("frames of a tensor of rank ", rank));
    const int64_t hop = above_0(node, "hop_length");
    if (node.op() == "OverlapAdd") return {overlapped(b, x, rank, hop, node.get_int("axis"))};
    if (node.op() == "ShortTimeSpectrum") return {spectra(b, node, x, rank, hop)};
    const int64_t axis = node.get_int("axis"), length = above_0(node, "frame_length");
    const bool first = axis == 0;
    if (!first && axis != -1 && axis != rank - 1) throw Error(Code::BadAttribute, msg("axis is ", axis));
    const OutPort count = frames_of(b, dimension_of(b, x, first ? 0 : -1), length, hop);
    return {b.gather(x, places(b, count, b.i64_scalar(length), hop, first), first ? 0 : -1)};
  }

 private:
  static OutPort frames_of(Builder& b, OutPort size, int64_t length, int64_t hop) {
    const OutPort behind = b.op("Sub", {size, b.i64_scalar(length)});
    return b.op("Add", {b.op("Div", {behind, b.i64_scalar(hop)}), b.i64_scalar(1)});
  }

  /// The places of the elements of frames: [frames, length], or [length, frames].
  static OutPort places(Builder& b, OutPort count, OutPort length, int64_t hop, bool frames_first) {
    const OutPort starts = b.op("Mul", {counted(b, count), b.i64_scalar(hop)}), within = counted(b, length);
    return frames_first ? b.op("Add", {b.unsqueeze(starts, {1}), within})
                        : b.op("Add", {b.unsqueeze(within, {1}), starts});
  }

  static OutPort spectra(Builder& b, const Node& node, OutPort x, int rank, int64_t hop) {
    if (rank > 2) throw Error(Code::UnsupportedForm, msg("a signal of rank ", rank));
    const int64_t length = above_0(node, "n_fft");
    const OutPort count = frames_of(b, dimension_of(b, x, -1), length, hop);
    const OutPort frames = b.gather(x, places(b, count, b.i64_scalar(length), hop, true), -1);
    const OutPort windowed = node.has_in(1) ? b.op("Mul", {frames, node.source(1)}) : frames;
    OutPort y;
    if (node.get_bool("onesided")) {
      y = b.op("RDFT", {windowed, b.i64({-1})});
    } else {
      const OutPort zeros = b.op("Mul", {windowed, splat_like(b, windowed, {}, 0)});
      const OutPort real = b.unsqueeze(windowed, {-1}), imaginary = b.unsqueeze(zeros, {-1});
      y = b.op("DFT", {b.concat({real, imaginary}, -1), b.i64({-1})});
    }
    if (node.get_bool("normalized"))
      y = b.op("Mul", {y, splat_like(b, y, {}, 1 / std::sqrt(static_cast<double>(length)))});
    return b.transpose(y, rank == 1 ? Ints{1, 0, 2} : Ints{0, 2, 1, 3});
  }

  static OutPort overlapped(Builder& b, OutPort x, int rank, int64_t hop, int64_t axis) {
    if (rank < 2) throw Error(Code::UnsupportedForm, msg("frames of a tensor of rank ", rank));
    const bool first = axis == 0;
    if (!first && axis != -1 && axis != rank - 1) throw Error(Code::BadAttribute, msg("axis is ", axis));
    // [others…, frames, length]
    Ints order;
    for (int64_t i = first ? 2 : 0; i < (first ? rank : rank - 2); ++i) order.push_back(i);
    const Ints others = order;
    order.insert(order.end(),
                 first ? std::initializer_list<int64_t>{0, 1} : std::initializer_list<int64_t>{rank - 1, rank - 2});
    const OutPort frames = b.transpose(x, order);
    const OutPort count = dimension_of(b, frames, -2), length = dimension_of(b, frames, -1);
    const OutPort last = b.op("Mul", {b.op("Sub", {count, b.i64_scalar(1)}), b.i64_scalar(hop)});
    const OutPort size = b.unsqueeze(b.op("Add", {last, length}), {0}), rest = b.i64({-1});
    const auto with = [&](OutPort dimension) {
      return others.empty() ? dimension : b.concat({b.dims_of(x, others), dimension}, 0);
    };
    const OutPort flat = b.op("Reshape", {frames, with(rest)}, {{"special_zero", false}});
    const OutPort line = b.reshape(places(b, count, length, hop, true), {-1});
    const OutPort indices = b.op("Broadcast", {line, b.shape_of(flat)}, {{"mode", "numpy"}});
    const OutPort zeros = b.op("Broadcast", {splat_like(b, x, {}, 0), with(size)}, {{"mode", "numpy"}});
    const OutPort y = b.op("ScatterElementsUpdate", {zeros, indices, flat, b.i64_scalar(-1)}, {{"reduction", "sum"}});
    if (!first || others.empty()) return y;
    Ints back{rank - 2};
    for (int64_t i = 0; i < rank - 2; ++i) back.push_back(i);
    return b.transpose(y, back);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeFrames)
}  // namespace mo
