// Before: Pad(x, begin, end, 0) {constant} -> Convolution or GroupConvolution {pads_begin, pads_end}
// After:  Convolution(x) with the pads added to its own
// Conditions: the pads are constants, not negative, and of spatial axes only; the convolution's padding is explicit or
// there is none.

#include "core/back/padding.h"
#include "core/ops/spatial.h"
#include "core/rewrite/back_replacement.h"

namespace mo {
namespace {

class PadFusion final : public BackReplacementPattern {
 public:
  bool force_clean_up() const override { return true; }

  void find_and_replace_pattern(Graph& graph) override { for_each_padded_convolution(graph, fuse); }

 private:
  static void fuse(const Node& pad, const Ints& begin, const Ints& end, Node& convolution) {
    const std::string auto_pad = convolution.get_string("auto_pad", "explicit");
    if (auto_pad != "explicit" && auto_pad != "valid") return;
    if (pad.source(1).tensor().from_shape || pad.source(2).tensor().from_shape) return;
    const SpatialDims dims = spatial_dims(convolution, begin.size());
    if (begin[dims.batch] || end[dims.batch] || begin[dims.channel] || end[dims.channel]) return;
    const Ints none(dims.spatial.size(), 0);
    Ints own_begin = auto_pad == "valid" ? none : convolution.get_ints("pads_begin", none),
         own_end = auto_pad == "valid" ? none : convolution.get_ints("pads_end", none);
    for (size_t i = 0; i < dims.spatial.size(); ++i) {
      const size_t axis = dims.spatial[i];
      if (begin[axis] < 0 || end[axis] < 0) return;
      own_begin[i] += begin[axis];
      own_end[i] += end[axis];
    }
    convolution.set("pads_begin", own_begin);
    convolution.set("pads_end", own_end);
    convolution.set("auto_pad", std::string("explicit"));
    convolution.in(0).connect(pad.source(0));
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(PadFusion)
}  // namespace mo
