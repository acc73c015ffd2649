// A file in the form in which minizip reads it.
#pragma once

#include <ioapi.h>

#include <exception>
#include <vector>

#include "core/mo.h"

namespace mo {

/// Reads a file through a small window. No exception passes through minizip: rethrow() throws what reading has thrown.
/// The end of the file is an error, too: minizip would go on with zeros.
class ZipStream {
 public:
  explicit ZipStream(ByteSource& source) : source_(source) {}

  zlib_filefunc64_def functions();
  void rethrow();
  /// Where the last jump to a place of the file led: minizip jumps so to a record of the directory, and reads it.
  uint64_t last_jump() const { return last_jump_; }

 private:
  size_t read(std::span<std::byte> out);

  ByteSource& source_;
  uint64_t at_ = 0, begin_ = 0, last_jump_ = 0;
  std::vector<std::byte> window_;
  std::exception_ptr failure_;
  bool has_ended_ = false;
};

}  // namespace mo
