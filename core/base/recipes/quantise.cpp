#include "core/base/recipes/quantise.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/half.h"

namespace mo {
namespace {

using Part = QuantiseContent::Part;

/// Codes that are made before they are packed.
constexpr uint64_t kCodes = 64 * 1024;

class QuantiseReader final : public ContentReader {
 public:
  QuantiseReader(const QuantiseContent& content, Files& files)
      : content_(content), source_(content.source()), tiles_(source_, files) {}

  void read(uint64_t offset, std::span<std::byte> out) override {
    check_range(offset, out.size(), content_.size());
    const auto width = static_cast<uint64_t>(content_.element_bits());
    uint64_t first = offset * 8 / width;
    const uint64_t end = std::min(content_.elements(), (offset + out.size()) * 8 / width);
    for (std::byte* to = out.data(); first < end;) {
      const uint64_t n = std::min(end - first, kCodes);
      if (content_.part() == Part::Scales)
        write_scales(first, n, to);
      else
        write_codes(first, n, to);
      to += (n * width + 7) / 8;
      first += n;
    }
  }

 private:
  void write_codes(uint64_t first, uint64_t n, std::byte* to) {
    const auto codes = buffer_.get(static_cast<size_t>(n));
    auto* const bytes = reinterpret_cast<uint8_t*>(codes.data());
    if (content_.part() == Part::Codes)
      encode_numbers(first, n, bytes);
    else
      for_each_scale(first, n, [&, at = bytes](size_t channel) mutable { *at++ = tiles_.zero_points()[channel]; });
    if (content_.element_bits() == 8) return void(std::memcpy(to, codes.data(), codes.size()));
    for (size_t i = 0; i + 1 < codes.size(); i += 2)
      to[i / 2] = static_cast<std::byte>((bytes[i] & 15) | bytes[i + 1] << 4);
    if (codes.size() % 2 != 0) to[codes.size() / 2] = static_cast<std::byte>(bytes[codes.size() - 1] & 15);
  }

  void write_scales(uint64_t first, uint64_t n, std::byte* to) {
    for_each_scale(first, n, [&](size_t channel) {
      store(to, f32_to_f16(tiles_.scales()[channel]));
      to += 2;
    });
  }

  /// Calls `use` with the position in the tile's scales of each of them.
  template <typename Use>
  void for_each_scale(uint64_t first, uint64_t n, Use use) {
    const uint64_t channels = source_.layout.channels;
    for (uint64_t at = first; at < first + n; ++at) {
      tiles_.hold(at / channels);
      use(static_cast<size_t>(at - tiles_.first() * channels));
    }
  }

  void encode_numbers(uint64_t first, uint64_t n, uint8_t* to) {
    const QuantiseLayout& layout = source_.layout;
    while (n > 0) {
      const uint64_t block = first / layout.block();
      tiles_.hold(block);
      const uint64_t end = (tiles_.first() + tiles_.count()) * layout.block();
      auto numbers = tiles_.numbers(first, std::min(n, end - first));
      n -= numbers.size();
      while (!numbers.empty()) {
        const size_t done = encode_run(first, numbers, to);
        first += done;
        to += done;
        numbers = numbers.subspan(done);
      }
    }
  }

  /// The numbers from `first` on of one channel, or one of several channels each. Returns how many.
  size_t encode_run(uint64_t first, std::span<const float> numbers, uint8_t* to) {
    const QuantiseLayout& layout = source_.layout;
    const uint64_t in_channels = first / layout.behind % layout.channels;
    const auto channel = static_cast<size_t>((first / layout.block() - tiles_.first()) * layout.channels + in_channels);
    const uint8_t* const zero_points = tiles_.zero_points();
    const bool by_each = layout.behind == 1 && layout.channels > 1;
    const uint64_t left = by_each ? layout.channels - in_channels : layout.behind - first % layout.behind;
    const auto n = static_cast<size_t>(std::min<uint64_t>(left, numbers.size()));
    if (by_each)
      encode_each(numbers.data(), n, tiles_.scales() + channel, zero_points ? zero_points + channel : nullptr,
                  source_.bits, source_.symmetric, to);
    else
      encode(numbers.data(), n, tiles_.scales()[channel], zero_points ? zero_points[channel] : uint8_t{0}, source_.bits,
             source_.symmetric, to);
    return n;
  }

