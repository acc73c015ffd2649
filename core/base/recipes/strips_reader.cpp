#include <algorithm>

#include "core/base/recipes/strips.h"

namespace mo {
namespace {

/// Strips shorter than kShortStrip and at most kStripGap apart are read together.
constexpr uint64_t kShortStrip = 64 * 1024, kStripGap = 32 * 1024, kStripBuffer = 1024 * 1024;
/// Readers of recipes hold buffers, so at most this many are kept open.
constexpr int kOpenRecipes = 2;

class StripsReader final : public ContentReader {
 public:
  StripsReader(const StripsContent& content, Files& files)
      : content_(content), files_(files), readers_(content.sources().size()) {}

  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), content_.size());
    const uint64_t row_bytes = content_.row_bytes();
    while (!out.empty()) {
      const uint64_t row = offset / row_bytes, at = offset % row_bytes;
      uint64_t n = std::min<uint64_t>(out.size(), row_bytes - at);
      if (n < row_bytes || content_.rows() == 1) {
        read_within_row(row, at, out.first(static_cast<size_t>(n)));
      } else {
        const uint64_t rows = out.size() / row_bytes;
        for (const StripsContent::Part& part : content_.parts()) read_rows(part, row, rows, out.data() + part.begin);
        n = rows * row_bytes;
      }
      offset += n;
      out = out.subspan(static_cast<size_t>(n));
    }
  }

 private:
  using Part = StripsContent::Part;

  void read_within_row(uint64_t row, uint64_t at, std::span<std::byte> out) {
    const auto& parts = content_.parts();
    auto part = std::upper_bound(parts.begin(), parts.end(), at, [](uint64_t v, const Part& p) { return v < p.begin; });
    for (--part; !out.empty(); ++part) {
      const uint64_t skipped = at - part->begin, n = std::min<uint64_t>(out.size(), part->length - skipped);
      reader(part->source).read(part->offset + row * part->stride + skipped, out.first(static_cast<size_t>(n)));
      at += n;
      out = out.subspan(static_cast<size_t>(n));
    }
  }

  /// Reads the part in rows [row, row + rows) to `to`, its position in the first row.
  void read_rows(const Part& part, uint64_t row, uint64_t rows, std::byte* to) {
    if (part.stride == 0) return repeat_row(part, rows, to);
    const bool together = part.length < kShortStrip && part.stride - part.length <= kStripGap;
    const uint64_t at_a_time = together ? 1 + (kStripBuffer - part.length) / part.stride : 1;
    for (uint64_t done = 0; done < rows;) {
      const uint64_t n = std::min(at_a_time, rows - done), begin = part.offset + (row + done) * part.stride;
      std::byte* const target = to + done * content_.row_bytes();
      if (n == 1)
        reader(part.source).read(begin, {target, static_cast<size_t>(part.length)});
      else
        read_together(part, begin, n, target);
      done += n;
    }
  }

  /// All rows have the same bytes.
  void repeat_row(const Part& part, uint64_t rows, std::byte* to) {
    const auto length = static_cast<size_t>(part.length);
    reader(part.source).read(part.offset, {to, length});
    for (uint64_t i = 1; i < rows; ++i) std::memcpy(to + i * content_.row_bytes(), to, length);
  }

  void read_together(const Part& part, uint64_t begin, uint64_t rows, std::byte* to) {
    const auto bytes = buffer_.get(static_cast<size_t>((rows - 1) * part.stride + part.length));
    reader(part.source).read(begin, bytes);
    for (uint64_t i = 0; i < rows; ++i)
      std::memcpy(to + i * content_.row_bytes(), bytes.data() + i * part.stride, static_cast<size_t>(part.length));
  }

  ContentReader& reader(size_t source) {
    if (readers_[source]) return *readers_[source];
    const Content& content = *content_.sources()[source];
    if (content.depth() != 0 && ++open_recipes_ > kOpenRecipes) {
      for (size_t i = 0; i < readers_.size(); ++i)
        if (content_.sources()[i]->depth() != 0) readers_[i].reset();
      open_recipes_ = 1;
    }
    readers_[source] = content.open(files_);
    return *readers_[source];
  }

  const StripsContent& content_;
  Files& files_;
  std::vector<std::unique_ptr<ContentReader>> readers_;
  int open_recipes_ = 0;
  Scratch buffer_;
};

}  // namespace

std::unique_ptr<ContentReader> StripsContent::open(Files& files) const {
  return std::make_unique<StripsReader>(*this, files);
}

}  // namespace mo
