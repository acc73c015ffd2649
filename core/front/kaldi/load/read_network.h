// A file of Kaldi as a network.
#pragma once

#include "core/front/kaldi/load/network.h"

namespace mo::kaldi {

/// Reads nnet1, nnet2 and nnet3, binary or text, with or without a transition model. A component of a type that Kaldi
/// does not have has no fields; in a binary file it is the last, and there are no nodes. Throws TruncatedFile,
/// CorruptFile and what read_nodes() throws, with the place.
Network read_network(Files& files, FileId file, Diagnostics& diagnostics);

}  // namespace mo::kaldi
