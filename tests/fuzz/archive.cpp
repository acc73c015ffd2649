// Any bytes as an archive: its files are listed and read, or there is an error.

#include <algorithm>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/cli/archive/archive_files.h"
#include "core/cli/archive/archive_kind.h"

namespace {

constexpr size_t kMostRead = 1 << 20;

void read(mo::ByteSource& file) {
  std::vector<std::byte> bytes(static_cast<size_t>(std::min<uint64_t>(file.size(), kMostRead)));
  file.read(0, std::span(bytes).first(std::min<size_t>(bytes.size(), 100)));
  file.read(0, bytes);
}

void walk(mo::ArchiveFiles& files, const std::string& folder, int depth) {
  for (const std::string& name : files.list(folder)) {
    const std::string path = folder.empty() ? name : mo::cat(folder, "/", name);
    if (path.back() == '/' && depth < 20) walk(files, path.substr(0, path.size() - 1), depth + 1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  if (!mo::is_archive(bytes.first(std::min<size_t>(size, 4096)))) return 0;
  mo::os::File file = mo::os::File::temporary();
  if (!file.write(bytes)) return 0;
  try {
    mo::ArchiveFiles files(std::move(file), "a");
    walk(files, "", 0);
    for (const auto& [path, entry] : files.entries()) {
      try {
        if (mo::ByteSource* opened = files.open(path)) read(*opened);
      } catch (const mo::Error&) {
        // The next file may be better.
      }
    }
  } catch (const mo::Error&) {
    // That is an answer.
  }
  return 0;
}
