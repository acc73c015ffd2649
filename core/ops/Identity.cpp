// Identity: gives input 0 unchanged. IR does not have it; the middle phase removes it.

#include "core/ops/known.h"

namespace mo {
namespace {

void infer_identity(InferContext& c) {
  require_inputs(c, 1);
  c.set(0, c.shape(0), c.type(0));
  pass_known(c, 0);
}

constexpr OpDef kIdentityDefs[] = {{.op = "Identity", .type = "", .version = "", .infer = infer_identity}};

}  // namespace

OpFamily ops_Identity() { return kIdentityDefs; }

}  // namespace mo
