#include "core/cli/system/files.h"

namespace mo::os {

bool exists(const std::string& path) { return state_of(path).has_value(); }

bool is_folder(const std::string& path) {
  const std::optional<FileState> state = state_of(path);
  return state && state->kind == FileState::Kind::Folder;
}

bool same_file(const std::string& a, const std::string& b) {
  const std::optional<FileState> first = state_of(a), second = state_of(b);
  return first && second && first->device == second->device && first->id == second->id;
}

}  // namespace mo::os
