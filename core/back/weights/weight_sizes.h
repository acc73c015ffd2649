// How large the .bin is with each --weight_format.
#pragma once

#include "core/back/weights/weight_request.h"
#include "core/graph/graph.h"

namespace mo {

/// Bytes of the .bin, by the format of --weight_format.
struct WeightSizes {
  uint64_t fp32 = 0, fp16 = 0, int8 = 0, int4 = 0;
};

/// Of a graph whose constants are still as they are in the model. Integers are as `request` says, whatever its format
/// is; `half`: where no layer gets any, weights are f16, as --compress_to_fp16 says. Sizes follow from shapes. Exact
/// unless the numbers of large weights change them: if those cannot be integers or f16, or if different weights become
/// equal integers, zero points or scales. Throws the errors of weight_layers().
WeightSizes weight_sizes(Graph& graph, const WeightRequest& request, bool half);

}  // namespace mo
