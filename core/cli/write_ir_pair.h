// Writes the .xml and the .bin to disk: both, or neither.
#pragma once

#include <filesystem>

#include "core/cli/disk_files.h"

namespace mo {

struct IrPair {
  std::filesystem::path xml, bin;
};

/// The absolute paths of the IR called `name` in `folder`.
IrPair ir_pair(const std::filesystem::path& folder, const std::string& name);

/// Writes the IR into `folder`, which is created if missing. Uses temporary names and renames at the end; on failure
/// nothing is left. Throws HostWriteFailed, HostReadFailed.
IrPair write_ir_pair(Conversion& conversion, DiskFiles& files, const std::filesystem::path& folder,
                     const std::string& name);

/// Writes kEventFile into `folder`, which is created if missing; gives its path. Throws as write_ir_pair().
std::filesystem::path write_event_file(Conversion& conversion, DiskFiles& files, const std::filesystem::path& folder);

/// The name of a file while `process` writes it.
std::filesystem::path draft_path(const std::filesystem::path& target, int process);

/// Writes a text file completely or not at all. Throws HostWriteFailed.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace mo
