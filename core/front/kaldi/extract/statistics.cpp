// Statistics over frames: how many there are, their sums, and those of their squares.

#include <cmath>

#include "core/front/kaldi/decompose/offsets.h"
#include "core/front/kaldi/extract/extractor.h"

namespace mo::kaldi {

/// Of a period of OutputPeriod frames, every InputPeriod one of which is read.
void extract_statistics_extraction(Node& node) {
  const OutPort x = frame(node);
  const int64_t dim = size_of(node, "InputDim"), step = size_of(node, "InputPeriod"),
                period = size_of(node, "OutputPeriod");
  times("OutputPeriod", period, "InputPeriod", step);
  product("InputDim", dim, 3);
  if (period / step > kMostOffsets) throw Error(Code::BadAttribute, msg("OutputPeriod is ", period));
  const bool squares = node.get_bool("IncludeVarinance");
  Builder b(node);
  std::vector<OutPort> parts{b.constant(make_splat(ElementType::F32, {1, 1}, 1)), x};
  if (squares) parts.push_back(b.op("Mul", {x, x}));
  const OutPort of_frame = b.concat(parts, 1);
  if (period == step) {
    // Each period has one frame, its first.
    if (period == 1) return give(node, of_frame);
    return become(node, "TimeRound", {of_frame}, {{"modulus", period}});
  }
  const OutPort sum = sum_of_frames(b, of_frame, 0, period - step, step, 1 + dim * (squares ? 2 : 1));
  become(node, "TimeRound", {sum}, {{"modulus", period}});
}

/// Means over a window of such statistics.
void extract_statistics_pooling(Node& node) {
  const OutPort x = frame(node);
  const int64_t dim = size_of(node, "InputDim", 2), period = size_of(node, "InputPeriod");
  const int64_t left = size_of(node, "LeftContext", 0), right = size_of(node, "RightContext", 0);
  const int64_t logarithms = size_of(node, "NumLogCountFeatures", 0, 0);
  times("LeftContext", left, "InputPeriod", period);
  times("RightContext", right, "InputPeriod", period);
  if (left + right < 1 || left > (1 << 30) || right > (1 << 30))
    throw Error(Code::BadAttribute, msg("LeftContext is ", left, ", RightContext ", right));
  if (logarithms > (1 << 16)) throw Error(Code::BadAttribute, msg("NumLogCountFeatures is ", logarithms));
  const bool deviations = node.get_bool("OutputStddevs");
  if (deviations) times("InputDim - 1", dim - 1, "2", 2);
  const double floor = number_of(node, "VarianceFloor", 1e-10);
  if (!(floor > 0 && floor < 1)) throw Error(Code::BadAttribute, msg("VarianceFloor is ", floor));
  Builder b(node);
  const OutPort sums = sum_of_frames(b, x, left, right, period, dim);
  const OutPort axis = b.i64_scalar(1);
  const auto split = [&](OutPort of, const Ints& sizes) -> Node& {
    return b.node("VariadicSplit", {of, axis, b.i64(sizes)}, {}, static_cast<int>(sizes.size()));
  };
  Node& parts = split(sums, {1, dim - 1});
  // No frame has been read before the first one: a quotient of 0 then, which nothing reads.
  const OutPort count = b.op("Maximum", {parts.out(0), b.f32_scalar(1)});
  OutPort means = b.op("Div", {parts.out(1), count});
  if (deviations) {
    Node& halves = split(means, {(dim - 1) / 2, (dim - 1) / 2});
    const OutPort mean = halves.out(0);
    const OutPort variance = b.op("Sub", {halves.out(1), b.op("Mul", {mean, mean})});
    const OutPort floored = b.op("Maximum", {variance, b.f32_scalar(static_cast<float>(floor))});
    means = b.concat({mean, b.op("Sqrt", {floored})}, 1);
  }
  if (logarithms == 0) return give(node, means);
  const OutPort ones = b.constant(make_splat(ElementType::F32, {1, logarithms}, 1));
  give(node, b.concat({b.op("Mul", {b.op("Log", {count}), ones}), means}, 1));
}

}  // namespace mo::kaldi
