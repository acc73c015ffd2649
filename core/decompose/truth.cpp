#include "core/decompose/truth.h"

namespace mo {

OutPort truth_of(Builder& b, OutPort x) {
  const Tensor& tensor = x.tensor();
  if (tensor.shape.rank() > 0) {
    const OutPort count = b.reduce("ReduceProd", b.shape_of(x), {0}, false);
    return b.op("NotEqual", {count, b.i64_scalar(0)});
  }
  return tensor.type == ElementType::Bool ? x : b.op("NotEqual", {x, b.scalar_like(x, 0)});
}

}  // namespace mo
