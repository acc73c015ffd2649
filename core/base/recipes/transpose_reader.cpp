// Reads any range of a transposed content. The range is divided into boxes. A source that is not too large is read once
// as a whole and kept, and each box is laid out from there. Of a larger one a box is fetched in the source's order, run
// by run, with close runs in one read; one whose elements are all scattered, as the weights of a convolution are, is
// fetched in one piece where that is not too large: then neighbours of the result can be written together.
#include <algorithm>
#include <array>

#include "core/base/recipes/transpose.h"

namespace mo {
namespace {

/// Runs at most kRunGap bytes apart are fetched together, up to kFetchBytes and kFetchRuns of them.
constexpr uint64_t kRunGap = 32 * 1024, kFetchBytes = 1024 * 1024;
constexpr size_t kFetchRuns = 16 * 1024;
/// The most bytes of a source that is kept, and how many are read at once. A read that wants less than a share of the
/// result, or little, is no reason to keep it.
constexpr uint64_t kMostKept = Content::kLargePiece, kReadAtOnce = 1024 * 1024, kShare = 32, kLittle = 64 * 1024;
/// Runs that are laid out together, and how many elements of each: what they touch are whole lines of the first cache.
constexpr size_t kTileRuns = 16, kTileElements = 16;

/// A dimension of a box; strides in elements, `out` within the range that is asked for.
struct BoxAxis {
  uint64_t extent, source, out;
};
/// Elements that are adjacent in the source.
struct Run {
  uint64_t source, out;
};

/// Four elements of four bytes. Compilers make vector instructions of it where the machine has them.
using Four = uint32_t __attribute__((vector_size(16)));

Four load(const std::byte* from) {
  Four four;
  std::memcpy(&four, from, sizeof four);
  return four;
}

void store(Four four, std::byte* to) { std::memcpy(to, &four, sizeof four); }

/// Element i of `from[r]` becomes element r of row i; rows are `stride` bytes apart.
void transpose_4x4(const std::array<const std::byte*, 4>& from, std::byte* to, size_t stride) {
  const Four a = load(from[0]), b = load(from[1]), c = load(from[2]), d = load(from[3]);
  const Four ab01 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab23 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Four cd01 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd23 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  store(__builtin_shufflevector(ab01, cd01, 0, 1, 4, 5), to);
  store(__builtin_shufflevector(ab01, cd01, 2, 3, 6, 7), to + stride);
  store(__builtin_shufflevector(ab23, cd23, 0, 1, 4, 5), to + 2 * stride);
  store(__builtin_shufflevector(ab23, cd23, 2, 3, 6, 7), to + 3 * stride);
}

/// Element i of a run goes to `out` + run.out + i * out_stride. `from` begins at element `origin` of the source.
template <typename T>
void lay_out(const std::byte* from, const std::vector<Run>& runs, uint64_t origin, size_t length, uint64_t out_stride,
             std::byte* out) {
  for (size_t i0 = 0; i0 < length; i0 += kTileElements)
    for (size_t r0 = 0; r0 < runs.size(); r0 += kTileRuns) {
      const size_t i1 = std::min(length, i0 + kTileElements), r1 = std::min(runs.size(), r0 + kTileRuns);
      const auto element = [&](size_t r, size_t i) { return from + (runs[r].source - origin + i) * sizeof(T); };
      size_t i = i0;
      if constexpr (sizeof(T) == 4)
        if (r1 - r0 == kTileRuns && runs[r1 - 1].out - runs[r0].out == kTileRuns - 1)
          for (; i + 4 <= i1; i += 4)
            for (size_t r = r0; r < r1; r += 4)
              transpose_4x4({element(r, i), element(r + 1, i), element(r + 2, i), element(r + 3, i)},
                            out + (runs[r].out + i * out_stride) * sizeof(T), out_stride * sizeof(T));
      for (; i < i1; ++i)
        for (size_t r = r0; r < r1; ++r)
          std::memcpy(out + (runs[r].out + i * out_stride) * sizeof(T), element(r, i), sizeof(T));
    }
}

class TransposeReader final : public ContentReader {
 public:
  TransposeReader(const TransposeContent& content, Files& files)
      : content_(content), source_(content.sources()[0]->open(files)), element_(content.element_bytes()) {
    for (const TransposeContent::Axis& axis : content.axes()) axes_.push_back({axis.extent, axis.stride, 1});
    for (size_t i = axes_.size() - 1; i > 0; --i) axes_[i - 1].out = axes_[i].out * axes_[i].extent;
  }

  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), content_.size());
    if (out.empty()) return;
    out_ = out.data();
    runs_.clear();  // left by a read that failed
    if (!kept_ && is_worth_keeping(out.size())) keep();
    const uint64_t first = offset / element_;
    read_boxes(0, first, first + out.size() / element_, 0, 0);
  }

 private:
  bool is_worth_keeping(uint64_t asked) const {
    return content_.size() <= kMostKept && !content_.has_long_runs() &&
           asked >= std::min(content_.size() / kShare, kLittle);
  }

  void keep() {
    const auto bytes = buffer_.get(static_cast<size_t>(content_.size()));
    for (size_t at = 0; at < bytes.size(); at += kReadAtOnce)
      source_->read(at, bytes.subspan(at, std::min<size_t>(bytes.size() - at, kReadAtOnce)));
    kept_ = bytes.data();
  }

  /// The elements [from, to) of the sub-array of dimensions `axis` and on that begins at `source`; they go to `out`.
  void read_boxes(size_t axis, uint64_t from, uint64_t to, uint64_t source, uint64_t out) {
    const BoxAxis& here = axes_[axis];
    const uint64_t head = from / here.out, tail = to / here.out;
    if (from % here.out != 0) {
      const uint64_t end = std::min(to, (head + 1) * here.out);
      read_boxes(axis + 1, from - head * here.out, end - head * here.out, source + head * here.source, out);
      if (end < to) read_boxes(axis, end, to, source, out + end - from);
      return;
    }
    if (head < tail) read_box(axis, tail - head, source + head * here.source, out);
    const uint64_t done = std::max(tail * here.out, from);
    if (done < to)
      read_boxes(axis + 1, done - tail * here.out, to - tail * here.out, source + tail * here.source,
                 out + done - from);
  }

  /// `extent` indices of dimension `axis` with all that is in them.
  void read_box(size_t axis, uint64_t extent, uint64_t source, uint64_t out) {
    std::vector<BoxAxis> box(axes_.begin() + static_cast<ptrdiff_t>(axis), axes_.end());
    box[0].extent = extent;
    sort(box, &BoxAxis::source);
    BoxAxis run{1, 1, 1};
    if (box.back().source == 1) {
      run = box.back();
      box.pop_back();
    }
    if (kept_) return lay_out_kept(std::move(box), run, {source, out});
    if (run.out != 1 && box.size() > 1 && read_whole(box, run, {source, out})) return;
    // Runs longer than a fetch are cut; their parts become runs of their own.
    const uint64_t longest = run.out == 1 ? run.extent : kFetchBytes / element_;
    for (uint64_t done = 0; done < run.extent; done += longest)
      read_runs(box, {std::min(longest, run.extent - done), 1, run.out}, {source + done, out + done * run.out});
  }

  /// Fetches all from the first run to the last, and lays it out in the order of the result. False if that is too much,
  /// or mostly gaps.
  bool read_whole(std::vector<BoxAxis> outer, const BoxAxis& run, Run first) {
    uint64_t span = run.extent, count = 1;
    for (const BoxAxis& axis : outer) span += (axis.extent - 1) * axis.source, count *= axis.extent;
    if (span > Content::kLargePiece / element_ || count > kFetchRuns || count * run.extent < span / 4) return false;
    sort(outer, &BoxAxis::out);
    for_each_run(outer, first, [&](Run next) { runs_.push_back(next); });
    fetch(run, first.source, span);
    return true;
  }

  void lay_out_kept(std::vector<BoxAxis> outer, const BoxAxis& run, Run first) {
    sort(outer, &BoxAxis::out);
    for_each_run(outer, first, [&](Run next) {
      runs_.push_back(next);
      if (runs_.size() == kFetchRuns) lay_out_runs(kept_, run, 0);
    });
    lay_out_runs(kept_, run, 0);
  }

  void read_runs(const std::vector<BoxAxis>& outer, const BoxAxis& run, Run first) {
    const bool direct = run.out == 1 && (run.extent * element_ >= TransposeContent::kLongRun || outer.empty());
    for_each_run(outer, first, [&](Run next) {
      if (direct)
        source_->read(next.source * element_, {out_ + next.out * element_, static_cast<size_t>(run.extent * element_)});
      else
        add_run(next, run);
    });
    fetch_runs(run);
  }

  static void sort(std::vector<BoxAxis>& box, uint64_t BoxAxis::*stride) {
    std::sort(box.begin(), box.end(), [&](const BoxAxis& a, const BoxAxis& b) { return a.*stride > b.*stride; });
  }

  /// Calls `action` with the run that begins at each index of `outer`. The last index changes fastest.
  template <typename Action>
  static void for_each_run(const std::vector<BoxAxis>& outer, Run run, const Action& action) {
    std::vector<uint64_t> index(outer.size());
    for (;;) {
      action(run);
      size_t axis = outer.size();
      while (axis > 0 && ++index[axis - 1] == outer[axis - 1].extent) {
        --axis;
        run.source -= (outer[axis].extent - 1) * outer[axis].source;
        run.out -= (outer[axis].extent - 1) * outer[axis].out;
        index[axis] = 0;
      }
      if (axis == 0) return;
      run.source += outer[axis - 1].source;
      run.out += outer[axis - 1].out;
    }
  }

  void add_run(Run next, const BoxAxis& run) {
    if (!runs_.empty()) {
      const uint64_t gap = (next.source - runs_.back().source - run.extent) * element_;
      const uint64_t bytes = (next.source - runs_.front().source + run.extent) * element_;
      if (gap > kRunGap || bytes > kFetchBytes || runs_.size() == kFetchRuns) fetch_runs(run);
    }
    runs_.push_back(next);
  }

  void fetch_runs(const BoxAxis& run) {
    if (runs_.empty()) return;
    const uint64_t origin = runs_.front().source;
    fetch(run, origin, runs_.back().source + run.extent - origin);
  }

  /// Reads `span` elements of the source from `origin` on, and lays out the runs gathered, which are in them.
  void fetch(const BoxAxis& run, uint64_t origin, uint64_t span) {
    const auto bytes = buffer_.get(static_cast<size_t>(span * element_));
    source_->read(origin * element_, bytes);
    lay_out_runs(bytes.data(), run, origin);
  }

  /// Lays out the runs gathered. `bytes` are those of the source from `origin` on.
  void lay_out_runs(const std::byte* bytes, const BoxAxis& run, uint64_t origin) {
    const auto length = static_cast<size_t>(run.extent);
    if (run.out == 1)
      for (const Run& r : runs_)
        std::memcpy(out_ + r.out * element_, bytes + (r.source - origin) * element_, length * element_);
    else if (element_ == 1)
      lay_out<uint8_t>(bytes, runs_, origin, length, run.out, out_);
    else if (element_ == 2)
      lay_out<uint16_t>(bytes, runs_, origin, length, run.out, out_);
    else if (element_ == 4)
      lay_out<uint32_t>(bytes, runs_, origin, length, run.out, out_);
    else
      lay_out<uint64_t>(bytes, runs_, origin, length, run.out, out_);
    runs_.clear();
  }

  const TransposeContent& content_;
  std::unique_ptr<ContentReader> source_;
  uint64_t element_;
  std::vector<BoxAxis> axes_;
  std::byte* out_ = nullptr;
  std::vector<Run> runs_;
  Scratch buffer_;
  const std::byte* kept_ = nullptr;  ///< all of the source, in the buffer
};

}  // namespace

std::unique_ptr<ContentReader> TransposeContent::open(Files& files) const {
  return std::make_unique<TransposeReader>(*this, files);
}

}  // namespace mo
