#include "core/base/zip_directory.h"

#include <algorithm>

#include "core/base/text.h"

namespace mo {
namespace {

constexpr uint64_t kEndRecord = 22, kLongestComment = 65'535, kDirectoryRecord = 46, kLocalHeader = 30, kLocator = 20;
constexpr uint64_t kMostEntries = 1 << 20;
constexpr uint32_t kEndMark = 0x06054b50, kEnd64Mark = 0x06064b50, kLocatorMark = 0x07064b50, kFileMark = 0x02014b50,
                   kLocalMark = 0x04034b50;

class DirectoryReader {
 public:
  DirectoryReader(Window& window, uint64_t begin, uint64_t end) : window_(window), begin_(begin), size_(end - begin) {}

  std::map<std::string, ZipEntry> read() {
    std::map<std::string, ZipEntry> out;
    const uint64_t end = end_record();
    uint64_t count = number(end + 10, 2), at = number(end + 16, 4);
    if (end >= kLocator && number(end - kLocator, 4) == kLocatorMark) {
      const uint64_t end64 = number(end - kLocator + 8, 8);
      if (end64 > end || number(end64, 4) != kEnd64Mark) corrupt(end - kLocator, "a zip without a directory");
      count = number(end64 + 32, 8), at = number(end64 + 48, 8);
    }
    if (count > kMostEntries)
      throw Error(Code::TooDeep, msg("a zip of more than ", kMostEntries, " files"), place(end));
    for (uint64_t i = 0; i < count; ++i) {
      if (at > end || number(at, 4) != kFileMark) corrupt(std::min(at, end), "a damaged directory of a zip");
      const uint64_t flags = number(at + 8, 2), method = number(at + 10, 2), name = number(at + 28, 2),
                     extra = number(at + 30, 2), comment = number(at + 32, 2);
      ZipEntry entry{number(at + 42, 4), number(at + 24, 4), begin_ + at};
      uint64_t packed = number(at + 20, 4);
      read_extra(at + kDirectoryRecord + name, extra, entry, packed);
      entry.is_stored = method == 0 && packed == entry.size && (flags & 1) == 0;
      const std::string path = text(at + kDirectoryRecord, name);
      settle(entry);
      out.insert_or_assign(path, entry);
      at += kDirectoryRecord + name + extra + comment;
    }
    return out;
  }

 private:
  [[noreturn]] void corrupt(uint64_t offset, const Detail& what) const {
    throw Error(Code::CorruptFile, what, place(offset));
  }

  Place place(uint64_t offset) const { return window_.place(begin_ + offset); }
  std::span<const std::byte> view(uint64_t offset, size_t bytes) {
    if (offset > size_ || bytes > size_ - offset)
      throw Error(Code::TruncatedFile, msg("a zip of ", size_, " bytes"), place(size_));
    return window_.view(begin_ + offset, bytes);
  }
  uint64_t number(uint64_t offset, size_t bytes) {
    uint64_t out = 0;
    const auto view = this->view(offset, bytes);
    for (size_t i = 0; i < bytes; ++i) out |= static_cast<uint64_t>(view[i]) << (8 * i);
    return out;
  }
  std::string text(uint64_t offset, uint64_t size) {
    const auto view = this->view(offset, static_cast<size_t>(size));
    return {reinterpret_cast<const char*>(view.data()), view.size()};
  }

  uint64_t end_record() {
    if (size_ < kEndRecord) corrupt(0, "a zip without a directory");
    const uint64_t last = size_ - kEndRecord, least = last > kLongestComment ? last - kLongestComment : 0;
    for (uint64_t at = last + 1; at-- > least;)
      if (window_.byte(begin_ + at) == 'P' && number(at, 4) == kEndMark) return at;
    corrupt(last, "a zip without a directory");
  }

  /// Numbers that four bytes do not hold.
  void read_extra(uint64_t at, uint64_t size, ZipEntry& entry, uint64_t& packed) {
    for (const uint64_t end = at + size; at + 4 <= end;) {
      const uint64_t id = number(at, 2), length = number(at + 2, 2);
      uint64_t next = at + 4;
      at = next + length;
      if (id != 1) continue;
      for (uint64_t* value : {&entry.size, &packed, &entry.offset})
        if (*value == UINT32_MAX && next + 8 <= at) *value = number(next, 8), next += 8;
    }
  }

  /// Its bytes begin behind the header of the file itself.
  void settle(ZipEntry& entry) {
    if (entry.offset > size_ || number(entry.offset, 4) != kLocalMark)
      corrupt(std::min(entry.offset, size_), "no file where the directory of a zip says");
    const uint64_t begin = entry.offset + kLocalHeader + number(entry.offset + 26, 2) + number(entry.offset + 28, 2);
    if (entry.is_stored && (begin > size_ || entry.size > size_ - begin))
      throw Error(Code::TruncatedFile, msg("a file of ", entry.size, " bytes in a zip"), place(entry.offset));
    entry.offset = begin_ + begin;
  }

  Window& window_;
  uint64_t begin_, size_;
};

}  // namespace

std::map<std::string, ZipEntry> read_zip_directory(Window& window, uint64_t begin, uint64_t end) {
  return DirectoryReader(window, begin, end).read();
}

}  // namespace mo
