// A file that is written completely or not at all.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/files.h"
#include "core/cli/disk_files.h"
#include "core/cli/system/leftovers.h"
#include "core/cli/write_behind.h"

namespace mo {

/// Whether a file waits for the disk before it gets its name, and its name before anything that comes after it: then it
/// is whole after a loss of power, too.
enum class Fsync : bool { No, Yes };

/// A file in the folder of its target that has no name until it is published, where the system can do that; elsewhere
/// it has a temporary name, and is removed unless published, by signals too. It is locked, so that other processes know
/// it from what a process that was killed has left: the first draft of a folder removes that. Everything throws
/// HostWriteFailed.
class Draft {
 public:
  static constexpr size_t kBuffer = WriteBehind::kBuffer;

  Draft(std::string target, Fsync fsync);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Up to `n` bytes at the end of the file, at least one, for the caller to fill.
  std::span<std::byte> room(uint64_t n);
  /// The most that room() gives.
  size_t most_room() const { return used_ == kBuffer ? kBuffer : kBuffer - used_; }
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// Copies a range of a file, from buffer to buffer. copy_file_range takes more time, because weights begin at any
  /// byte, so that no page of the .bin is one of the model. Throws HostReadFailed, too.
  void copy(ByteSource& source, uint64_t offset, uint64_t size);
  /// Ends the writing.
  void close();
  /// Puts the file, to which everything is written, into the place of its target.
  void publish();
  /// Waits until the name that it has got is on the disk, if that is wanted.
  void sync_name() const;
  bool is_published() const { return published_; }

 private:
  void open(const std::string& folder);
  void flush();

  Fsync fsync_;
  std::string target_, path_;  ///< `path_`: the temporary name, "" while it has none
  std::optional<os::Leftover> leftover_;
  os::File file_{-1};
  WriteBehind writer_{file_};
  size_t used_ = 0;
  ReadAhead ahead_;
  bool published_ = false;
};

/// A name in `folder` for what is on its way. `ending` is one of those below.
std::string draft_path(const std::string& folder, std::string_view ending);
inline constexpr std::string_view kDraftEnding = ".part", kAsideEnding = ".old";

/// Removes what has such a name in `folder` and belongs to no process that runs.
void remove_left_drafts(const std::string& folder);

/// Throws HostWriteFailed for `path`, with what the operating system says of `error`, a number of errno.
[[noreturn]] void fail_to_write(const std::string& path, int error);

/// Waits until the names in the folder of `path` are on the disk, if that is wanted. Throws HostWriteFailed.
void sync_name(const std::string& path, Fsync fsync);

/// Writes a text file completely or not at all. Throws HostWriteFailed.
void write_text_file(const std::string& path, std::string_view text, Fsync fsync);

}  // namespace mo
