// inference.yml beside a program: how PaddleOCR, PaddleX, PaddleDetection, PaddleClas and PaddleSeg prepare pictures
// for it, and what its outputs mean. No conversion needs it.
#pragma once

#include "core/front/loader.h"

namespace mo::paddle {

extern const Role kSettings;

/// Fills the head's preparation as far as there is such a file. What cannot be read is a warning.
void read_settings(const LoadRequest& request);

}  // namespace mo::paddle
