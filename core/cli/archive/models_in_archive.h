// Which files and folders of an archive are models.
#pragma once

#include "core/mo.h"

namespace mo {

class Archive;

/// The paths of all models below `folder`, the archive's name or a folder in it, as find_models() finds them, sorted;
/// or that of the archive's only file. Paths begin with the archive's name, as `files` has them. Throws HostReadFailed,
/// HostWriteFailed.
std::vector<std::string> models_in_archive(FileSet& files, const std::string& folder, Archive& archive);

}  // namespace mo
