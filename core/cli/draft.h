// A file that is written completely or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/files.h"
#include "core/cli/disk_files.h"
#include "core/cli/write_behind.h"

namespace mo {

/// A temporary file next to its target; deleted unless published. Everything throws HostWriteFailed.
class Draft {
 public:
  static constexpr size_t kBuffer = WriteBehind::kBuffer;

  explicit Draft(std::string target);
  ~Draft();
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;

  /// Up to `n` bytes at the end of the file, at least one, for the caller to fill.
  std::span<std::byte> room(uint64_t n);
  void write(std::span<const std::byte> bytes);
  void write(std::string_view text) { write(std::as_bytes(std::span(text))); }
  /// Copies a range of a file, from buffer to buffer. copy_file_range takes more time, because weights begin at any
  /// byte, so that no page of the .bin is one of the model. Throws HostReadFailed, too.
  void copy(DiskFile& source, uint64_t offset, uint64_t size);
  void close();
  /// Puts the file, which is closed, into the place of its target.
  void publish();

 private:
  void flush();

  std::string target_, path_;
  os::File file_;
  WriteBehind writer_{file_};
  size_t used_ = 0;
  ReadAhead ahead_;
  bool published_ = false;
};

/// The name of a file while `process` writes it.
std::string draft_path(const std::string& target, int64_t process);

/// Throws HostWriteFailed for `path`, with what the operating system says of `error`, a number of errno.
[[noreturn]] void fail_to_write(const std::string& path, int error);

/// Writes a text file completely or not at all. Throws HostWriteFailed.
void write_text_file(const std::string& path, std::string_view text);

}  // namespace mo
