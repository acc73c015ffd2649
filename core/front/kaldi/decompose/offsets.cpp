#include "core/front/kaldi/decompose/offsets.h"

namespace mo::kaldi {

OutPort at_offset(Builder& b, OutPort x, int64_t t, bool optional) {
  return t == 0 ? x : b.op("MemoryOffset", {x}, {{"t", t}, {"has_default", optional}});
}

OutPort of_last_frame(Builder& b, const std::string& pair, int64_t dim) {
  return b.op("MemoryOffset", {}, {{"t", -1}, {"has_default", true}, {"pair", pair}, {"dim", dim}});
}

void stored(Builder& b, OutPort x, const std::string& pair) { b.node("MemoryStore", {x}, {{"pair", pair}}, 0); }

OutPort sum_of_frames(Builder& b, OutPort x, int64_t left, int64_t right, int64_t step, int64_t dim) {
  if (left >= kUnbounded || right >= kUnbounded) {
    const std::string pair = b.prefix() + "/sum";
    if (step > 1) {
      if (step > kMostOffsets) throw Error(Code::BadAttribute, msg("a window of every ", step, "th frame"));
      std::vector<OutPort> turns(static_cast<size_t>(step), b.constant(make_splat(ElementType::F32, {1, 1}, 0)));
      turns[0] = x;
      x = b.op("TimeSwitch", turns);
    }
    const OutPort sum = b.op("Add", {x, of_last_frame(b, pair, dim)});
    stored(b, sum, pair);
    return sum;
  }
  std::vector<OutPort> frames;
  for (int64_t t = -left; t <= right; t += step) frames.push_back(at_offset(b, x, t, true));
  if (frames.size() == 1) return frames[0];
  const auto count = static_cast<int64_t>(frames.size());
  return b.reduce("ReduceSum", b.reshape(b.concat(frames, 1), {1, count, dim}), {1}, false);
}

}  // namespace mo::kaldi
