#include "core/cli/disk_file.h"

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace mo {

void DiskFile::read(uint64_t offset, std::span<std::byte> out) {
  while (!out.empty()) {
    const ptrdiff_t got = file_.read_at(offset, out);
    if (got <= 0)
      throw Error(Code::HostReadFailed, got < 0 ? msg(std::strerror(errno)) : Detail("the file has become shorter"),
                  {.file = name_, .offset = static_cast<int64_t>(offset)});
    offset += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

}  // namespace mo
