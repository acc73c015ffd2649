// A model on the command line as a file and its folder, which may be in an archive.
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.h"
#include "core/cli/disk_files.h"

namespace mo {

/// NoSuchModel: there is nothing at a path of the command line.
Error no_such_model(std::string_view path);

class ModelSource {
 public:
  /// "-" is the standard input: its regular file, or a copy of what comes through a pipe, in a temporary file that
  /// disappears with this process. An archive is the model in it; the path of a file or folder in it names one of
  /// several. Throws NoSuchModel, HostReadFailed, HostWriteFailed.
  explicit ModelSource(const std::string& path);

  /// The model's files, by names that begin at its folder. The standard input has no folder.
  DiskFiles files() const;
  std::string folder() const { return os::folder_of(path_); }
  std::string file() const { return os::name_of(path_); }
  /// Opens the model, or its archive.
  std::string path() const {
    if (input_.is_open()) return input_.path_to_open();
    return archive_ ? archive_->path() : os::join(folder(), file());
  }
  bool is_in_archive() const { return archive_ != nullptr; }
  /// The name of the IR if the user has given none, for a model that was found in an archive; "" for other models.
  const std::string& name_in_archive() const { return name_in_archive_; }

 private:
  void look_into_archive(const std::string& path);

  std::string path_;  ///< that of the standard input is a mere name
  std::string name_in_archive_;
  os::File input_{-1};
  std::shared_ptr<Archive> archive_;  ///< of the model, or null
};

}  // namespace mo
