#include "core/cli/draft.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/error.h"
#include "core/cli/system/program.h"

namespace mo {

Draft::Draft(std::string target)
    : target_(std::move(target)), path_(draft_path(target_, os::process_id())), file_(os::File::create(path_)) {
  if (!file_.is_open()) fail_to_write(target_, errno);
}

Draft::~Draft() {
  writer_.finish();
  file_.close();
  if (!published_) os::remove(path_);
}

std::span<std::byte> Draft::room(uint64_t n) {
  if (used_ == kBuffer) flush();
  const auto size = static_cast<size_t>(std::min<uint64_t>(n, kBuffer - used_));
  return writer_.buffer().subspan(std::exchange(used_, used_ + size), size);
}

void Draft::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const std::span<std::byte> room = this->room(bytes.size());
    std::copy_n(bytes.data(), room.size(), room.data());
    bytes = bytes.subspan(room.size());
  }
}

void Draft::copy(DiskFile& source, uint64_t offset, uint64_t size) {
  while (size > 0) {
    const std::span<std::byte> room = this->room(size);
    ahead_.read(source, offset, room);
    offset += room.size();
    size -= room.size();
  }
}

void Draft::close() {
  flush();
  if (const int error = writer_.finish(); error != 0) fail_to_write(target_, error);
  if (!file_.close()) fail_to_write(target_, errno);
}

void Draft::publish() {
  if (!os::rename(path_, target_)) fail_to_write(target_, errno);
  published_ = true;
}

/// All buffers but the last are written whole, so each begins at a page of the file.
void Draft::flush() {
  if (const int error = writer_.write(std::exchange(used_, 0)); error != 0) fail_to_write(target_, error);
}

std::string draft_path(const std::string& target, int64_t process) { return cat(target, ".part", process); }

void fail_to_write(const std::string& path, int error) {
  throw Error(Code::HostWriteFailed, std::strerror(error), {.file = path});
}

void write_text_file(const std::string& path, std::string_view text) {
  Draft draft(path);
  draft.write(text);
  draft.close();
  draft.publish();
}

}  // namespace mo
