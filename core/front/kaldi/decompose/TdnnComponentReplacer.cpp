// Before: y = tdnncomponent(x, W, b) {time_offsets}
// After:  y = MatMul(Concat(MemoryOffset(x) {t}, for each of the offsets), W transposed) + b
// Conditions: none. Without b there is no sum.

#include "core/front/kaldi/decompose/lowering.h"

namespace mo {
namespace {

class TdnnComponentReplacer final : public kaldi::Lowering {
  std::string_view op() const override { return "tdnncomponent"; }

  OutPort lowered(Builder& b, Node& node) override {
    std::vector<OutPort> frames;
    for (const int64_t t : node.get_ints("time_offsets")) frames.push_back(kaldi::at_offset(b, node.source(0), t));
    const OutPort x = frames.size() == 1 ? frames[0] : b.concat(frames, 1);
    const OutPort product = b.matmul({x, node.source(1)}, true);
    return node.has_in(2) ? b.op("Add", {product, node.source(2)}) : product;
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(TdnnComponentReplacer)
}  // namespace mo
