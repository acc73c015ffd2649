#include "core/base/window.h"

#include <algorithm>

#include "core/base/error.h"

namespace mo {

const Window::Page& Window::page(uint64_t number) {
  Page* oldest = &pages_[0];
  for (Page& p : pages_) {
    if (p.number == number) {
      p.last_use = ++clock_;
      return p;
    }
    if (p.last_use < oldest->last_use) oldest = &p;
  }
  const uint64_t begin = number * kPageBytes;
  oldest->number = UINT64_MAX;  // the page holds nothing if reading fails
  if (oldest->bytes.data() == page_) page_size_ = 0;
  oldest->bytes.resize(static_cast<size_t>(std::min<uint64_t>(kPageBytes, size_ - begin)));
  files_.read(file_, begin, oldest->bytes);
  oldest->number = number;
  oldest->last_use = ++clock_;
  return *oldest;
}

std::span<const std::byte> Window::view(uint64_t offset, size_t n) {
  if (offset > size_ || n > size_ - offset)
    throw Error(Code::TruncatedFile, msg("bytes ", offset, " to ", offset + n, " of ", size_), place(offset));
  if (n > kMaxView) throw Error(Code::Unexpected, msg("a view of ", n, " bytes"));
  if (n == 0) return {};
  const uint64_t number = offset / kPageBytes;
  const Page& first = page(number);
  page_ = first.bytes.data();
  page_begin_ = number * kPageBytes;
  page_size_ = first.bytes.size();
  const auto at = static_cast<size_t>(offset - page_begin_), here = std::min(n, first.bytes.size() - at);
  if (here == n) return {first.bytes.data() + at, n};
  seam_.assign(first.bytes.begin() + static_cast<ptrdiff_t>(at), first.bytes.end());
  const Page& second = page(number + 1);
  seam_.insert(seam_.end(), second.bytes.begin(), second.bytes.begin() + static_cast<ptrdiff_t>(n - here));
  return seam_;
}

}  // namespace mo
