#include "core/cli/draft.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "core/base/error.h"

namespace mo {
namespace {

constexpr std::string_view kPrefix = "mo-", kDigits = "0123456789abcdef";

/// Whether draft_path() gives names like this one.
bool is_drafts_name(std::string_view name) {
  if (!name.starts_with(kPrefix)) return false;
  name.remove_prefix(kPrefix.size());
  const size_t digits = std::min(name.find_first_not_of(kDigits), name.size());
  return digits == 32 && (name.substr(digits) == kDraftEnding || name.substr(digits) == kAsideEnding);
}

/// Does it once for each folder.
void tidy(const std::string& folder) {
  static std::set<std::string>& tidied = *new std::set<std::string>;
  if (tidied.insert(folder).second) remove_left_drafts(folder);
}

}  // namespace

Draft::Draft(std::string target, Fsync fsync) : fsync_(fsync), target_(std::move(target)) {
  if (os::is_special(target_)) throw Error(Code::HostWriteFailed, "not a regular file", {.file = target_});
  const std::string folder = os::folder_of(target_);
  tidy(folder);
  open(folder);
}

Draft::~Draft() {
  writer_.finish();
  file_.close();
  if (!published_ && !path_.empty()) os::remove(path_);
}

void Draft::open(const std::string& folder) {
  file_ = os::File::create_unnamed(folder);
  while (!file_.is_open()) {
    const os::Uninterrupted section;
    const std::string path = draft_path(folder, kDraftEnding);
    leftover_.emplace(path);
    file_ = os::File::create_new(path);
    if (file_.is_open())
      path_ = path;
    else if (errno != EEXIST && errno != EAGAIN)
      fail_to_write(target_, errno);
  }
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

void Draft::copy(ByteSource& source, uint64_t offset, uint64_t size) {
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
  if (!(fsync_ == Fsync::Yes ? file_.sync() : file_.has_arrived())) fail_to_write(target_, errno);
}

void Draft::publish() {
  const os::Uninterrupted section;
  if (path_.empty()) {
    std::string path = draft_path(os::folder_of(target_), kDraftEnding);
    if (!file_.give_name(path)) fail_to_write(target_, errno);
    path_ = std::move(path);
  }
  if (!os::rename(path_, target_)) fail_to_write(target_, errno);
  published_ = true;
  leftover_.reset();
  file_.close();
}

void Draft::sync_name() const { mo::sync_name(target_, fsync_); }

/// All buffers but the last are written whole, so each begins at a page of the file.
void Draft::flush() {
  if (const int error = writer_.write(std::exchange(used_, 0)); error != 0) fail_to_write(target_, error);
}

std::string draft_path(const std::string& folder, std::string_view ending) {
  return os::join(folder, cat(kPrefix, os::random_digits(), ending));
}

void remove_left_drafts(const std::string& folder) {
  for (const std::string& name : os::names_in(folder).value_or(std::vector<std::string>()))
    if (is_drafts_name(name)) os::remove_unlocked(os::join(folder, name));
}

void fail_to_write(const std::string& path, int error) {
  throw Error(Code::HostWriteFailed, msg(std::strerror(error)), {.file = path});
}

void sync_name(const std::string& path, Fsync fsync) {
  if (fsync == Fsync::Yes && !os::sync_folder(os::folder_of(path))) fail_to_write(path, errno);
}

void write_text_file(const std::string& path, std::string_view text, Fsync fsync) {
  Draft draft(path, fsync);
  draft.write(text);
  draft.close();
  draft.publish();
  draft.sync_name();
}

}  // namespace mo
