// Before: y = timeheightconvolutioncomponent(x, W, b) {offsets: time, height, …; time_offsets: those
//         that must be there}
// After:  frames = Concat(MemoryOffset(x) {t}, for each time) as [1, times * channels, height]; y = the frame of Conv
//         over the height, with a filter for the whole range of heights, in which offsets that the model lacks are 0
// Conditions: W is constant. The grid of times and heights is at most 8 times as large as the number of offsets.

#include <algorithm>
#include <numeric>
#include <set>

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class ReplaceTimeHeightConvolutionPattern final : public kaldi::Lowering {
  std::string_view op() const override { return "timeheightconvolutioncomponent"; }

  /// The times and heights of the offsets; heights are equally spaced.
  struct Grid {
    Ints times;
    int64_t first = 0, step = 1, heights = 1;
    std::vector<int64_t> column_of;  ///< for each time and height: the number of the offset, or -1
  };

  static Grid grid_of(const Ints& offsets) {
    std::set<int64_t> times, heights;
    for (size_t i = 0; i + 1 < offsets.size(); i += 2) times.insert(offsets[i]), heights.insert(offsets[i + 1]);
    Grid grid;
    grid.times.assign(times.begin(), times.end());
    grid.first = *heights.begin();
    int64_t step = 0;
    for (const int64_t height : heights) step = std::gcd(step, height - grid.first);
    grid.step = std::max<int64_t>(step, 1);
    grid.heights = (*heights.rbegin() - grid.first) / grid.step + 1;
    const int64_t count = static_cast<int64_t>(offsets.size() / 2), size = static_cast<int64_t>(times.size());
    if (grid.heights > 8 * count || grid.heights * size > 8 * count)
      throw Error(Code::UnsupportedForm,
                  msg(count, " offsets scattered over ", size, " times and ", grid.heights, " heights"));
    grid.column_of.assign(static_cast<size_t>(size * grid.heights), -1);
    for (size_t i = 0; i + 1 < offsets.size(); i += 2) {
      const auto time = std::lower_bound(grid.times.begin(), grid.times.end(), offsets[i]) - grid.times.begin();
      int64_t& place =
          grid.column_of[static_cast<size_t>(time * grid.heights + (offsets[i + 1] - grid.first) / grid.step)];
      if (place >= 0)
        throw Error(Code::BadAttribute, msg("offset ", offsets[i], ",", offsets[i + 1], " is there twice"));
      place = static_cast<int64_t>(i / 2);
    }
    return grid;
  }

  /// W [out, offsets * in] as [out, times * in, heights].
  static Constant filters(const Constant& weights, const Grid& grid, int64_t in) {
    const int64_t out = weights.shape[0], times = static_cast<int64_t>(grid.times.size());
    Constant all = reshape(weights, {out, weights.shape[1] / in, in});
    bool in_order = true;
    Ints columns = grid.column_of;
    for (size_t i = 0; i < columns.size(); ++i) in_order &= columns[i] == static_cast<int64_t>(i);
    if (!in_order) {
      const int64_t zeros = all.shape[1];
      if (std::count(columns.begin(), columns.end(), -1) > 0)
        all = concat({all, make_splat(ElementType::F32, {out, 1, in}, 0)}, 1);
      std::replace(columns.begin(), columns.end(), int64_t{-1}, zeros);
      all = take(all, 1, columns);
    }
    const Constant split = transpose(reshape(all, {out, times, grid.heights, in}), {0, 1, 3, 2});
    return reshape(split, {out, times * in, grid.heights});
  }

  OutPort lowered(Builder& b, Node& node) override {
    const Constant* weights = node.source(1).node().get_constant("value");
    if (!weights) throw Error(Code::UnsupportedForm, "weights that are not constant");
    const int64_t in = node.get_int("in_channels"), height = node.get_int("height_in"),
                  height_out = node.get_int("height_out"), stride = node.get_int("height_subsample");
    const Grid grid = grid_of(node.get_ints("offsets"));
    const Ints required = node.get_ints("time_offsets");
    std::vector<OutPort> frames;
    for (const int64_t t : grid.times) {
      const bool optional = std::find(required.begin(), required.end(), t) == required.end();
      frames.push_back(kaldi::at_offset(b, node.source(0), t, optional));
    }
    const auto times = static_cast<int64_t>(frames.size());
    OutPort x = frames.size() == 1 ? frames[0] : b.concat(frames, 1);
    x = b.transpose(b.reshape(x, {1, times, height, in}), {0, 1, 3, 2});
    x = b.reshape(x, {1, times * in, height});
    // The height that the last window ends at, and what lies outside the image.
    const int64_t end = (height_out - 1) * stride + grid.first + (grid.heights - 1) * grid.step + 1;
    const int64_t before = -grid.first, behind = end - height;
    if (before < 0 || behind < 0) {
      const int64_t from = std::max<int64_t>(-before, 0), to = height + std::min<int64_t>(behind, 0);
      if (from >= to) throw Error(Code::BadAttribute, "the offsets of heights lie outside the image");
      x = b.op("Slice", {x, b.i64({from}), b.i64({to}), b.i64({1}), b.i64({2})});
    }
    const OutPort matrix = b.constant(filters(*weights, grid, in));
    const OutPort y = b.op("Conv", {x, matrix, node.source(2)},
                           {{"strides", Ints{stride}},
                            {"dilations", Ints{grid.step}},
                            {"pads", Ints{std::max<int64_t>(before, 0), std::max<int64_t>(behind, 0)}}});
    return b.reshape(b.transpose(y, {0, 2, 1}), {1, -1});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(ReplaceTimeHeightConvolutionPattern)
}  // namespace mo
