#include "core/cli/write_behind.h"

#include <cerrno>
#include <system_error>

#include "core/cli/system/leftovers.h"

namespace mo {

std::span<std::byte> WriteBehind::buffer() {
  if (!current_.empty()) return current_;
  if (writer_.joinable()) {
    std::unique_lock lock(mutex_);
    if (given_ - written_ == kBuffers) changed_.wait(lock, [&] { return given_ - written_ <= kHandover; });
  }
  return current_ = buffers_[given_ % kBuffers].get(kBuffer);
}

int WriteBehind::write(size_t size) {
  const std::span<std::byte> bytes = buffer().first(size);
  current_ = {};
  if (!writer_.joinable() && (given_ < kBuffers || !start())) {
    if (error_ == 0 && !file_.write(bytes)) error_ = errno;
    ++given_, ++written_;
    return error_;
  }
  {
    const std::lock_guard lock(mutex_);
    sizes_[given_++ % kBuffers] = size;
    if (given_ - written_ != kHandover) return error_;
  }
  changed_.notify_all();
  return error_;
}

/// False where the system has no thread to give.
bool WriteBehind::start() {
  const os::Uninterrupted section;
  try {
    writer_ = std::thread([this] { run(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

int WriteBehind::finish() {
  if (writer_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    writer_.join();
  }
  return error_;
}

void WriteBehind::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (written_ == given_) changed_.wait(lock, [&] { return ended_ || given_ - written_ >= kHandover; });
    if (written_ == given_) return;
    const size_t at = written_ % kBuffers;
    const std::span<std::byte> bytes = buffers_[at].get(kBuffer).first(sizes_[at]);
    lock.unlock();
    if (error_ == 0 && !file_.write(bytes)) error_ = errno;
    lock.lock();
    ++written_;
    if (given_ - written_ == kHandover) changed_.notify_all();
  }
}

}  // namespace mo
