// Before: Pad(x, begin, end, 0) {constant} -> Convolution or GroupConvolution {auto_pad: same_upper or same_lower}
// After:  total = Maximum(extent - 1 - FloorMod(size - 1, strides), 0), size: of x with begin and end
//         Pad(x, begin + its half, end + the other half, 0) -> Convolution {auto_pad: valid}
// Conditions: the pads are constants, of spatial axes only; a spatial size is open; sizes of weights are known.
// Runtimes merge pads that are constants into the convolution, whose own padding is then lost where a size is open.

#include "core/back/padding.h"
#include "core/ops/spatial.h"
#include "core/ops/window.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class PadOfOpenSize final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override { for_each_padded_convolution(graph, merge); }

 private:
  static void merge(const Node& pad, const Ints& begin, const Ints& end, Node& convolution) {
    const PartialShape &size = convolution.source(0).tensor().shape, &weights = convolution.source(1).tensor().shape;
    if (!weights.has_rank() || size.rank() != static_cast<int>(begin.size())) return;
    const SpatialWindow windows(convolution, begin.size() - 2);
    if (!windows.is_same()) return;
    const SpatialDims dims = spatial_dims(convolution, begin.size());
    if (begin[dims.batch] || end[dims.batch] || begin[dims.channel] || end[dims.channel]) return;

    const size_t count = dims.spatial.size(), first_kernel = weights.dimensions().size() - count;
    Ints axes, strides, added, covered;
    bool open = false, exceeds = false;
    for (size_t i = 0; i < count; ++i) {
      const size_t axis = dims.spatial[i];
      const WindowAxis window = windows.axis(i, weights[first_kernel + i]);
      if (!window.extent().is_exact()) return;
      axes.push_back(static_cast<int64_t>(axis));
      strides.push_back(window.stride);
      added.push_back(begin[axis] + end[axis] - 1);
      covered.push_back(window.extent().min - 1);
      open |= !size[axis].is_exact();
      exceeds |= window.stride > window.extent().min;
    }
    if (!open) return;

    Builder b(convolution);
    const OutPort x = pad.source(0), last = b.op("Add", {b.dims_of(x, axes), b.i64(added)});
    OutPort total = b.op("Sub", {b.i64(covered), b.op("FloorMod", {last, b.i64(strides)})});
    if (exceeds) total = b.op("Maximum", {total, b.i64({0})});
    const OutPort less = b.op("Div", {total, b.i64({2})}), more = b.op("Sub", {total, less});
    const bool upper = windows.auto_pad == AutoPad::SameUpper;
    const OutPort before = all_axes(b, begin, dims, upper ? less : more);
    const OutPort behind = all_axes(b, end, dims, upper ? more : less);
    Attributes attributes;
    attributes.set("mode", std::string("constant"));
    const OutPort value = pad.has_in(3) ? pad.source(3) : b.scalar_like(x, 0);
    convolution.in(0).connect(b.op("Pad", {x, before, behind, value}, std::move(attributes)));
    convolution.set("auto_pad", std::string(name_of(AutoPad::Valid)));
  }

  /// `pads` of all axes, plus `added`, which has a number for each spatial axis in the order of dims.spatial.
  static OutPort all_axes(Builder& b, const Ints& pads, const SpatialDims& dims, OutPort added) {
    Ints places(pads.size(), static_cast<int64_t>(dims.spatial.size()));
    for (size_t i = 0; i < dims.spatial.size(); ++i) places[dims.spatial[i]] = static_cast<int64_t>(i);
    const OutPort given = b.i64(pads), order = b.i64(places), spatial_or_none = b.concat({added, b.i64({0})}, 0);
    return b.op("Add", {given, b.gather(spatial_or_none, order, 0)});
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PadOfOpenSize)
}  // namespace mo
