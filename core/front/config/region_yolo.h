// What the transformations for YOLO share.
#pragma once

#include "core/front/config/transformations_config.h"

namespace mo {

/// RegionYolo of `boxes`, named <node>/YoloRegion, with the entry's custom attributes; a Transpose in front of it if
/// the model has its channels last. Its result has them first.
Node& add_region_yolo(OutPort boxes, const Attributes& attributes);

}  // namespace mo
