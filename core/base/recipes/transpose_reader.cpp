// Reads any range of a transposed content. The range is divided into boxes. Each box is fetched in the source's order,
// run by run, with close runs in one read; then it is laid out in the order of the result.
#include <algorithm>

#include "core/base/recipes/transpose.h"

namespace mo {
namespace {

/// Runs at most kRunGap bytes apart are fetched together, up to kFetchBytes and kFetchRuns of them.
constexpr uint64_t kRunGap = 32 * 1024, kFetchBytes = 1024 * 1024;
constexpr size_t kFetchRuns = 16 * 1024;
/// A run that stays whole is read directly to its target from this size on.
constexpr uint64_t kDirectRun = 16 * 1024;
/// Side of the squares in which elements are swapped; source and target of a square fit the cache.
constexpr size_t kTileSide = 32;

/// A dimension of a box; strides in elements, `out` within the range that is asked for.
struct BoxAxis {
  uint64_t extent, source, out;
};
/// Elements that are adjacent in the source.
struct Run {
  uint64_t source, out;
};

template <typename T>
void lay_out(const std::byte* from, const std::vector<Run>& runs, uint64_t origin, size_t length, uint64_t out_stride,
             std::byte* out) {
  for (size_t r0 = 0; r0 < runs.size(); r0 += kTileSide)
    for (size_t i0 = 0; i0 < length; i0 += kTileSide)
      for (size_t i = i0, i1 = std::min(length, i0 + kTileSide); i < i1; ++i)
        for (size_t r = r0, r1 = std::min(runs.size(), r0 + kTileSide); r < r1; ++r)
          std::memcpy(out + (runs[r].out + i * out_stride) * sizeof(T),
                      from + (runs[r].source - origin + i) * sizeof(T), sizeof(T));
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
    const uint64_t first = offset / element_;
    read_boxes(0, first, first + out.size() / element_, 0, 0);
  }

 private:
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
    std::sort(box.begin(), box.end(), [](const BoxAxis& a, const BoxAxis& b) { return a.source > b.source; });
    BoxAxis run{1, 1, 1};
    if (box.back().source == 1) {
      run = box.back();
      box.pop_back();
    }
    // Runs longer than a fetch are cut; their parts become runs of their own.
    const uint64_t longest = run.out == 1 ? run.extent : kFetchBytes / element_;
    for (uint64_t done = 0; done < run.extent; done += longest)
      read_runs(box, {std::min(longest, run.extent - done), 1, run.out}, source + done, out + done * run.out);
  }

  void read_runs(const std::vector<BoxAxis>& outer, const BoxAxis& run, uint64_t source, uint64_t out) {
    std::vector<uint64_t> index(outer.size());
    const bool direct = run.out == 1 && (run.extent * element_ >= kDirectRun || outer.empty());
    for (;;) {
      if (direct)
        source_->read(source * element_, {out_ + out * element_, static_cast<size_t>(run.extent * element_)});
      else
        add_run({source, out}, run);
      size_t axis = outer.size();
      while (axis > 0 && ++index[axis - 1] == outer[axis - 1].extent) {
        --axis;
        source -= (outer[axis].extent - 1) * outer[axis].source;
        out -= (outer[axis].extent - 1) * outer[axis].out;
        index[axis] = 0;
      }
      if (axis == 0) break;
      source += outer[axis - 1].source;
      out += outer[axis - 1].out;
    }
    fetch(run);
  }

  void add_run(Run next, const BoxAxis& run) {
    if (!runs_.empty()) {
      const uint64_t gap = (next.source - runs_.back().source - run.extent) * element_;
      const uint64_t bytes = (next.source - runs_.front().source + run.extent) * element_;
      if (gap > kRunGap || bytes > kFetchBytes || runs_.size() == kFetchRuns) fetch(run);
    }
    runs_.push_back(next);
  }

  /// Reads the runs gathered and lays them out.
  void fetch(const BoxAxis& run) {
    if (runs_.empty()) return;
    const uint64_t origin = runs_.front().source, end = runs_.back().source + run.extent;
    const auto bytes = buffer_.get(static_cast<size_t>((end - origin) * element_));
    source_->read(origin * element_, bytes);
    const auto length = static_cast<size_t>(run.extent);
    if (run.out == 1)
      for (const Run& r : runs_)
        std::memcpy(out_ + r.out * element_, bytes.data() + (r.source - origin) * element_, length * element_);
    else if (element_ == 1)
      lay_out<uint8_t>(bytes.data(), runs_, origin, length, run.out, out_);
    else if (element_ == 2)
      lay_out<uint16_t>(bytes.data(), runs_, origin, length, run.out, out_);
    else if (element_ == 4)
      lay_out<uint32_t>(bytes.data(), runs_, origin, length, run.out, out_);
    else
      lay_out<uint64_t>(bytes.data(), runs_, origin, length, run.out, out_);
    runs_.clear();
  }

  const TransposeContent& content_;
  std::unique_ptr<ContentReader> source_;
  uint64_t element_;
  std::vector<BoxAxis> axes_;
  std::byte* out_ = nullptr;
  std::vector<Run> runs_;
  Scratch buffer_;
};

}  // namespace

std::unique_ptr<ContentReader> TransposeContent::open(Files& files) const {
  return std::make_unique<TransposeReader>(*this, files);
}

}  // namespace mo
