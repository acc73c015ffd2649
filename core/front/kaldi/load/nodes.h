// The nodes of nnet3, from its config lines.
#pragma once

#include "core/front/kaldi/load/config_lines.h"
#include "core/front/kaldi/load/network.h"

namespace mo::kaldi {

/// Nodes of the lines; components are named by those of the network. Throws MissingField, BadFieldValue, CorruptFile,
/// DuplicateTensor, UnknownTensor, CyclicGraph with the place.
void read_nodes(const std::vector<ConfigLine>& lines, const Stream& stream, Network& network);

}  // namespace mo::kaldi
