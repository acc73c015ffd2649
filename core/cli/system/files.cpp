#include "core/cli/system/files.h"

#include <random>

namespace mo::os {

File& File::operator=(File&& other) noexcept {
  close();
  handle_ = std::exchange(other.handle_, -1);
  return *this;
}

bool exists(const std::string& path) { return state_of(path).has_value(); }

bool is_folder(const std::string& path) {
  const std::optional<FileState> state = state_of(path);
  return state && state->kind == FileState::Kind::Folder;
}

bool same_file(const std::string& a, const std::string& b) {
  const std::optional<FileState> first = state_of(a), second = state_of(b);
  return first && second && first->device == second->device && first->id == second->id;
}

std::string random_digits() {
  std::random_device source;
  std::string digits;
  while (digits.size() < 32)
    for (unsigned value = source(), i = 0; i < 8; ++i, value >>= 4) digits += "0123456789abcdef"[value & 15];
  return digits;
}

}  // namespace mo::os
