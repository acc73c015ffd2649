#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <utility>

#include "core/cli/system/files.h"

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
File File::create(const std::string& path) {
  return File(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
}
File File::standard_input() { return File(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)); }
File::File(File&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

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

bool File::write(std::span<const std::byte> bytes) const {
  while (!bytes.empty()) {
    const ptrdiff_t put = again([&] { return ::write(static_cast<int>(handle_), bytes.data(), bytes.size()); });
    if (put < 0) return false;
    bytes = bytes.subspan(static_cast<size_t>(put));
  }
  return true;
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

std::string path_of_standard_input() {
  struct stat status;
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) ? "/dev/stdin" : "";
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

bool rename(const std::string& from, const std::string& to) { return ::rename(from.c_str(), to.c_str()) == 0; }

bool remove(const std::string& path) { return ::unlink(path.c_str()) == 0 || ::rmdir(path.c_str()) == 0; }

bool make_folders(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return is_good(error);
}

std::string make_temporary_folder() {
  std::error_code error;
  std::string folder = (fs::temp_directory_path(error) / "mo-XXXXXX").string();
  return is_good(error) && ::mkdtemp(folder.data()) ? folder : std::string();
}

}  // namespace mo::os