  const QuantiseContent& content_;
  const QuantiseSource& source_;
  QuantiseTiles tiles_;
  Scratch buffer_;
};

/// Neighbours that both share a scale, or both do not, are one axis.
QuantiseLayout layout_of(const Shape& shape, const std::vector<size_t>& axes) {
  std::vector<std::pair<bool, uint64_t>> runs;  // whether it shares a scale, and its size
  for (size_t i = 0; i < shape.size(); ++i) {
    const bool shared = std::binary_search(axes.begin(), axes.end(), i);
    if (shape[i] == 1) continue;
    if (!runs.empty() && runs.back().first == shared)
      runs.back().second *= static_cast<uint64_t>(shape[i]);
    else
      runs.emplace_back(shared, static_cast<uint64_t>(shape[i]));
  }
  QuantiseLayout layout;
  size_t at = runs.size();
  if (at > 0 && runs[at - 1].first) layout.behind = runs[--at].second;
  if (at > 0) layout.channels = runs[--at].second;
  if (at > 0) layout.before = runs[--at].second;
  if (at > 0) layout.blocks = runs[--at].second;
  if (at > 0) throw Error(Code::BadValue, "scales by more than two axes that are apart");
  if (layout.before == 1) {  // then each channel is a block
    layout.blocks *= layout.channels;
    layout.channels = 1;
  }
  return layout;
}

std::string text_of(const QuantiseSource& source) {
  const QuantiseLayout& layout = source.layout;
  return cat(source.bits, source.symmetric ? "s" : "a", ",", ir_name(source.weights.type), ",", layout.blocks, ",",
             layout.before, ",", layout.channels, ",", layout.behind, ",", slice_text(*source.weights.content));
}

uint64_t part_elements(const QuantiseSource& source, Part part) {
  return part == Part::Codes ? source.weights.elements() : source.scales();
}

}  // namespace

QuantiseContent::QuantiseContent(std::shared_ptr<const QuantiseSource> source, Part part)
    : Recipe(kKind,
             (part_elements(*source, part) * static_cast<uint64_t>(part == Part::Scales ? 16 : source->bits) + 7) / 8,
             {source->weights.content}),
      source_(std::move(source)),
      part_(part) {}

std::unique_ptr<ContentReader> QuantiseContent::open(Files& files) const {
  return std::make_unique<QuantiseReader>(*this, files);
}

std::string QuantiseContent::identity() const {
  const char* const name = part_ == Part::Codes ? "codes(" : part_ == Part::Scales ? "scales(" : "zero_points(";
  return cat(name, text_of(*source_), ")");
}

uint64_t QuantiseContent::elements() const { return part_elements(*source_, part_); }

/// No more than the codes of a tile of a recipe.
uint64_t QuantiseContent::best_piece() const {
  return std::max(kCachedPiece, quantise_tile(*sources()[0]) * static_cast<uint64_t>(source_->bits) / 8);
}

QuantisedWeights quantise(const Constant& source, const Quantisation& how) {
  check_source(source);
  Shape shape = source.shape;
  std::vector<size_t> axes = how.axes;
  for (const size_t axis : axes)
    if (axis >= shape.size()) throw Error(Code::BadValue, msg("axis ", axis, " of rank ", shape.size()));
  if (how.group != -1) {
    int64_t& size = shape.at(axes.at(0));
    if (axes.size() != 1 || how.group < 1 || size % how.group != 0)
      throw Error(Code::ShapeMismatch, msg("groups of ", how.group, " in dimension ", size));
    size /= how.group;
    shape.insert(shape.begin() + static_cast<ptrdiff_t>(++axes[0]), how.group);
  }
  Shape scales = shape;
  for (const size_t axis : axes) scales[axis] = 1;
  auto shared = std::make_shared<QuantiseSource>();
  shared->weights = source;
  shared->layout = layout_of(shape, axes);
  shared->bits = how.bits;
  shared->symmetric = how.symmetric;
  const bool half = how.bits == 4;
  const ElementType code =
      how.symmetric ? (half ? ElementType::I4 : ElementType::I8) : (half ? ElementType::U4 : ElementType::U8);
  // Not finish(): what is small is computed once it is known that it can be.
  const auto part = [&](Part which) { return std::make_shared<QuantiseContent>(shared, which); };
  QuantisedWeights out;
  out.codes = {code, std::move(shape), part(Part::Codes)};
  if (!how.symmetric) out.zero_points = {code, scales, part(Part::ZeroPoints)};
  out.scales = {ElementType::F16, std::move(scales), part(Part::Scales)};
  return out;
}

Quantisable measure(const QuantisedWeights& weights, Files& files, uint64_t& room) {
  const auto content = as_recipe<QuantiseContent>(weights.codes.content);
  const QuantiseSource& source = content->source();
  const uint64_t channels = source.layout.channels;
  const uint64_t bytes = source.scales() * (sizeof(float) + (source.symmetric ? 0 : 1));
  const bool is_kept = bytes <= room;
  ChannelScales found;
  if (is_kept) {  // in no more memory than they need
    found.scales.reserve(static_cast<size_t>(source.scales()));
    if (!source.symmetric) found.zero_points.reserve(static_cast<size_t>(source.scales()));
  }
  QuantiseTiles tiles(source, files);
  for (uint64_t block = 0; block < source.layout.blocks; block += tiles.count()) {
    tiles.hold(block);
    const auto n = static_cast<size_t>(tiles.count() * channels);
    const std::span<const float> scales(tiles.scales(), n);
    if (!tiles.is_finite()) return Quantisable::NotFinite;
    for (const float scale : scales)
      if ((f32_to_f16(scale) & 0x7fff) == 0x7c00) return Quantisable::ScaleTooLarge;
    if (!is_kept) continue;
    found.scales.insert(found.scales.end(), scales.begin(), scales.end());
    if (!source.symmetric)
      found.zero_points.insert(found.zero_points.end(), tiles.zero_points(), tiles.zero_points() + n);
  }
  if (!is_kept) return Quantisable::Yes;
  room -= bytes;
  source.known = std::move(found);
  return Quantisable::Yes;
}

}  // namespace mo
