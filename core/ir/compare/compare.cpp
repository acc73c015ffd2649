#include "core/ir/compare/compare.h"

#include "core/ir/compare/graph_comparer.h"

namespace mo {

IrCompared compare(const IrGraph& a, const IrGraph& b, const IrComparing& how) {
  IrCompared out;
  IrComparison all{.how = how, .out = out, .types = {}};
  IrGraphComparer(all, a, b, {}, {}).compare();
  return out;
}

}  // namespace mo
