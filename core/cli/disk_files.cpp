#include "core/cli/disk_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace mo {

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
  auto file = std::make_unique<DiskFile>(descriptor, static_cast<uint64_t>(status.st_size), std::string(name));
  return files_.emplace(name, std::move(file)).first->second.get();
}

std::string read_text_file(const std::filesystem::path& path) {
  constexpr uint64_t kLargest = 16 << 20;
  DiskFiles files(path.parent_path());
  DiskFile* file = files.open(path.filename().string());
  if (!file) throw Error(Code::HostReadFailed, "no such file", {.file = path.string()});
  if (file->size() > kLargest)
    throw Error(Code::HostReadFailed, cat(file->size(), " bytes are too many for it"), {.file = path.string()});
  std::string text(static_cast<size_t>(file->size()), '\0');
  file->read(0, std::as_writable_bytes(std::span(text)));
  return text;
}

}  // namespace mo
