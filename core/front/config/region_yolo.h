// What the transformations for YOLO share.
#pragma once

#include "core/front/config/transformations_config.h"

namespace mo {

/// Adds RegionYolo of `boxes`, named <node>/YoloRegion, with the entry's custom attributes. RegionYolo reads and gives
/// channels first; if the model has them last, a Transpose is in front of it.
Node& add_region_yolo(OutPort boxes, const Attributes& attributes);

}  // namespace mo
