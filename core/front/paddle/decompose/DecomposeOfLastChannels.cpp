// Before: y = OfLastChannels(x [N, …, C], …) {operation, its attributes}
// After:  y = operation(x, …) with batch_dims, channel_dims and spatial_dims
// Conditions: the rank of x is known, and at least 2.

#include "core/decompose/control/nested.h"
#include "core/ops/spatial.h"
#include "core/rewrite/transform.h"

namespace mo {
namespace {

class DecomposeOfLastChannels final : public Decomposition {
 public:
  Names ops() const override { return {"OfLastChannels"}; }

  std::vector<OutPort> decompose(Builder& b, Node& node) override {
    const PartialShape& shape = node.source(0).tensor().shape;
    if (!shape.has_rank()) throw Error(Code::UnsupportedForm, "channels last in data of unknown rank");
    if (shape.rank() < 2) throw Error(Code::RankMismatch, msg("the input is [", to_string(shape), "]"));
    const std::string operation = node.get_string("operation");
    set_spatial_dims(node, SpatialDims::channels_last(shape.dimensions().size() - 2));
    std::vector<OutPort> inputs;
    for (int i = 0; i < node.in_count(); ++i) inputs.push_back(node.source(i));
    return decomposed(b, operation.c_str(), inputs, node.attributes, node.out_count());
  }
};

}  // namespace
MO_DEFINE_TRANSFORM(DecomposeOfLastChannels)
}  // namespace mo
