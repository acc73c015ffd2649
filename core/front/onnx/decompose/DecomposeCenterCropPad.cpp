// Before: y = CenterCropPad(x, shape) {axes}
// After:  y = Pad(x, pads_begin, pads_end), each pad half the difference; a negative pad crops
// Conditions: the rank of x is known.

#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeCenterCropPad final : public Decomposition {
 public:
  Names ops() const override { return {"CenterCropPad"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const OutPort x = node.source(0), wanted = b.convert(node.source(1), ElementType::I64);
    const int rank = x.tensor().shape.rank();
    if (rank < 0) throw Error(Code::UnsupportedForm, "CenterCropPad of a tensor of unknown rank");
    Ints axes = node.get_ints("axes");
    if (!node.has("axes"))
      for (int i = 0; i < rank; ++i) axes.push_back(i);
    Ints place(static_cast<size_t>(rank), -1);  // position of each axis in the wanted shape
    for (size_t i = 0; i < axes.size(); ++i) place[normalize_axis(axes[i], rank)] = static_cast<int64_t>(i);
    const OutPort shape = b.shape_of(x);
    std::vector<OutPort> sizes;
    for (size_t i = 0; i < place.size(); ++i) {
      const int64_t at = place[i];
      sizes.push_back(at < 0 ? b.gather(shape, b.i64({static_cast<int64_t>(i)}), 0) : b.gather(wanted, b.i64({at}), 0));
    }
    if (sizes.empty()) return {x};
    const OutPort difference = b.op("Sub", {b.concat(sizes, 0), shape});
    // Rounded towards 0: the odd element is cropped or padded at the end.
    const OutPort begin = b.op("Div", {difference, b.i64({2})}, {{"m_pythondiv", false}});
    const OutPort end = b.op("Sub", {difference, begin});
    return {b.op("Pad", {x, begin, end, b.scalar_like(x, 0)}, {{"mode", "constant"}})};
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeCenterCropPad)
}  // namespace mo
