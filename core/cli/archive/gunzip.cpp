#include "core/cli/archive/gunzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <vector>

#include "core/cli/archive/bounds.h"

namespace mo {
namespace {

constexpr size_t kPiece = 64 << 10;

Bytef* bytes_of(std::span<const std::byte> bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));
}

class Inflater {
 public:
  Inflater() {
    if (inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  void give(std::span<const std::byte> bytes) {
    stream_.next_in = bytes_of(bytes);
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  std::span<const std::byte> rest() const {
    return {reinterpret_cast<const std::byte*>(stream_.next_in), stream_.avail_in};
  }
  /// How many bytes of `out` were filled.
  size_t fill(std::span<std::byte> out) {
    stream_.next_out = bytes_of(out);
    stream_.avail_out = static_cast<uInt>(out.size());
    result_ = inflate(&stream_, Z_NO_FLUSH);
    return out.size() - stream_.avail_out;
  }
  bool has_ended() const { return result_ == Z_STREAM_END; }
  /// Z_BUF_ERROR: there is nothing to do until it gets more.
  bool is_good() const { return result_ == Z_OK || result_ == Z_BUF_ERROR || has_ended(); }
  void begin_again() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
  int result_ = Z_OK;
};

/// A gzip file is one stream or several; tapes have zeros behind them.
class Gunzip {
 public:
  using Sink = std::function<void(std::span<const std::byte>)>;
  Gunzip(ByteSource& archive, const std::string& name, const Sink& sink)
      : archive_(archive), name_(name), sink_(sink), packed_(kPiece), unpacked_(4 * kPiece) {}

  void run() {
    for (uint64_t at = 0; at < archive_.size();) {
      const auto piece =
          std::span(packed_).first(static_cast<size_t>(std::min<uint64_t>(kPiece, archive_.size() - at)));
      archive_.read(at, piece);
      at += piece.size();
      take(piece);
    }
    if (!between_) throw damaged();
  }

 private:
  void take(std::span<const std::byte> piece) {
    inflater_.give(piece);
    while (!inflater_.rest().empty()) {
      if (between_ && count_ > 0 && only_zeros(inflater_.rest())) {
        is_padded_ = true;
        return;
      }
      if (is_padded_) throw damaged();
      between_ = false;
      // All that is packed comes out before the next piece goes in.
      size_t got;
      do {
        got = inflater_.fill(unpacked_);
        if (!inflater_.is_good()) throw damaged();
        count_ += got;
        if (is_too_much(count_, archive_.size())) throw too_much(name_);
        sink_(std::span(unpacked_).first(got));
      } while (!inflater_.has_ended() && got == unpacked_.size());
      if (!inflater_.has_ended()) return;
      between_ = true;
      inflater_.begin_again();
    }
  }

  static bool only_zeros(std::span<const std::byte> bytes) {
    return std::all_of(bytes.begin(), bytes.end(), [](std::byte byte) { return byte == std::byte{0}; });
  }

  Error damaged() const { return archive_error("its compressed bytes are damaged or cut off", name_); }

  ByteSource& archive_;
  const std::string& name_;
  const Sink& sink_;
  Inflater inflater_;
  std::vector<std::byte> packed_, unpacked_;
  uint64_t count_ = 0;
  bool between_ = false;    ///< a stream has ended, and no other one has begun
  bool is_padded_ = false;  ///< zeros have followed
};

}  // namespace

void gunzip(ByteSource& archive, const std::string& name, const std::function<void(std::span<const std::byte>)>& sink) {
  Gunzip(archive, name, sink).run();
}

size_t gunzip_head(std::span<const std::byte> head, std::span<std::byte> out) {
  Inflater inflater;
  inflater.give(head);
  return inflater.fill(out);
}

}  // namespace mo
