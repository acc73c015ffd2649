// Which files and folders of an archive are models.
#pragma once

#include "core/mo.h"

namespace mo {

class Archive;

/// The paths of all models in an archive, as find_models() finds them, sorted; or that of its only file. Paths begin
/// with the archive's name, as `files` has them. Throws HostReadFailed, HostWriteFailed.
std::vector<std::string> models_in_archive(FileSet& files, const std::string& name, Archive& archive);

}  // namespace mo
