// Weights as integers of 8 or 4 bits. Not for use outside core/base.
#pragma once

#include "core/base/recipes/recipe.h"

namespace mo {

/// Numbers in the order of the source: `blocks` of [before, channels, behind], row-major. The numbers of a channel of a
/// block share a scale.
struct QuantiseLayout {
  uint64_t blocks = 1, before = 1, channels = 1, behind = 1;
  uint64_t block() const { return before * channels * behind; }
};

/// Scales, and zero points unless they are symmetric, of consecutive channels.
struct ChannelScales {
  std::vector<float> scales;
  std::vector<uint8_t> zero_points;
};

/// What the recipes over one source have in common.
struct QuantiseSource {
  Constant weights;
  QuantiseLayout layout;
  int bits = 8;
  bool symmetric = false;
  /// Of all channels, once measured. Empty if there was no room for them.
  mutable ChannelScales known;

  uint64_t scales() const { return layout.blocks * layout.channels; }
  bool knows_scales() const { return !known.scales.empty(); }
};

class QuantiseContent final : public Recipe {
 public:
  static constexpr RecipeKind kKind = RecipeKind::Quantise;
  enum class Part { Codes, ZeroPoints, Scales };
  QuantiseContent(std::shared_ptr<const QuantiseSource> source, Part part);
  std::unique_ptr<ContentReader> open(Files& files) const override;
  std::string identity() const override;
  uint64_t best_piece() const override;

  const QuantiseSource& source() const { return *source_; }
  Part part() const { return part_; }
  /// Of the codes of 4 bits, and of zero points that belong to them.
  int element_bits() const { return part_ == Part::Scales ? 16 : source_->bits; }
  uint64_t elements() const;

 private:
  std::shared_ptr<const QuantiseSource> source_;
  Part part_;
};

/// Elements of the source that are read together: what fits a processor's cache, or, where a source computes them, what
/// saves work.
uint64_t quantise_tile(const Content& source);

/// The smallest and the largest number.
struct NumberRange {
  float low, high;
};

// The inner loops, in quantise_numbers.cpp.

/// The ranges of channels, and the largest of their numbers' bits without the sign, which tell what is not finite.
class NumberRanges {
 public:
  /// Of no numbers.
  void reset(size_t channels);
  /// By numbers of one channel.
  void widen(size_t channel, const float* numbers, size_t n);
  /// Each channel from `first` on by one number.
  void widen_each(size_t first, const float* numbers, size_t n);
  size_t size() const { return low_.size(); }
  NumberRange operator[](size_t channel) const { return {low_[channel], high_[channel]}; }
  bool is_finite(size_t channel) const { return magnitude_[channel] < 0x7f800000; }

 private:
  std::vector<float> low_, high_;
  std::vector<int32_t> magnitude_;
};

/// Appends the scale of a range, and its zero point.
void add_scale(const NumberRange& range, int bits, bool symmetric, ChannelScales& to);
/// Codes, one a byte: those of one channel, or of a channel each. Symmetric ones have 0, or null, as zero point.
void encode(const float* numbers, size_t n, float scale, uint8_t zero_point, int bits, bool symmetric, uint8_t* codes);
void encode_each(const float* numbers, size_t n, const float* scales, const uint8_t* zero_points, int bits,
                 bool symmetric, uint8_t* codes);

/// Reads numbers of the source, cheapest in ascending order, and says what their scales are.
class QuantiseTiles {
 public:
  QuantiseTiles(const QuantiseSource& source, Files& files);
  /// Makes the tile hold the scales of the block: those of all blocks, if they are known.
  void hold(uint64_t block);
  uint64_t first() const { return first_; }
  uint64_t count() const { return count_; }
  /// Of the blocks that the tile holds.
  const float* scales() const { return held_scales().scales.data(); }
  const uint8_t* zero_points() const { return source_.symmetric ? nullptr : held_scales().zero_points.data(); }
  /// The numbers from `element` of the source on, at most n and at least one.
  std::span<const float> numbers(uint64_t element, uint64_t n);
  bool is_finite() const { return finite_; }

 private:
  const ChannelScales& held_scales() const { return source_.knows_scales() ? source_.known : scales_; }
  void read(uint64_t element, uint64_t n);
  void measure_block(uint64_t block);
  void widen_by(uint64_t at, std::span<const float> numbers);

  const QuantiseSource& source_;
  std::unique_ptr<ContentReader> reader_;
  uint64_t tile_;                   ///< elements read at a time
  uint64_t first_ = 0, count_ = 0;  ///< blocks
  std::vector<float> numbers_;      ///< `held_` elements of the source from `begin_` on
  uint64_t begin_ = 0, held_ = 0;
  NumberRanges ranges_;  ///< of the channels of a block
  ChannelScales scales_;
  bool finite_ = true;
  Scratch buffer_;
};

}  // namespace mo
