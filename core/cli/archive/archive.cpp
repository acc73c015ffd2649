#include "core/cli/archive/archive.h"

#include "core/base/error.h"
#include "core/cli/archive/archive_kind.h"

namespace mo {
namespace {

ArchiveKind kind_of(const os::File& file) {
  std::vector<std::byte> head(4096);
  size_t size = 0;
  while (size < head.size()) {
    const ptrdiff_t got = file.read_at(size, std::span(head).subspan(size));
    if (got <= 0) break;  // who reads the file says why it cannot be read
    size += static_cast<size_t>(got);
  }
  return archive_kind(std::span(head).first(size));
}

/// Null if the file is no archive.
std::shared_ptr<Archive> opened(const std::string& path, os::File file, bool is_on_disk) {
  const ArchiveKind kind = kind_of(file);
  if (kind == ArchiveKind::None) return nullptr;
  try {
    auto archive = std::make_shared<Archive>(path, std::move(file), is_on_disk);
    return kind != ArchiveKind::Program || archive->files().has_packed() ? archive : nullptr;
  } catch (const Error& error) {
    if (kind != ArchiveKind::Program || error.code() != Code::HostReadFailed) throw;
    return nullptr;  // the core says what is wrong with it
  }
}

bool is_separator(char c) { return c == '/' || c == '\\'; }

}  // namespace

Archive::Archive(std::string path, os::File file, bool is_on_disk)
    : path_(std::move(path)), is_on_disk_(is_on_disk), files_(std::move(file), os::name_of(path_)) {}

bool Archive::has(std::string_view path) const {
  return path.starts_with(path_) && (path.size() == path_.size() || is_separator(path[path_.size()]));
}

std::string Archive::inside(std::string_view path) const {
  path.remove_prefix(path_.size());
  while (!path.empty() && is_separator(path.front())) path.remove_prefix(1);
  return std::string(path);
}

std::shared_ptr<Archive> archive_on(const std::string& path) {
  // Options are looked at before the conversion, and may name files of the model's own archive.
  static std::shared_ptr<Archive>& last = *new std::shared_ptr<Archive>;
  for (std::string at = path, above;; at = above) {
    if (const std::optional<os::FileState> state = os::state_of(at)) {
      if (state->kind != os::FileState::Kind::File) return nullptr;
      if (last && last->path() == at && last->is_as_opened()) return last;
      os::File file = os::File::open(at);
      if (!file.is_open()) return nullptr;
      std::shared_ptr<Archive> archive = opened(at, std::move(file), true);
      if (archive) last = archive;
      return archive;
    }
    above = os::folder_of(at);
    if (above.empty() || above == at) return nullptr;
  }
}

std::shared_ptr<Archive> archive_of_input(const os::File& input, const std::string& name) {
  return opened(name, input.duplicate(), false);
}

std::string file_on_disk(const std::string& path) {
  if (os::exists(path)) return path;
  const std::string absolute = os::absolute(path);
  const std::shared_ptr<Archive> archive = archive_on(absolute);
  return archive && (archive->open(absolute) || !archive->list(absolute).empty()) ? archive->path() : std::string();
}

}  // namespace mo
