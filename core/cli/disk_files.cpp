#include "core/cli/disk_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace mo {

void DiskFile::read(uint64_t offset, std::span<std::byte> out) {
  while (!out.empty()) {
    const ptrdiff_t got = file_.read_at(offset, out);
    if (got <= 0)
      throw Error(Code::HostReadFailed, got < 0 ? std::strerror(errno) : "the file has become shorter",
                  {.file = name_, .offset = static_cast<int64_t>(offset)});
    offset += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

DiskFile* DiskFiles::open(std::string_view name) {
  if (const auto found = files_.find(name); found != files_.end()) return found->second.get();
  os::File file = os::File::open(path(name));
  if (!file.is_open()) {
    if (errno == ENOENT || errno == ENOTDIR) return nullptr;
    throw Error(Code::HostReadFailed, std::strerror(errno), {.file = std::string(name)});
  }
  const std::optional<os::FileState> state = file.state();
  if (!state || state->kind != os::FileState::Kind::File)
    throw Error(Code::HostReadFailed, "not a regular file", {.file = std::string(name)});
  auto opened = std::make_unique<DiskFile>(std::move(file), *state, std::string(name));
  return files_.emplace(name, std::move(opened)).first->second.get();
}

std::vector<std::string> DiskFiles::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

void DiskFiles::refuse_own(const std::string& path) const {
  for (const std::string& name : names())
    if (os::same_file(this->path(name), path))
      throw Error(Code::HostWriteFailed, "it is a file of the model", {.file = path},
                  "choose another --model_name or --output_dir");
}

bool DiskFiles::are_as_opened() const {
  return std::all_of(files_.begin(), files_.end(),
                     [this](const auto& file) { return file.second->is_as_opened(path(file.first)); });
}

std::vector<std::string> DiskFiles::list(std::string_view folder) {
  const std::string path = this->path(folder);
  const std::optional<std::vector<os::Entry>> entries = os::entries_of(path.empty() ? "." : path);
  if (!entries && errno != ENOENT && errno != ENOTDIR)
    throw Error(Code::HostReadFailed, std::strerror(errno), {.file = std::string(folder)});
  std::vector<std::string> names;
  for (const os::Entry& entry : entries.value_or(std::vector<os::Entry>())) {
    if (entry.kind == os::FileState::Kind::Folder) names.push_back(entry.name + "/");
    if (entry.kind == os::FileState::Kind::File) names.push_back(entry.name);
  }
  return names;
}

std::optional<std::string> text_of_file(const std::string& path, uint64_t most) {
  const os::File file = os::File::open(path);
  if (!file.is_open()) return std::nullopt;
  const std::optional<os::FileState> state = file.state();
  if (!state) return std::nullopt;
  if (state->kind != os::FileState::Kind::File || state->size > most) {
    errno = state->kind == os::FileState::Kind::Folder ? EISDIR : EIO;
    return std::nullopt;
  }
  std::string text(static_cast<size_t>(state->size), '\0');
  for (size_t done = 0; done < text.size();) {
    const ptrdiff_t got = file.read_at(done, std::as_writable_bytes(std::span(text)).subspan(done));
    if (got < 0) return std::nullopt;
    if (got == 0) text.resize(done);
    done += static_cast<size_t>(got);
  }
  return text;
}

}  // namespace mo
