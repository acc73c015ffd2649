// What is in an archive: files that can be read, and others with the reason why not.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "core/base/detail.h"

namespace mo {

/// A file in an archive. Sizes are in bytes.
struct PackedEntry {
  Detail refusal;  ///< why it cannot be read; empty if it can
  uint64_t size = 0;
  uint64_t packed = 0;     ///< its size in the archive
  uint64_t place = 0;      ///< in a tar archive, its first byte; in a zip archive, its entry in the directory
  uint64_t number = 0;     ///< in a zip archive, of its entry
  bool is_packed = false;  ///< compressed
};

/// Gathers the files of an archive. Of those with the same path the last one counts.
class Gathering {
 public:
  using Entries = std::map<std::string, PackedEntry, std::less<>>;

  /// `archive` is its name, for errors.
  explicit Gathering(std::string archive) : archive_(std::move(archive)) {}

  /// Throws HostReadFailed when there are too many.
  void add(const std::string& path, PackedEntry entry);
  /// A file that is another one of the archive. `target` is the path of that as inside_path() gives it.
  void add_link(const std::string& path, std::string target);
  /// Files that cannot be read either, for this reason.
  void refuse(const std::function<bool(const PackedEntry&)>& is_wrong, const Detail& reason);
  /// All files; links count as their targets.
  Entries finish();
  /// After finish(): a file that was left out, with the reason; "" if there is none.
  const Detail& left_out() const { return left_out_; }
  const std::string& archive() const { return archive_; }

 private:
  const PackedEntry* target_of(const std::string& path) const;

  std::string archive_;
  Detail left_out_;
  Entries entries_;
  std::map<std::string, std::string, std::less<>> links_;
  size_t count_ = 0;
};

}  // namespace mo
