#include "core/cli/disk_files.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"
#include "core/base/link_refused.h"

namespace mo {
namespace {

/// The path behind all links of what `path` leads to; "" if it leads to nothing.
std::string real_path(const std::string& path, const os::File& opened) {
  std::string real = opened.is_open() ? opened.real_path() : std::string();
  if (!real.empty()) return real;
  // Where the system does not say it, the path may lead to something else by now.
  real = os::real(path);
  const auto state = opened.is_open() ? opened.state() : os::state_of(path), found = os::state_of(real);
  return state && found && state->device == found->device && state->id == found->id ? real : std::string();
}

std::string real_path(const std::string& path) { return real_path(path, os::File::open(path)); }

bool lies_below(const std::string& path, const std::string& folder) {
  if (folder.empty() || !path.starts_with(folder)) return false;
  const auto is_separator = [](char c) { return c == '/' || c == '\\'; };
  return is_separator(folder.back()) || (path.size() > folder.size() && is_separator(path[folder.size()]));
}

/// Whether a link in a folder leads to that folder or to one above it: what is below would come again and again.
bool leads_back(const std::string& folder, const std::string& name) {
  const std::string real = os::real(os::join(folder, name));
  for (std::string at = os::absolute(folder);; at = os::folder_of(at)) {
    if (os::real(at) == real) return true;
    if (os::folder_of(at) == at) return false;
  }
}

/// Where the cache of a hub has the contents of files: CACHE/snapshots/REVISION consists of links to CACHE/blobs. ""
/// for a folder of no cache.
std::string blobs_of(const std::string& folder) {
  for (std::string at = folder, above; !at.empty() && (above = os::folder_of(at)) != at; at = above)
    if (os::name_of(above) == "snapshots") return os::join(os::folder_of(above), "blobs");
  return {};
}

/// The real folders that may have what a model names: its own, and that of the file behind its main file's links.
std::vector<std::string> roots_of(const std::string& folder, const std::string& main) {
  const std::string path = os::join(folder, main);
  if (!os::is_folder(path)) return {real_path(folder.empty() ? "." : folder), os::folder_of(real_path(path))};
  const std::string real = real_path(path);
  return {real, blobs_of(real)};
}

}  // namespace

DiskFiles::DiskFiles(std::string main, os::File file) : main_(std::move(main)), has_folder_(false) {
  add(*main_, std::move(file));
}

ByteSource* DiskFiles::open(std::string_view name) {
  if (const auto found = files_.find(name); found != files_.end()) return found->second.get();
  if (Archive* archive = archive_for(name, false)) return archive->open(path(name));
  if (is_in_archive_ && !os::is_absolute(name)) return nullptr;
  if (!has_folder_ && !os::is_absolute(name)) return nullptr;
  const std::string path = this->path(name);
  os::File file = os::File::open(path);
  if (!file.is_open()) {
    if (errno != ENOENT && errno != ENOTDIR)
      throw Error(Code::HostReadFailed, msg(std::strerror(errno)), {.file = std::string(name)});
    Archive* archive = archive_for(name, true);
    return archive ? archive->open(path) : nullptr;
  }
  if (is_confined(name) && !is_inside(real_path(path, file))) throw link_refused(std::string(name));
  return add(name, std::move(file));
}

/// The archive into which a name leads; null if it leads into none.
Archive* DiskFiles::archive_for(std::string_view name, bool may_open) {
  const std::string path = this->path(name);
  for (const std::shared_ptr<Archive>& archive : archives_)
    if (archive->has(path)) return archive.get();
  if (!may_open || !os::is_absolute(name)) return nullptr;
  std::shared_ptr<Archive> archive = archive_on(path);
  return archive ? archives_.emplace_back(std::move(archive)).get() : nullptr;
}

/// Keeps an open file. Throws HostReadFailed if it is not regular.
DiskFile* DiskFiles::add(std::string_view name, os::File file) {
  const std::optional<os::FileState> state = file.state();
  if (!state || state->kind != os::FileState::Kind::File)
    throw Error(Code::HostReadFailed, "not a regular file", {.file = std::string(name)});
  auto opened = std::make_unique<DiskFile>(std::move(file), *state, std::string(name));
  return files_.emplace(name, std::move(opened)).first->second.get();
}

bool DiskFiles::is_inside(const std::string& real) {
  if (!roots_) roots_ = roots_of(folder_, *main_);
  return std::any_of(roots_->begin(), roots_->end(), [&](const std::string& root) { return lies_below(real, root); });
}

std::vector<std::string> DiskFiles::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

void DiskFiles::refuse_own(const std::string& path) const {
  const bool is_file = std::any_of(files_.begin(), files_.end(),
                                   [&](const auto& file) { return os::same_file(this->path(file.first), path); });
  const bool is_archive =
      std::any_of(archives_.begin(), archives_.end(), [&](const auto& archive) { return archive->is_file(path); });
  if (is_file || is_archive)
    throw Error(Code::HostWriteFailed, "it is a file of the model", {.file = path},
                "choose another --model_name or --output_dir");
}

bool DiskFiles::is_as_opened(const std::string& name, const DiskFile& file) const {
  return has_folder_ || os::is_absolute(name) ? file.is_as_opened(path(name)) : file.is_unchanged();
}

std::optional<std::string> DiskFiles::changed() const {
  for (const auto& [name, file] : files_)
    if (!is_as_opened(name, *file)) return name;
  for (const std::shared_ptr<Archive>& archive : archives_)
    if (!archive->is_as_opened()) return os::name_of(archive->path());
  return std::nullopt;
}

void DiskFiles::refuse_changed() const {
  if (const std::optional<std::string> name = changed())
    throw Error(Code::HostReadFailed, "it has changed while it was read", {.file = *name},
                "convert it again when nothing writes it");
}

std::vector<std::string> DiskFiles::list(std::string_view folder) {
  if (Archive* archive = archive_for(folder, false)) return archive->list(path(folder));
  if (is_in_archive_ && !os::is_absolute(folder)) return {};
  if (!has_folder_ && !os::is_absolute(folder)) return {};
  std::string path = this->path(folder);
  if (path.empty()) path = ".";
  const std::optional<std::vector<os::Entry>> entries = os::entries_of(path);
  if (!entries && errno != ENOENT && errno != ENOTDIR)
    throw Error(Code::HostReadFailed, msg(std::strerror(errno)), {.file = std::string(folder)});
  if (!entries)
    if (Archive* archive = archive_for(folder, true)) return archive->list(path);
  const bool confined = main_ && !os::is_absolute(folder);
  std::vector<std::string> names;
  for (const os::Entry& entry : entries.value_or(std::vector<os::Entry>())) {
    if (entry.kind == os::FileState::Kind::Other) continue;
    const bool is_folder = entry.kind == os::FileState::Kind::Folder;
    if (is_folder && entry.is_link && leads_back(path, entry.name)) continue;
    if (confined && entry.is_link && !is_inside(real_path(os::join(path, entry.name)))) continue;
    names.push_back(is_folder ? entry.name + "/" : entry.name);
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
