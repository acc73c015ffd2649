#include "core/base/recipes/convert.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/recipes/elements.h"
#include "core/base/recipes/fill.h"

namespace mo {
namespace {

/// The most source bytes read at a time: what a recipe likes to give at once may be far more.
constexpr uint64_t kMostAtATime = 4 * 1024 * 1024;

/// Whether the source may read all of its own source for each piece of it.
bool is_read_anew(const ConvertContent& content) { return content.sources()[0]->best_piece() >= kMostAtATime; }

/// Elements converted at a time: whole bytes on both sides, and for recipes pieces as they like to give them.
uint64_t elements_at_a_time(const ConvertContent& content) {
  const uint64_t bytes = std::min(content.sources()[0]->best_piece(), kMostAtATime);
  return std::max<uint64_t>(1, bytes * 8 / static_cast<uint64_t>(bits(content.from())) / 8) * 8;
}

class ConvertReader final : public ContentReader {
 public:
  ConvertReader(const ConvertContent& content, Files& files)
      : content_(content), source_(content.sources()[0]->open(files)) {}

  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), content_.size());
    const auto to_bits = static_cast<uint64_t>(bits(content_.to()));
    uint64_t first = offset * 8 / to_bits;
    const uint64_t end = std::min(content_.elements(), (offset + out.size()) * 8 / to_bits);
    // Who asks for more than the best piece has memory for it, and saves such readings.
    const uint64_t at_a_time = is_read_anew(content_) ? end - first : elements_at_a_time(content_);
    while (first < end) {
      const uint64_t n = std::min(end - first, at_a_time);
      piece(first, static_cast<size_t>(n), out.data() + (first * to_bits / 8 - offset));
      first += n;
    }
  }

 private:
  void piece(uint64_t first, size_t n, std::byte* to) {
    const auto width = static_cast<uint64_t>(bits(content_.from()));
    const uint64_t begin = first * width / 8, end = ((first + n) * width + 7) / 8;
    const auto bytes = buffer_.get(static_cast<size_t>(end - begin));
    source_->read(begin, bytes);
    if (content_.mode() == ConvertMode::Compress) return compress_elements(content_.from(), bytes.data(), to, n);
    const auto skipped = static_cast<size_t>(first - begin * 8 / width);
    convert_elements(content_.from(), bytes.data(), skipped, content_.to(), to, n);
  }

  const ConvertContent& content_;
  std::unique_ptr<ContentReader> source_;
  Scratch buffer_;
};

}  // namespace

ConvertContent::ConvertContent(const Constant& source, ElementType to, ConvertMode mode)
    : Recipe(kKind, byte_size(to, source.elements()), {source.content}),
      from_(source.type),
      to_(to),
      mode_(mode),
      elements_(source.elements()) {}

std::unique_ptr<ContentReader> ConvertContent::open(Files& files) const {
  return std::make_unique<ConvertReader>(*this, files);
}

std::string ConvertContent::identity() const {
  const char* name = mode_ == ConvertMode::Compress ? "compress(" : "convert(";
  return cat(name, ir_name(from_), ",", ir_name(to_), ",", elements_, ",", slice_text(*sources()[0]), ")");
}

/// As many pieces of the source as fit the cache, at least one.
uint64_t ConvertContent::best_piece() const {
  const uint64_t piece = elements_at_a_time(*this) * static_cast<uint64_t>(bits(to_)) / 8;
  return piece * std::max<uint64_t>(1, kCachedPiece / piece);
}

Constant convert(const Constant& source, ElementType type) {
  check_source(source);
  if (type == source.type) return source;
  if (bits(type) == 0) throw Error(Code::UnsupportedType, msg("weights cannot be converted to ", ir_name(type)));
  if (const auto* element = fill_element(source)) {
    std::vector<std::byte> converted(static_cast<size_t>(byte_size(type, 1)));
    convert_elements(source.type, element->data(), 0, type, converted.data(), 1);
    return fill(type, source.shape, std::move(converted));
  }
  return finish(type, source.shape, std::make_shared<ConvertContent>(source, type, ConvertMode::Usual));
}

}  // namespace mo
