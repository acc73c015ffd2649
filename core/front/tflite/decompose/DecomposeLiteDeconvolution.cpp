// Before: y = LiteDeconvolution(x [batch, H, W, I], filter [I, O, h, w], bias) {same, strides}
// After:  y = Deconvolution(x, filter, bias) {pads}: with `same`, the pads cut max(0, h - 1 - (H - 1) mod stride)
//         elements off each axis, half of them in front
// Conditions: sizes are known where padding depends on them.

#include "core/decompose/control/nested.h"
#include "core/ops/window.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeLiteDeconvolution final : public Decomposition {
 public:
  Names ops() const override { return {"LiteDeconvolution"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const PartialShape &x = node.source(0).tensor().shape, &filter = node.source(1).tensor().shape;
    const SpatialWindow window(node, 2);
    Ints pads(4, 0);
    for (size_t i = 0; i < 2 && node.get_bool("same"); ++i) {
      const bool known = x.rank() == 4 && filter.rank() == 4;
      const auto less = known ? window.axis(i, filter[i + 2]).same_padding(x[i + 1]) : std::nullopt;
      if (!less) throw Error(Code::UnsupportedForm, "padding of data whose size is not known");
      pads[i] = *less / 2;
      pads[i + 2] = *less - *less / 2;
    }
    Attributes attributes = node.attributes;
    attributes.erase("same");
    attributes.set("pads", pads);
    return decomposed(b, "Deconvolution", {node.source(0), node.source(1), node.source(2)}, attributes);
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeLiteDeconvolution)
}  // namespace mo
