// The transition model that stands before the network of a .mdl: nothing of it matters here.
#pragma once

#include "core/front/kaldi/load/stream.h"

namespace mo::kaldi {

/// Steps over it by its grammar. Throws TruncatedFile, CorruptFile.
void skip_transition_model(Stream& stream);

}  // namespace mo::kaldi
