// A model on the command line as a file and its folder.
#pragma once

#include <string>

#include "core/cli/disk_files.h"

namespace mo {

class ModelSource {
 public:
  /// "-" is the standard input: its regular file, or a copy of what comes through a pipe, in a temporary file that
  /// disappears with this process. Throws NoSuchModel, HostReadFailed, HostWriteFailed.
  explicit ModelSource(const std::string& path);

  /// The model's files, by names that begin at its folder. The standard input has no folder.
  DiskFiles files() const;
  std::string folder() const { return os::folder_of(path_); }
  std::string file() const { return os::name_of(path_); }
  /// Opens the model.
  std::string path() const { return input_.is_open() ? input_.path_to_open() : os::join(folder(), file()); }

 private:
  std::string path_;  ///< that of the standard input is a mere name
  os::File input_{-1};
};

}  // namespace mo
