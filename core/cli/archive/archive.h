// Paths that lead into archives: "models.zip/a/model.onnx".
#pragma once

#include <memory>

#include "core/cli/archive/archive_files.h"

namespace mo {

/// An archive that is open. Paths of its files begin with its own.
class Archive {
 public:
  /// `path` is where the archive is; that of the standard input is a mere name.
  Archive(std::string path, os::File file, bool is_on_disk = true);

  const std::string& path() const { return path_; }
  ArchiveFiles& files() { return files_; }
  /// Whether `path` is the archive's, or begins with it.
  bool has(std::string_view path) const;
  /// The path, which it has, without the archive's and separators between them; "" for the archive itself.
  std::string inside(std::string_view path) const;
  /// As FileSet does it, for paths that it has.
  ByteSource* open(std::string_view path) { return files_.open(inside(path)); }
  std::vector<std::string> list(std::string_view path) { return files_.list(inside(path)); }
  /// Whether it is as it was when it was opened.
  bool is_as_opened() const { return is_on_disk_ ? files_.is_as_opened(path_) : files_.is_unchanged(); }
  bool is_file(const std::string& path) const { return is_on_disk_ && os::same_file(path_, path); }

 private:
  std::string path_;
  bool is_on_disk_;
  ArchiveFiles files_;
};

/// The archive at `path`, which is absolute, or that into which it leads. Null if there is none. Throws HostReadFailed
/// and HostWriteFailed for an archive that cannot be read.
std::shared_ptr<Archive> archive_on(const std::string& path);

/// The archive of the standard input, or null if that is none.
std::shared_ptr<Archive> archive_of_input(const os::File& input, const std::string& name);

/// The file on disk that has what `path` leads to: `path` itself, or the archive in which there is such a file or
/// folder. "" if there is neither.
std::string file_on_disk(const std::string& path);

}  // namespace mo
