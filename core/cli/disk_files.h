// Files of a folder, read at any place; weights are never mapped.
#pragma once

#include <map>
#include <memory>
#include <optional>

#include "core/cli/system/files.h"
#include "core/mo.h"

namespace mo {

class DiskFile final : public ByteSource {
 public:
  DiskFile(os::File file, const os::FileState& state, std::string name)
      : file_(std::move(file)), state_(state), name_(std::move(name)) {}

  uint64_t size() const override { return state_.size; }
  void read(uint64_t offset, std::span<std::byte> out) override;
  /// Whether nothing has happened to it since it was opened.
  bool is_unchanged() const { return file_.state() == state_; }
  /// Whether `path` is this file, unchanged since it was opened.
  bool is_as_opened(const std::string& path) const { return os::state_of(path) == state_; }

 private:
  os::File file_;
  os::FileState state_;
  std::string name_;
};

class DiskFiles final : public FileSet {
 public:
  /// Any files, by paths that begin at `folder`.
  explicit DiskFiles(std::string folder) : folder_(std::move(folder)) {}
  /// The files of the model `main`, a file or a folder in `folder`: it has to have what it names by relative paths,
  /// behind all links.
  DiskFiles(std::string folder, std::string main) : folder_(std::move(folder)), main_(std::move(main)) {}
  /// A model without a folder. What it names does not exist.
  DiskFiles(std::string main, os::File file);

  /// Throws DataPathRefused for a file outside the model's folder, HostReadFailed for one that exists but cannot be
  /// opened or is not regular.
  DiskFile* open(std::string_view name) override;
  /// Links count as their targets; those that lead outside the model's folder are left out. Throws HostReadFailed for a
  /// folder that cannot be read.
  std::vector<std::string> list(std::string_view folder) override;
  std::string path(std::string_view name) const { return os::join(folder_, name); }
  /// Ends all reading: what open() gave is gone. Windows replaces no file that is open.
  void close() { files_.clear(); }
  /// Of all files opened so far, in order.
  std::vector<std::string> names() const;
  /// Throws HostWriteFailed if `path`, which is to be written, is one of them.
  void refuse_own(const std::string& path) const;
  /// Whether all files opened so far are as they were then.
  bool are_as_opened() const;
  /// Throws HostReadFailed unless they are.
  void refuse_changed() const;

 private:
  bool is_confined(std::string_view name) const { return main_ && *main_ != name && !os::is_absolute(name); }
  bool is_inside(const std::string& real);
  bool is_as_opened(const std::string& name, const DiskFile& file) const;
  DiskFile* add(std::string_view name, os::File file);

  std::string folder_;
  std::optional<std::string> main_;
  bool has_folder_ = true;
  std::optional<std::vector<std::string>> roots_;  ///< the real folders that may have what the model names
  std::map<std::string, std::unique_ptr<DiskFile>, std::less<>> files_;
};

/// The content of a file. nullopt with errno if it is not one, cannot be read, or is larger than `most` bytes.
std::optional<std::string> text_of_file(const std::string& path, uint64_t most = UINT64_MAX);

}  // namespace mo
