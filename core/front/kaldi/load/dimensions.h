// How many numbers a component reads and gives for one frame, by its fields.
#pragma once

#include "core/front/kaldi/load/network.h"

namespace mo::kaldi {

/// 0 where the fields do not say it.
int64_t input_dim(const Component& component);
int64_t output_dim(const Component& component);

/// How many frames it reads for one, besides that one; 0 for a window without an end, which is not kept.
int64_t frames_of(const Component& component);
/// What extracting it makes of its fields in memory, where that is more than they have.
uint64_t extracted_bytes(const Component& component);

}  // namespace mo::kaldi
