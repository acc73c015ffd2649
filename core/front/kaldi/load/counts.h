// The counts of the classes that --counts names.
#pragma once

#include "core/front/kaldi/load/network.h"
#include "core/front/loader.h"

namespace mo::kaldi {

/// For loader_kaldi(): no file beside a model is taken for its counts.
extern const Role kCounts;

/// f32 of shape [classes]; without content if there are none. An empty name means the priors of the model, and a model
/// that has some warns without the option. Throws UnknownFormat, BadOptionValue and what reading a vector throws.
Constant counts_of(const LoadRequest& request, const Network& network);

}  // namespace mo::kaldi
