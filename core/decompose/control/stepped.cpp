#include "core/decompose/control/stepped.h"

#include <algorithm>

#include "core/decompose/math/formula.h"

namespace mo {

OutPort stepped_ends(Builder& b, const Node& node, OutPort x, OutPort ends, OutPort steps, const Ints& axes) {
  const auto step = steps.tensor().exact_ints(), end = ends.tensor().exact_ints();
  if (step && std::all_of(step->begin(), step->end(), [](int64_t s) { return s > 0; })) return ends;
  if (step && end && step->size() == end->size() && step->size() == axes.size()) {
    const PartialShape& shape = x.tensor().shape;
    Ints counted = *end;
    bool known = true;
    for (size_t i = 0; i < counted.size(); ++i) {
      if ((*step)[i] > 0 || counted[i] >= 0) continue;
      if (counted[i] == -1) {
        counted[i] = INT64_MIN;
        continue;
      }
      const Dimension size = shape.has_rank() ? shape[normalize_axis(axes[i], shape.rank())] : kAnyDimension;
      known &= size.is_exact();
      counted[i] = std::max<int64_t>(size.min + counted[i], 0);
    }
    if (known) return b.i64(counted);
  }
  // The runtime computes Select in single precision, so the least integer would overflow.
  return evaluate(b, node,
                  "d=Gather(ShapeOf(w),y,<0>);"
                  "Select(Less(z,0),Select(Equal(x,-1),-1073741824,Select(Less(x,0),Maximum(Add(x,d),0),x)),x)",
                  {b.convert(ends, ElementType::I64), b.i64(axes), b.convert(steps, ElementType::I64), x})[0];
}

}  // namespace mo
