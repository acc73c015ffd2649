// Writes the .xml and the .bin to disk: both, or neither.
#pragma once

#include "core/cli/disk_files.h"

namespace mo {

struct IrPair {
  std::string xml, bin;
};

/// The absolute paths of the IR called `name` in `folder`.
IrPair ir_pair(const std::string& folder, const std::string& name);

/// Writes the IR into `folder`, which is created if missing. Uses temporary names and renames at the end, the .xml
/// last: where there is an .xml, its .bin is whole, even if the process is killed. On failure nothing is left. Throws
/// HostWriteFailed, HostReadFailed.
IrPair write_ir_pair(Conversion& conversion, DiskFiles& files, const std::string& folder, const std::string& name);

/// Writes kEventFile into `folder`, which is created if missing; gives its path. Throws as write_ir_pair().
std::string write_event_file(Conversion& conversion, DiskFiles& files, const std::string& folder);

/// The name of a file while `process` writes it.
std::string draft_path(const std::string& target, int64_t process);

/// The name of the .xml of an older pair while `process` replaces it.
std::string aside_path(const std::string& target, int64_t process);

/// Writes a text file completely or not at all. Throws HostWriteFailed.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace mo
