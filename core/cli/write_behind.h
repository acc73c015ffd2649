// Writes a file in a thread of its own, while the caller makes what comes next.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <span>
#include <thread>

#include "core/base/scratch.h"
#include "core/cli/system/files.h"

namespace mo {

/// The bytes arrive in the file in the order in which they were given. Small files need no thread.
class WriteBehind {
 public:
  /// The size of a buffer: it fits a processor's cache. With larger ones the kernel now and then takes twice the time.
  static constexpr size_t kBuffer = 256 << 10;

  /// `file` is open until finish() has returned.
  explicit WriteBehind(const os::File& file) : file_(file) {}
  ~WriteBehind() { finish(); }
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  /// A buffer of kBuffer bytes to fill, the same until write(). Waits while all buffers are on their way.
  std::span<std::byte> buffer();
  /// Writes the first `size` bytes of the buffer, now or soon. The number of errno of what has failed until now, else
  /// 0.
  int write(size_t size);
  /// Waits until everything is written. The number of errno of the first failure, else 0.
  int finish();

 private:
  static constexpr size_t kBuffers = 4;
  /// Who has waited goes on when so many buffers are full, and the others are free: where both threads share a
  /// processor, each change between them takes a hundredth of the time that a buffer takes.
  static constexpr size_t kHandover = kBuffers / 2;

  bool start();
  void run();

  const os::File& file_;
  std::array<Scratch, kBuffers> buffers_;
  std::array<size_t, kBuffers> sizes_ = {};
  std::span<std::byte> current_;
  std::thread writer_;
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t given_ = 0, written_ = 0;  ///< buffers, counted from the beginning
  bool ended_ = false;
  std::atomic<int> error_ = 0;
};

}  // namespace mo
