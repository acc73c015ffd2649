#include <algorithm>

#include "core/base/recipes/elements.h"
#include "core/base/recipes/quantise.h"

namespace mo {
namespace {

/// Elements of a tile from a slice, and from a recipe, which may have to read far more for each.
constexpr uint64_t kSliceTile = 64 * 1024, kRecipeTile = 1024 * 1024;
/// A block of more elements is read twice: for its scales, and for its codes.
constexpr uint64_t kLargestBlock = 2 * 1024 * 1024;

}  // namespace

uint64_t quantise_tile(const Content& source) { return source.depth() == 0 ? kSliceTile : kRecipeTile; }

QuantiseTiles::QuantiseTiles(const QuantiseSource& source, Files& files)
    : source_(source), reader_(source.weights.content->open(files)), tile_(quantise_tile(*source.weights.content)) {}

void QuantiseTiles::hold(uint64_t block) {
  if (block >= first_ && block < first_ + count_) return;
  const QuantiseLayout& layout = source_.layout;
  if (source_.knows_scales()) {
    first_ = 0;
    count_ = layout.blocks;
    return;
  }
  const uint64_t size = layout.block();
  first_ = block;
  count_ = 0;  // until the scales are there
  const uint64_t count = std::min(std::max<uint64_t>(1, tile_ / size), layout.blocks - block);
  scales_ = {};
  if (size <= kLargestBlock) read(block * size, count * size);
  for (uint64_t i = 0; i < count; ++i) measure_block(block + i);
  count_ = count;
}

std::span<const float> QuantiseTiles::numbers(uint64_t element, uint64_t n) {
  if (element < begin_ || element >= begin_ + held_)
    read(element, std::min(tile_, source_.weights.elements() - element));
  const uint64_t at = element - begin_;
  return {numbers_.data() + at, static_cast<size_t>(std::min(n, held_ - at))};
}

void QuantiseTiles::read(uint64_t element, uint64_t n) {
  held_ = 0;  // nothing, if this fails
  if (numbers_.size() < n) numbers_.resize(static_cast<size_t>(n));
  const auto to = std::as_writable_bytes(std::span(numbers_).first(static_cast<size_t>(n)));
  const ElementType type = source_.weights.type;
  const auto width = static_cast<uint64_t>(bits(type)) / 8;
  if (type == ElementType::F32) {
    reader_->read(element * width, to);
  } else {
    const auto bytes = buffer_.get(static_cast<size_t>(n * width));
    reader_->read(element * width, bytes);
    convert_elements(type, bytes.data(), 0, ElementType::F32, to.data(), static_cast<size_t>(n));
  }
  begin_ = element;
  held_ = n;
}

void QuantiseTiles::measure_block(uint64_t block) {
  const QuantiseLayout& layout = source_.layout;
  const uint64_t begin = block * layout.block(), end = begin + layout.block();
  ranges_.reset(static_cast<size_t>(layout.channels));
  for (uint64_t at = begin; at < end;) {
    const auto piece = numbers(at, end - at);
    widen_by(at - begin, piece);
    at += piece.size();
  }
  for (size_t i = 0; i < ranges_.size(); ++i) {
    finite_ = finite_ && ranges_.is_finite(i);
    add_scale(ranges_[i], source_.bits, source_.symmetric, scales_);
  }
}

/// The numbers from `at` of a block on.
void QuantiseTiles::widen_by(uint64_t at, std::span<const float> numbers) {
  const QuantiseLayout& layout = source_.layout;
  while (!numbers.empty()) {
    const auto channel = static_cast<size_t>(at / layout.behind % layout.channels);
    const bool by_each = layout.behind == 1;
    const uint64_t left = by_each ? layout.channels - channel : layout.behind - at % layout.behind;
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, numbers.size()));
    if (by_each)
      ranges_.widen_each(channel, numbers.data(), n);
    else
      ranges_.widen(channel, numbers.data(), n);
    at += n;
    numbers = numbers.subspan(n);
  }
}

}  // namespace mo
