// A file that is read at any place; it is never mapped.
#pragma once

#include <string>

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

}  // namespace mo
