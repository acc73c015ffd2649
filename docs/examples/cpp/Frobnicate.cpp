// Frobnicate (operation set "acme"): one input, one output of the same shape and type; attribute strength.

#include "core/ops/op_def.h"

namespace mo {
namespace {

void infer_frobnicate(InferContext& c) { c.set(0, c.shape(0), c.type(0)); }

void attributes_frobnicate(const Node& node, IrAttributes& attributes) {
  attributes.add("strength", node.get_int("strength"));
}

constexpr OpDef kFrobnicateDefs[] = {
    {.op = "Frobnicate",
     .type = "Frobnicate",
     .version = "acme",
     .infer = infer_frobnicate,
     .ir_attributes = attributes_frobnicate},
};

}  // namespace
OpFamily ops_Frobnicate() { return kFrobnicateDefs; }
}  // namespace mo
