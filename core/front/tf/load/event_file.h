// A file of events, from which TensorBoard shows a graph.
#pragma once

#include <vector>

#include "core/base/files.h"

namespace mo::tf {

/// Its pieces: two records, the version of the format and the GraphDef in that range of a file, which is read once for
/// its checksum, and stays a place. The same graph gives the same bytes: there is no time in it.
std::vector<Segment> event_file(Files& files, FileId file, uint64_t offset, uint64_t size);

}  // namespace mo::tf
