// How many numbers a component reads and gives for one frame, by its fields.
#pragma once

#include "core/front/kaldi/load/network.h"

namespace mo::kaldi {

/// 0 where the fields do not say it.
int64_t input_dim(const Component& component);
int64_t output_dim(const Component& component);

}  // namespace mo::kaldi
