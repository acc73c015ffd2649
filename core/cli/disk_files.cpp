#include "core/cli/disk_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace mo {

DiskFile::DiskFile(int descriptor, const struct stat& status, std::string name)
    : descriptor_(descriptor), size_(static_cast<uint64_t>(status.st_size)), name_(std::move(name)), status_(status) {}

DiskFile::~DiskFile() { ::close(descriptor_); }

void DiskFile::read(uint64_t offset, std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = ::pread(descriptor_, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      throw Error(Code::HostReadFailed, got < 0 ? std::strerror(errno) : "the file has become shorter",
                  {.file = name_, .offset = static_cast<int64_t>(offset)});
    offset += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

bool DiskFile::is_as_opened(const std::filesystem::path& path) const {
  struct stat now {};
  return ::stat(path.c_str(), &now) == 0 && now.st_dev == status_.st_dev && now.st_ino == status_.st_ino &&
         now.st_size == status_.st_size && now.st_ctim.tv_sec == status_.st_ctim.tv_sec &&
         now.st_ctim.tv_nsec == status_.st_ctim.tv_nsec;
}

DiskFile* DiskFiles::open(std::string_view name) {
  if (const auto found = files_.find(name); found != files_.end()) return found->second.get();
  const std::string path = (folder_ / name).string();
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return nullptr;
    throw Error(Code::HostReadFailed, std::strerror(errno), {.file = std::string(name)});
  }
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    throw Error(Code::HostReadFailed, "not a regular file", {.file = std::string(name)});
  }
  auto file = std::make_unique<DiskFile>(descriptor, status, std::string(name));
  return files_.emplace(name, std::move(file)).first->second.get();
}

std::vector<std::string> DiskFiles::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

bool DiskFiles::are_as_opened() const {
  return std::all_of(files_.begin(), files_.end(),
                     [this](const auto& file) { return file.second->is_as_opened(path(file.first)); });
}

std::vector<std::string> DiskFiles::list(std::string_view folder) {
  namespace fs = std::filesystem;
  const fs::path path = folder_ / folder;
  std::vector<std::string> names;
  std::error_code failure, ignored;
  for (fs::directory_iterator entry(path.empty() ? "." : path, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->is_directory(ignored))
      names.push_back(entry->path().filename().string() + "/");
    else if (entry->is_regular_file(ignored))
      names.push_back(entry->path().filename().string());
  }
  if (failure && failure != std::errc::no_such_file_or_directory && failure != std::errc::not_a_directory)
    throw Error(Code::HostReadFailed, failure.message(), {.file = std::string(folder)});
  return names;
}

}  // namespace mo
