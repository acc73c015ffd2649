// A cached view of a file for walking a wire format. Pages are read only when they are touched, so stepping over a
// payload costs nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/error.h"
#include "core/base/files.h"

namespace mo {

class Window {
 public:
  static constexpr size_t kPageBytes = 64 * 1024, kPages = 8;
  /// The largest view.
  static constexpr size_t kMaxView = kPageBytes;

  Window(Files& files, FileId file) : files_(files), file_(file), size_(files.source(file).size()) {}

  Files& files() const { return files_; }
  FileId file() const { return file_; }
  uint64_t size() const { return size_; }
  Place place(uint64_t offset) const { return files_.place(file_, offset); }
  /// Throws TruncatedFile past the end of the file.
  uint8_t byte(uint64_t offset) {
    if (offset - page_begin_ < page_size_) return static_cast<uint8_t>(page_[offset - page_begin_]);
    return static_cast<uint8_t>(view(offset, 1)[0]);
  }
  /// Bytes [offset, offset + n), n <= kMaxView; valid until the next call of view() or byte(). Throws TruncatedFile
  /// when the file ends before them.
  std::span<const std::byte> view(uint64_t offset, size_t n);

 private:
  struct Page {
    uint64_t number = UINT64_MAX, last_use = 0;
    std::vector<std::byte> bytes;
  };
  const Page& page(uint64_t number);

  Files& files_;
  FileId file_;
  uint64_t size_, clock_ = 0;
  std::array<Page, kPages> pages_;
  std::vector<std::byte> seam_;  ///< a view that crosses two pages
  // The page last used, for byte().
  const std::byte* page_ = nullptr;
  uint64_t page_begin_ = 0, page_size_ = 0;
};

}  // namespace mo
