#include "core/cli/archive/zip_stream.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace mo {
namespace {

/// The window after a jump, which shows one entry, and behind another window, for what is read in a row.
constexpr uint64_t kJump = 1 << 10, kRow = 64 << 10;

ZipStream& stream_of(void* stream) { return *static_cast<ZipStream*>(stream); }

}  // namespace

zlib_filefunc64_def ZipStream::functions() {
  zlib_filefunc64_def calls{};
  calls.opaque = this;
  calls.zopen64_file = [](voidpf self, const void*, int) { return self; };
  calls.zread_file = [](voidpf, voidpf self, void* out, uLong size) -> uLong {
    return static_cast<uLong>(stream_of(self).read({static_cast<std::byte*>(out), static_cast<size_t>(size)}));
  };
  calls.ztell64_file = [](voidpf, voidpf self) -> ZPOS64_T { return stream_of(self).at_; };
  calls.zseek64_file = [](voidpf, voidpf self, ZPOS64_T offset, int origin) -> long {
    ZipStream& stream = stream_of(self);
    // An offset may be negative: sums wrap around.
    const uint64_t base = origin == ZLIB_FILEFUNC_SEEK_SET   ? 0
                          : origin == ZLIB_FILEFUNC_SEEK_CUR ? stream.at_
                                                             : stream.source_.size();
    stream.at_ = base + offset;
    if (origin == ZLIB_FILEFUNC_SEEK_SET) stream.last_jump_ = stream.at_;
    stream.has_ended_ = false;
    return 0;
  };
  calls.zclose_file = [](voidpf, voidpf) { return 0; };
  calls.zerror_file = [](voidpf, voidpf self) {
    return stream_of(self).failure_ || stream_of(self).has_ended_ ? 1 : 0;
  };
  return calls;
}

void ZipStream::rethrow() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

/// How many bytes could be read: fewer at the end of the file.
size_t ZipStream::read(std::span<std::byte> out) try {
  const uint64_t there = at_ < source_.size() ? source_.size() - at_ : 0;
  has_ended_ = there < out.size();
  if (failure_ || there == 0) return 0;
  out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), there)));
  if (out.size() >= kRow) {
    source_.read(at_, out);
  } else {
    if (at_ < begin_ || at_ + out.size() > begin_ + window_.size()) {
      const bool follows = at_ >= begin_ && at_ <= begin_ + window_.size() && !window_.empty();
      const uint64_t size = std::max<uint64_t>(out.size(), follows ? kRow : kJump);
      window_.resize(static_cast<size_t>(std::min(size, source_.size() - at_)));
      source_.read(at_, window_);
      begin_ = at_;
    }
    std::memcpy(out.data(), window_.data() + (at_ - begin_), out.size());
  }
  at_ += out.size();
  return out.size();
} catch (...) {
  window_.clear();
  failure_ = std::current_exception();
  return 0;
}

}  // namespace mo
