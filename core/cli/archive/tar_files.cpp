#include "core/cli/archive/tar_files.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/base/text.h"
#include "core/cli/archive/bounds.h"
#include "core/cli/archive/packed_names.h"
#include "core/cli/archive/tar_header.h"

namespace mo {
namespace {

/// Bytes that are read at once: headers of small files lie close together.
constexpr uint64_t kWindow = 64 << 10;
/// The most bytes of a name, or of attributes, in blocks of their own.
constexpr uint64_t kLongestText = 1 << 20;

/// Values that are too large for the header's own fields, from blocks before it.
struct Given {
  std::optional<std::string> path, link;
  std::optional<uint64_t> size;
  bool sparse = false;
};

Detail refusal_of(char type, bool sparse) {
  if (sparse || type == 'S') return "it has holes, which are not read";
  if (type == '3' || type == '4') return "it is a device";
  return type == '6' ? Detail("it is a pipe") : Detail();
}

class Walk {
 public:
  Walk(ByteSource& archive, Gathering& gathering) : archive_(archive), gathering_(gathering) {}

  void run() {
    for (uint64_t at = 0; at < archive_.size();) at = step(at);
  }

 private:
  Error error(const Detail& reason) const { return archive_error(reason, gathering_.archive()); }

  /// Gives where the next header is.
  uint64_t step(uint64_t at) {
    const std::span<const std::byte> block = read(at, kTarBlock);
    if (std::all_of(block.begin(), block.end(), [](std::byte byte) { return byte == std::byte{0}; }))
      return archive_.size();
    if (!is_tar_header(block)) throw error(msg("what is at byte ", at, " is no header of a tar archive"));
    auto [header, has_size] = read_tar_header(block);
    if (!has_size) throw error(msg("the size at byte ", at, " is no number"));
    const uint64_t start = at + kTarBlock;
    const bool is_giving = std::string_view("xgLK").find(header.type) != std::string_view::npos;
    const uint64_t length = is_giving ? header.size : given_.size.value_or(header.size);
    if (length > archive_.size() - start) throw error("it is cut off");
    if (is_giving) {
      give(header.type, start, length);
    } else {
      add(header, start, length);
      given_ = {};
    }
    return start + (length + kTarBlock - 1) / kTarBlock * kTarBlock;
  }

  void give(char type, uint64_t start, uint64_t length) {
    if (type == 'g') return;
    if (length > kLongestText) throw error("a name in it is longer than 1 MB");
    const std::span<const std::byte> bytes = read(start, length);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (type == 'x') return attributes(text);
    (type == 'L' ? given_.path : given_.link) = text.substr(0, text.find('\0'));
  }

  void add(const TarHeader& header, uint64_t start, uint64_t length) {
    const std::string& path = given_.path ? *given_.path : header.path;
    if (header.type == '5' || path.ends_with('/')) return;
    if (header.type == '1' || header.type == '2')
      return add_link(path, given_.link ? *given_.link : header.link, header.type == '2');
    gathering_.add(path, {.refusal = refusal_of(header.type, given_.sparse), .size = length, .place = start});
  }

  /// The target of a link is relative to the archive, that of a symbolic one to its folder.
  void add_link(const std::string& path, const std::string& link, bool is_symbolic) {
    const std::optional<std::string> inside = inside_path(path);
    std::optional<std::string> target;
    if (inside) target = is_symbolic ? linked_path(*inside, link) : inside_path(link);
    gathering_.add_link(path, target.value_or(""));
  }

  /// Records `LENGTH KEY=VALUE` of POSIX's format; a record's length is that of all of it, in bytes.
  void attributes(const std::string& records) {
    for (size_t at = 0; at < records.size();) {
      const size_t blank = records.find(' ', at);
      const size_t equals = blank == std::string::npos ? blank : records.find('=', blank);
      const std::optional<int64_t> length =
          equals == std::string::npos ? std::nullopt : number(std::string_view(records).substr(at, blank - at));
      if (!length || static_cast<uint64_t>(*length) > records.size() - at ||
          at + static_cast<size_t>(*length) < equals + 2)
        throw error("its attributes cannot be read");
      const size_t end = at + static_cast<size_t>(*length);
      const std::string key = records.substr(blank + 1, equals - blank - 1);
      set(key, records.substr(equals + 1, end - 1 - (equals + 1)));
      at = end;
    }
  }

  void set(const std::string& key, std::string value) {
    if (key == "path") given_.path = std::move(value);
    if (key == "linkpath") given_.link = std::move(value);
    if (key.starts_with("GNU.sparse.")) given_.sparse = true;
    if (key != "size") return;
    const std::optional<int64_t> size = number(value);
    if (!size) throw error("a size in it is no number");
    given_.size = static_cast<uint64_t>(*size);
  }

  static std::optional<int64_t> number(std::string_view digits) {
    const bool is_plain =
        !digits.empty() && digits.size() <= 15 && digits.find_first_not_of("0123456789") == std::string_view::npos;
    return is_plain ? parse_int(std::string(digits)) : std::nullopt;
  }

  /// Bytes of the archive, until the next call; reads more than what is asked for.
  std::span<const std::byte> read(uint64_t at, uint64_t length) {
    if (length > archive_.size() - at) throw error("it is cut off");
    if (at < begin_ || at + length > begin_ + window_.size()) {
      window_.resize(static_cast<size_t>(std::min(std::max(length, kWindow), archive_.size() - at)));
      archive_.read(at, window_);
      begin_ = at;
    }
    return std::span(window_).subspan(static_cast<size_t>(at - begin_), static_cast<size_t>(length));
  }

  ByteSource& archive_;
  Gathering& gathering_;
  Given given_;
  uint64_t begin_ = 0;
  std::vector<std::byte> window_;
};

}  // namespace

void gather_tar(ByteSource& archive, Gathering& gathering) { Walk(archive, gathering).run(); }

}  // namespace mo
