#include "core/front/kaldi/decompose/offsets.h"

#include "core/front/kaldi/time/recurrence.h"

namespace mo::kaldi {

OutPort at_offset(Builder& b, OutPort x, int64_t t, bool optional) {
  return t == 0 && !optional ? x : b.op("MemoryOffset", {x}, {{"t", t}, {"has_default", optional}});
}

namespace {

/// Of all frames from the first one to now; what is not of the turn, every `step` frames, is left out.
OutPort sum_so_far(Builder& b, OutPort x, int64_t step, int64_t dim) {
  if (step > kMostOffsets) throw Error(Code::BadAttribute, msg("a window of every ", step, "th frame"));
  if (step > 1) {
    std::vector<OutPort> turns(static_cast<size_t>(step), b.constant(make_splat(ElementType::F32, {1, dim}, 0)));
    turns[0] = x;
    x = b.op("TimeSwitch", turns);
  }
  const std::string pair = b.prefix() + "/sum";
  const OutPort sum = b.op("Add", {x, earlier_state(b, pair, 1, dim)});
  keep_state(b, pair, sum);
  return sum;
}

}  // namespace

OutPort sum_of_frames(Builder& b, OutPort x, int64_t left, int64_t right, int64_t step, int64_t dim) {
  // Any frame of the window makes the sum computable: first of all the latest one.
  if (right >= kUnbounded) return sum_so_far(b, at_offset(b, x, 0, true), step, dim);
  if (left >= kUnbounded) return at_offset(b, sum_so_far(b, x, step, dim), right);
  std::vector<OutPort> frames;
  for (int64_t t = -left; t <= right; t += step) frames.push_back(at_offset(b, x, t, t + step <= right));
  if (frames.size() == 1) return frames[0];
  const auto count = static_cast<int64_t>(frames.size());
  return b.reduce("ReduceSum", b.reshape(b.concat(frames, 1), {1, count, dim}), {1}, false);
}

}  // namespace mo::kaldi
