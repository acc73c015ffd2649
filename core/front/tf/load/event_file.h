// A file of events, from which TensorBoard shows a graph.
#pragma once

#include <vector>

#include "core/base/files.h"

namespace mo::tf {

/// The file as segments: two records, with the version of the format and with the GraphDef. The GraphDef is that range
/// of a file: it is read once for its checksum and stays a place. The same graph gives the same bytes, because no time
/// is written.
std::vector<Segment> event_file(Files& files, FileId file, uint64_t offset, uint64_t size);

}  // namespace mo::tf
