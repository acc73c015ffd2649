// The .xml and the .bin on disk: both, or neither.
#pragma once

#include <filesystem>

#include "core/cli/disk_files.h"

namespace mo {

struct IrPair {
  std::filesystem::path xml, bin;
};

/// Carries the plan out into `folder`, which is made if missing. Writes under temporary names and renames at the end;
/// on failure nothing is left. Throws HostWriteFailed, HostReadFailed.
IrPair write_ir_pair(Conversion& conversion, DiskFiles& files, const std::filesystem::path& folder,
                     const std::string& name);

/// A text file, whole or not at all. Throws HostWriteFailed.
void write_text_file(const std::filesystem::path& path, std::string_view text);

}  // namespace mo
