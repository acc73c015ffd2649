// Files of a folder, and of archives in which they lie, read at any place; weights are never mapped.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/cli/archive/archive.h"
#include "core/cli/disk_file.h"
#include "core/cli/system/files.h"
#include "core/mo.h"

namespace mo {

class DiskFiles final : public FileSet {
 public:
  /// Any files, by paths that begin at `folder`.
  explicit DiskFiles(std::string folder) : folder_(std::move(folder)) {}
  /// The files of the model `main`, a file or a folder in `folder`: it has to have what it names by relative paths,
  /// behind all links.
  DiskFiles(std::string folder, std::string main) : folder_(std::move(folder)), main_(std::move(main)) {}
  /// The same for a model in an archive: `folder` is that of the archive, or begins with the archive's path.
  DiskFiles(std::string folder, std::string main, std::shared_ptr<Archive> archive)
      : folder_(std::move(folder)), main_(std::move(main)), archives_{std::move(archive)}, is_in_archive_(true) {}
  /// A model without a folder. What it names does not exist.
  DiskFiles(std::string main, os::File file);

  /// An absolute path may lead into an archive; one that the model names only into its own. Throws DataPathRefused for
  /// a file outside the model's folder, HostReadFailed for one that exists but cannot be opened or is not regular.
  ByteSource* open(std::string_view name) override;
  /// Links count as their targets; those that lead outside the model's folder are left out. Throws HostReadFailed for a
  /// folder that cannot be read.
  std::vector<std::string> list(std::string_view folder) override;
  std::string path(std::string_view name) const { return os::join(folder_, name); }
  /// Ends all reading: what open() gave is gone. Windows replaces no file that is open.
  void close() {
    files_.clear();
    archives_.clear();
  }
  /// Of all files opened so far, in order; without those of archives.
  std::vector<std::string> names() const;
  /// Throws HostWriteFailed if `path`, which is to be written, is one of them or an archive.
  void refuse_own(const std::string& path) const;
  /// Whether all files opened so far are as they were then.
  bool are_as_opened() const { return !changed(); }
  /// Throws HostReadFailed unless they are.
  void refuse_changed() const;

 private:
  bool is_confined(std::string_view name) const { return main_ && *main_ != name && !os::is_absolute(name); }
  bool is_inside(const std::string& real);
  bool is_as_opened(const std::string& name, const DiskFile& file) const;
  std::optional<std::string> changed() const;
  DiskFile* add(std::string_view name, os::File file);
  Archive* archive_for(std::string_view name, bool may_open);

  std::string folder_;
  std::optional<std::string> main_;
  std::vector<std::shared_ptr<Archive>> archives_;
  bool has_folder_ = true, is_in_archive_ = false;
  std::optional<std::vector<std::string>> roots_;  ///< the real folders that may have what the model names
  std::map<std::string, std::unique_ptr<DiskFile>, std::less<>> files_;
};

/// The content of a file. nullopt with errno if it is not one, cannot be read, or is larger than `most` bytes.
std::optional<std::string> text_of_file(const std::string& path, uint64_t most = UINT64_MAX);

}  // namespace mo
