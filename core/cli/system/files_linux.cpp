#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "core/cli/system/files.h"
#include "core/cli/system/leftovers.h"

namespace mo::os {
namespace {

namespace fs = std::filesystem;

FileState state_from(const struct stat& status) {
  using Kind = FileState::Kind;
  return {.kind = S_ISREG(status.st_mode)   ? Kind::File
                  : S_ISDIR(status.st_mode) ? Kind::Folder
                                            : Kind::Other,
          .size = static_cast<uint64_t>(status.st_size),
          .device = status.st_dev,
          .id = status.st_ino,
          .changed = status.st_ctim.tv_sec * 1'000'000'000 + status.st_ctim.tv_nsec};
}

/// Calls a function of the system again if a signal has interrupted it.
template <typename Call>
ptrdiff_t again(const Call& call) {
  ptrdiff_t result;
  do result = call();
  while (result < 0 && errno == EINTR);
  return result;
}

bool is_good(const std::error_code& error) {
  if (error) errno = error.value();
  return !error;
}

/// The name that the system has for an open file.
std::string name_of_handle(intptr_t handle) { return "/proc/self/fd/" + std::to_string(handle); }

/// Locks a file that has just been opened. False if another process has the lock. Some file systems have no locks.
bool lock_file(intptr_t handle) {
  return ::flock(static_cast<int>(handle), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// A file that lasts as long as it is open.
intptr_t open_unnamed(const std::string& folder, mode_t mode) {
  return ::open(folder.empty() ? "." : folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
}

}  // namespace

std::string join(const std::string& folder, std::string_view name) { return (fs::path(folder) / name).string(); }
std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }
bool is_absolute(std::string_view path) { return path.starts_with('/'); }
std::string folder_of(const std::string& path) { return fs::path(path).parent_path().string(); }
std::string name_of(const std::string& path) { return fs::path(path).filename().string(); }

std::string real(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return is_good(error) ? real.string() : std::string();
}

// O_NONBLOCK: opening a named pipe does not wait for a writer. Callers refuse it then, because it cannot be read at any
// offset.
File File::open(const std::string& path) { return File(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)); }

File File::create_new(const std::string& path) {
  File file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  struct stat status;
  // Before it was locked it may have been taken for a file that nobody needs.
  if (file.is_open() &&
      (!lock_file(file.handle_) || ::fstat(static_cast<int>(file.handle_), &status) != 0 || status.st_nlink == 0)) {
    file.close();
    errno = EAGAIN;
  }
  return file;
}

// The file can get a name later only where there is /proc.
File File::create_unnamed(const std::string& folder) {
  File file(open_unnamed(folder, 0666));
  if (file.is_open() && (::access(name_of_handle(file.handle_).c_str(), F_OK) != 0 || !lock_file(file.handle_)))
    file.close();
  return file;
}

File File::open_locked(const std::string& path) {
  File file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.is_open() && !lock_file(file.handle_)) file.close();
  return file;
}

File File::lock_folder(const std::string& folder) {
  File file(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file.is_open()) again([&] { return ::flock(static_cast<int>(file.handle_), LOCK_EX); });
  return file;
}

File File::temporary() {
  std::error_code error;
  const fs::path folder = fs::temp_directory_path(error);
  if (!is_good(error)) return File(-1);
  if (File file(open_unnamed(folder.string(), 0600)); file.is_open()) return file;
  const Uninterrupted section;
  std::string path = (folder / "mo-XXXXXX").string();
  File file(::mkostemp(path.data(), O_CLOEXEC));
  if (file.is_open()) ::unlink(path.c_str());
  return file;
}

File File::standard_input() { return File(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)); }
File File::duplicate() const { return File(::fcntl(static_cast<int>(handle_), F_DUPFD_CLOEXEC, 0)); }
std::string File::path_to_open() const { return name_of_handle(handle_); }

std::optional<FileState> File::state() const {
  struct stat status;
  if (::fstat(static_cast<int>(handle_), &status) != 0) return std::nullopt;
  return state_from(status);
}

ptrdiff_t File::read_at(uint64_t offset, std::span<std::byte> out) const {
  return again([&] { return ::pread(static_cast<int>(handle_), out.data(), out.size(), static_cast<off_t>(offset)); });
}

ptrdiff_t File::read(std::span<std::byte> out) const {
  return again([&] { return ::read(static_cast<int>(handle_), out.data(), out.size()); });
}

bool File::write_at(uint64_t offset, std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ptrdiff_t put = again(
        [&] { return ::pwrite(static_cast<int>(handle_), bytes.data(), bytes.size(), static_cast<off_t>(offset)); });
    if (put < 0) return false;
    offset += static_cast<uint64_t>(put);
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return true;
}

bool File::write(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ptrdiff_t put = again([&] { return ::write(static_cast<int>(handle_), bytes.data(), bytes.size()); });
    if (put < 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return true;
}

std::string File::real_path() const {
  char path[PATH_MAX];
  const ssize_t size = ::readlink(name_of_handle(handle_).c_str(), path, sizeof path);
  // What is no file of a folder, as a pipe, has a name of another form.
  return size > 0 && size < PATH_MAX && path[0] == '/' ? std::string(path, static_cast<size_t>(size)) : std::string();
}

bool File::give_name(const std::string& path) const {
  return ::linkat(AT_FDCWD, name_of_handle(handle_).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

// Each close() of a file of another machine waits for what has been written.
bool File::has_arrived() const { return duplicate().close(); }
bool File::sync() const {
  return again([&] { return ::fsync(static_cast<int>(handle_)); }) == 0;
}

bool File::close() {
  const intptr_t handle = std::exchange(handle_, -1);
  return handle == -1 || ::close(static_cast<int>(handle)) == 0;
}

std::optional<FileState> state_of(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return state_from(status);
}

bool standard_input_is_file() {
  struct stat status;
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

bool can_write_into(const std::string& folder) { return ::access(folder.c_str(), W_OK) == 0; }

std::optional<std::vector<Entry>> entries_of(const std::string& folder) {
  std::vector<Entry> entries;
  std::error_code failure, ignored;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
    using Kind = FileState::Kind;
    const fs::file_status status = entry->status(ignored);
    const Kind kind = fs::is_regular_file(status) ? Kind::File : fs::is_directory(status) ? Kind::Folder : Kind::Other;
    entries.push_back({entry->path().filename().string(), kind, entry->is_symlink(ignored)});
  }
  if (!is_good(failure)) return std::nullopt;
  return entries;
}

std::optional<std::vector<std::string>> names_in(const std::string& folder) {
  DIR* opened = ::opendir(folder.empty() ? "." : folder.c_str());
  if (!opened) return std::nullopt;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(opened)) names.emplace_back(entry->d_name);
  ::closedir(opened);
  return names;
}

bool is_special(const std::string& path) {
  struct stat status;
  if (::lstat(path.c_str(), &status) != 0) return false;
  return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISLNK(status.st_mode);
}

bool rename(const std::string& from, const std::string& to) { return ::rename(from.c_str(), to.c_str()) == 0; }

bool remove(const std::string& path) { return ::unlink(path.c_str()) == 0 || ::rmdir(path.c_str()) == 0; }

void remove_unlocked(const std::string& path) {
  const intptr_t handle = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  const File file(handle);
  struct stat opened, named;
  if (!file.is_open() || ::fstat(static_cast<int>(handle), &opened) != 0 || !S_ISREG(opened.st_mode)) return;
  if (opened.st_uid != ::geteuid() || ::flock(static_cast<int>(handle), LOCK_EX | LOCK_NB) != 0) return;
  if (::lstat(path.c_str(), &named) == 0 && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino)
    ::unlink(path.c_str());
}

// EINVAL: the file system has no such call for folders.
bool sync_folder(const std::string& folder) {
  const File file = File::open(folder.empty() ? "." : folder);
  return file.is_open() && (file.sync() || errno == EINVAL);
}

bool make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return is_good(error);
}

}  // namespace mo::os
