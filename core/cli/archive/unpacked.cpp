#include "core/cli/archive/unpacked.h"

#include <cerrno>
#include <cstring>

#include "core/base/error.h"

namespace mo {
namespace {

Error failure(Code code, int error) {
  return Error(code, error == 0 ? Detail("it has become shorter") : msg(std::strerror(error)),
               {.file = "the temporary folder"});
}

}  // namespace

void Unpacked::append(std::span<const std::byte> bytes) {
  if (!file_.is_open()) file_ = os::File::temporary();
  if (!file_.is_open() || !file_.write_at(end_, bytes)) throw failure(Code::HostWriteFailed, errno);
  end_ += bytes.size();
}

void Unpacked::read(uint64_t offset, std::span<std::byte> out) const {
  while (!out.empty()) {
    const ptrdiff_t got = file_.read_at(offset, out);
    if (got <= 0) throw failure(Code::HostReadFailed, got < 0 ? errno : 0);
    offset += static_cast<uint64_t>(got);
    out = out.subspan(static_cast<size_t>(got));
  }
}

}  // namespace mo
