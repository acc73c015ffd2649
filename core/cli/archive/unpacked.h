// Where unpacked files lie: one after the other in a temporary file, which has no name and disappears with this
// process, however that ends.
#pragma once

#include "core/cli/system/files.h"

namespace mo {

class Unpacked {
 public:
  /// Where the next bytes come.
  uint64_t end() const { return end_; }
  /// Throws HostWriteFailed.
  void append(std::span<const std::byte> bytes);
  /// Throws HostReadFailed. The caller ensures that the range was written.
  void read(uint64_t offset, std::span<std::byte> out) const;

 private:
  os::File file_{-1};
  uint64_t end_ = 0;
};

}  // namespace mo
