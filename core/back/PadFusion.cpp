// Before: Pad(x, begin, end, 0) {constant} -> Convolution or GroupConvolution {pads_begin, pads_end}
// After:  Convolution(x) with the pads added to its own
// Conditions: the pads are constants, not negative, and of spatial axes only; the convolution's padding is explicit or
// there is none.

#include "core/back/padding.h"
#include "core/ops/spatial.h"
#include "core/ops/window.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class PadFusion final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override { for_each_padded_convolution(graph, fuse); }

 private:
  static void fuse(const Node& pad, const Ints& begin, const Ints& end, Node& convolution) {
    SpatialWindow window(convolution, begin.size() - 2);
    if (window.is_same()) return;
    if (pad.source(1).tensor().from_shape || pad.source(2).tensor().from_shape) return;
    const SpatialDims dims = spatial_dims(convolution, begin.size());
    if (begin[dims.batch] || end[dims.batch] || begin[dims.channel] || end[dims.channel]) return;
    for (size_t i = 0; i < dims.spatial.size(); ++i) {
      const size_t axis = dims.spatial[i];
      if (begin[axis] < 0 || end[axis] < 0) return;
      window.pads_begin[i] += begin[axis];
      window.pads_end[i] += end[axis];
    }
    window.auto_pad = AutoPad::Explicit;
    convolution.attributes.update(window.attributes());
    convolution.in(0).connect(pad.source(0));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PadFusion)
}  // namespace mo
