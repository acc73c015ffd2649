// Which files and folders of an archive are models.
#pragma once

#include "core/mo.h"

namespace mo {

class Archive;

/// The paths of all models in an archive, sorted: folders that a format claims, and files that a format recognises
/// where they have an ending of its files, or where no file has one. Paths begin with the archive's name, as `files`
/// has them.
std::vector<std::string> models_in_archive(FileSet& files, const std::string& name, Archive& archive);

}  // namespace mo
