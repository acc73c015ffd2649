// Spectra of the frames of signals, and signals of them.

#include <algorithm>

#include "core/front/pytorch/extract/complex.h"
#include "core/front/pytorch/extract/spectra.h"

namespace mo::pytorch {
namespace {

/// Sizes of frames, as PyTorch chooses them where they are not given. Throws BadAttribute.
struct Frames {
  int64_t length, hop, window;
};
Frames frames_of(const Node& node) {
  Frames out{int_of(node, "n_fft"), 0, 0};
  out.hop = node.has("hop_length") ? int_of(node, "hop_length") : out.length / 4;
  out.window = node.has("win_length") ? int_of(node, "win_length") : out.length;
  if (out.length < 1 || out.length > INT32_MAX || out.hop < 1 || out.hop > INT32_MAX || out.window < 1 ||
      out.window > out.length)
    throw Error(Code::BadAttribute, msg("frames of ", out.length, ", ", out.hop, " apart"));
  return out;
}

/// As long as the frames, which it is in the middle of; empty if it is 1 everywhere.
OutPort window_of(Node& node, Builder& b, const Frames& frames, ElementType type) {
  OutPort window = input(node, "window");
  if (window && is_complex(node, "window")) throw not_complex(node);
  if (window) window = as_type(b, window, type_of(node, "window"), type);
  if (frames.window == frames.length) return window;
  if (!window) {
    const OutPort one = b.constant(make_scalar(type, 1)), shape = b.i64({frames.window});
    window = b.op("Broadcast", {one, shape}, {{"mode", "numpy"}});
  }
  const int64_t left = (frames.length - frames.window) / 2;
  const OutPort before = b.i64({left}), behind = b.i64({frames.length - frames.window - left}),
                zero = b.constant(make_scalar(type, 0));
  return b.op("Pad", {window, before, behind, zero}, {{"mode", "constant"}});
}

/// The signal with half a frame on both sides.
OutPort centred(Node& node, Builder& b, OutPort x, int64_t rank, int64_t half, ElementType type) {
  const std::string mode = node.get_string("pad_mode", "reflect");
  Ints pads(static_cast<size_t>(rank), 0);
  pads.back() = half;
  if (mode == "circular") {
    Ints both = pads;
    both.insert(both.end(), pads.begin(), pads.end());
    return b.op("ONNXPad", {x, b.i64(both)}, {{"mode", "wrap"}});
  }
  const OutPort before = b.i64(pads), behind = b.i64(pads);
  if (mode == "constant")
    return b.op("Pad", {x, before, behind, b.constant(make_scalar(type, 0))}, {{"mode", "constant"}});
  if (mode != "reflect" && mode != "replicate") throw Error(Code::BadAttribute, std::string("pad_mode"));
  return b.op("Pad", {x, before, behind}, {{"mode", mode == "reflect" ? "reflect" : "edge"}});
}

}  // namespace

void extract_stft(Node& node) {
  if (is_complex(node, "self")) throw not_complex(node);
  if (node.get_bool("align_to_window")) throw Error(Code::UnsupportedForm, "frames that are aligned to the window");
  const int64_t rank = rank_of(node, "self");
  if (rank != 1 && rank != 2) throw Error(Code::UnsupportedForm, msg("a signal of rank ", rank));
  Builder b(node);
  const ElementType type = result_type(node);
  const Frames frames = frames_of(node);
  OutPort x = as_type(b, required(node, "self"), type_of(node, "self"), type);
  if (node.get_bool("center")) x = centred(node, b, x, rank, frames.length / 2, type);
  std::vector<OutPort> sources{x};
  if (const OutPort window = window_of(node, b, frames, type)) sources.push_back(window);
  become(node, "ShortTimeSpectrum", sources,
         {{"n_fft", frames.length},
          {"hop_length", frames.hop},
          {"normalized", node.get_bool("normalized")},
          {"onesided", node.get_bool("onesided", true)}});
}

/// The sum of the frames at their places, divided by that of the squares of windows.
void extract_istft(Node& node) {
  if (node.get_bool("return_complex")) throw not_complex(node);
  const int64_t rank = rank_of(node, "self");
  if (rank != 2 && rank != 3) throw Error(Code::UnsupportedForm, msg("spectra of rank ", rank));
  Builder b(node);
  const ElementType type = result_type(node);
  const Frames frames = frames_of(node);
  const int64_t rows = sizes_of(node, "self")[static_cast<size_t>(rank - 2)];
  const int64_t count = sizes_of(node, "self")[static_cast<size_t>(rank - 1)];
  if (count > INT32_MAX) throw Error(Code::BadAttribute, msg(count, " frames"));
  if (rows < 0) throw Error(Code::UnsupportedForm, "a number of frequencies that is not known");
  // [batch, frames, frequencies, 2]
  OutPort x = b.transpose(pairs(node, b, "self", type), rank == 2 ? Ints{1, 0, 2} : Ints{0, 2, 1, 3});
  x = fitted(b, x, type, rank + 1, rank - 1, rows, {frames.length / 2 + 1});
  OutPort y = b.op("Spectrum", {x},
                   {{"axes", Ints{rank - 1}},
                    {"kind", "c2r"},
                    {"normalization", node.get_bool("normalized") ? "ortho" : "backward"},
                    {"forward", false},
                    {"onesided", true},
                    {"last_dim_size", frames.length}});
  const OutPort window = window_of(node, b, frames, type);
  if (window) y = b.op("Mul", {y, window});
  const auto added = [&](OutPort all) {  // [batch, length, frames]
    return b.op("OverlapAdd", {all}, {{"hop_length", frames.hop}, {"axis", int64_t{-1}}});
  };
  const OutPort one = b.constant(make_scalar(type, 1)), length = b.i64({frames.length});
  const OutPort squares =
      b.unsqueeze(window ? b.op("Mul", {window, window}) : b.op("Broadcast", {one, length}, {{"mode", "numpy"}}), {1});
  const OutPort shape = b.concat({length, b.dims_of(x, {rank - 2})}, 0);
  OutPort weight = added(b.op("Broadcast", {squares, shape}, {{"mode", "numpy"}}));
  y = added(b.transpose(y, rank == 2 ? Ints{1, 0} : Ints{0, 2, 1}));
  const int64_t half = node.get_bool("center") ? frames.length / 2 : 0;
  const bool has_length = node.has("length");
  const int64_t wanted = has_length ? int_of(node, "length") : 0;
  if (wanted < 0 || wanted > INT32_MAX) throw Error(Code::BadAttribute, msg("length is ", wanted));
  const OutPort from = b.i64({half}),
                to = b.i64({has_length ? half + wanted
                            : half > 0 ? -half
                                       : INT64_MAX}),
                step = b.i64({1}), axes = b.i64({-1});
  const auto middle = [&](OutPort all) { return b.op("Slice", {all, from, to, step, axes}); };
  y = b.op("Div", {middle(y), middle(weight)});
  const int64_t whole = count < 0 ? -1 : frames.length + frames.hop * (count - 1) - half;
  if (has_length && wanted > 0)
    y = fitted(b, y, type, rank - 1, rank - 2, whole < 0 ? -1 : std::min(whole, wanted), {wanted});
  give(node, {y});
}

}  // namespace mo::pytorch
