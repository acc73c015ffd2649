#include "core/decompose/spatial/padding.h"

#include <algorithm>

namespace mo {

OutPort padded_with(Builder& b, OutPort x, OutPort begin, OutPort end, OutPort value) {
  const auto padded = [&](OutPort data, OutPort with) {
    return b.op("Pad", {data, begin, end, with}, {{"mode", "constant"}});
  };
  if (value.tensor().value || !begin.tensor().value || !end.tensor().value) return padded(x, value);
  const OutPort one = b.constant(make_scalar(ElementType::I32, 1)), zero = b.constant(make_scalar(ElementType::I32, 0));
  const OutPort ones = b.op("Broadcast", {one, b.shape_of(x)}, {{"mode", "numpy"}});
  const OutPort inside = b.op("Equal", {padded(ones, zero), one});
  return b.op("Select", {inside, padded(x, b.scalar_like(x, 0)), value});
}

bool pads_nothing(OutPort pads) {
  const auto known = pads.exact_ints();
  return known && std::all_of(known->begin(), known->end(), [](int64_t pad) { return pad == 0; });
}

}  // namespace mo
