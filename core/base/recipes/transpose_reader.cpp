// Reads any range of a transposed content. The range is divided into boxes. A source that is not too large is read once
// as a whole and kept, and each box is laid out from there. Of a larger one a box is fetched in the source's order, run
// by run, with close runs in one read; one whose elements are all scattered, as the weights of a convolution are, is
// fetched in one piece where that is not too large: then neighbours of the result can be written together.
#include <algorithm>

#include "core/base/recipes/panels.h"
#include "core/base/recipes/runs.h"
#include "core/base/recipes/transpose.h"

namespace mo {
namespace {

/// Runs at most kRunGap bytes apart are fetched together, up to kFetchBytes and kFetchRuns of them.
constexpr uint64_t kRunGap = 32 * 1024, kFetchBytes = 1024 * 1024;
constexpr size_t kFetchRuns = 16 * 1024;
/// The most bytes of a source that is kept. A read that wants less than a share of the result, or little, is no reason
/// to keep it.
constexpr uint64_t kMostKept = Content::kLargePiece, kShare = 32, kLittle = 64 * 1024;

/// A dimension of a box; strides in elements, `out` within the range that is asked for.
struct BoxAxis {
  uint64_t extent, source, out;
};

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
    if (!kept_.bytes() && is_worth_keeping(out.size())) keep();
    const uint64_t first = offset / element_;
    read_boxes(0, first, first + out.size() / element_, 0, 0);
  }

 private:
  bool is_worth_keeping(uint64_t asked) const {
    return content_.size() <= kMostKept && !content_.has_long_runs() &&
           asked >= std::min(content_.size() / kShare, kLittle);
  }

  void keep() {
    const uint64_t elements = content_.size() / element_;
    uint64_t columns = elements;
    if (axes_.back().source != 1)
      for (const BoxAxis& axis : axes_)
        if (axis.source == 1) columns = axis.extent;
    kept_.read(*source_, elements / columns, columns, element_);
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
    if (kept_.bytes()) return lay_out_kept(std::move(box), run, {source, out});
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
    if (axes_.back().source == 1) return lay_out_all(outer, run, first, {kept_.bytes(), 0, 1});
    const uint64_t columns = kept_.columns(), column = first.source % columns;
    for (BoxAxis& axis : outer) axis.source /= columns;
    kept_.for_each(column, run.extent, [&](const Panels::Panel& panel, uint64_t from, uint64_t n) {
      const std::byte* bytes = kept_.bytes() + panel.begin + (from - panel.column) * element_;
      const Run begin{first.source / columns, first.out + (from - column) * run.out};
      lay_out_all(outer, {n, 1, run.out}, begin, {bytes, 0, panel.width});
    });
  }

  void lay_out_all(const std::vector<BoxAxis>& outer, const BoxAxis& run, Run first, const RunBytes& from) {
    for_each_run(outer, first, [&](Run next) {
      runs_.push_back(next);
      if (runs_.size() == kFetchRuns) lay_out_runs(from, run);
    });
    lay_out_runs(from, run);
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
  static void for_each_run(std::span<const BoxAxis> outer, Run run, const Action& action) {
    if (outer.empty()) return action(run);
    const BoxAxis& last = outer.back();
    outer = outer.first(outer.size() - 1);
    std::vector<uint64_t> index(outer.size());
    for (;;) {
      for (uint64_t i = 0; i < last.extent; ++i) action({run.source + i * last.source, run.out + i * last.out});
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
    lay_out_runs({bytes.data(), origin, 1}, run);
  }

  /// Lays out the runs gathered.
  void lay_out_runs(const RunBytes& from, const BoxAxis& run) {
    const auto length = static_cast<size_t>(run.extent);
    if (run.out == 1)
      for (const Run& r : runs_)
        std::memcpy(out_ + r.out * element_, from.bytes + (r.source - from.origin) * from.pitch * element_,
                    length * element_);
    else
      lay_out(element_, from, runs_, length, run.out, out_);
    runs_.clear();
  }

  const TransposeContent& content_;
  std::unique_ptr<ContentReader> source_;
  uint64_t element_;
  std::vector<BoxAxis> axes_;
  std::byte* out_ = nullptr;
  std::vector<Run> runs_;
  Scratch buffer_;
  Panels kept_;  ///< all of the source
};

}  // namespace

std::unique_ptr<ContentReader> TransposeContent::open(Files& files) const {
  return std::make_unique<TransposeReader>(*this, files);
}

}  // namespace mo
