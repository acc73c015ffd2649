// Bytes in memory as the only file of a file set.
#pragma once

#include <cstring>

#include "core/mo.h"

namespace mo {

/// The bytes have to outlive it. Any name opens it.
class MemoryFile final : public FileSet, public ByteSource {
 public:
  explicit MemoryFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  ByteSource* open(std::string_view) override { return this; }
  uint64_t size() const override { return bytes_.size(); }
  void read(uint64_t offset, std::span<std::byte> out) override {
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace mo
