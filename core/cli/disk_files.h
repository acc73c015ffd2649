// Files of a folder, read with pread; weights are never mapped.
#pragma once

#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <memory>

#include "core/mo.h"

namespace mo {

class DiskFile final : public ByteSource {
 public:
  /// Takes ownership of the descriptor.
  DiskFile(int descriptor, const struct stat& status, std::string name);
  ~DiskFile() override;
  DiskFile(const DiskFile&) = delete;
  DiskFile& operator=(const DiskFile&) = delete;

  uint64_t size() const override { return size_; }
  void read(uint64_t offset, std::span<std::byte> out) override;
  /// Whether `path` is this file, unchanged since it was opened.
  bool is_as_opened(const std::filesystem::path& path) const;

 private:
  int descriptor_;
  uint64_t size_;
  std::string name_;
  struct stat status_;
};

class DiskFiles final : public FileSet {
 public:
  explicit DiskFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Throws HostReadFailed for a file that exists but cannot be opened or is not regular.
  DiskFile* open(std::string_view name) override;
  /// Links count as their targets. Throws HostReadFailed for a folder that cannot be read.
  std::vector<std::string> list(std::string_view folder) override;
  std::filesystem::path path(std::string_view name) const { return folder_ / name; }
  /// Of all files opened so far, in order.
  std::vector<std::string> names() const;
  /// Whether all files opened so far are as they were then.
  bool are_as_opened() const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<DiskFile>, std::less<>> files_;
};

}  // namespace mo
