// Codes, zero points and scales of weights, against the arithmetic written out for each channel. tests/weights/
// compares them with NNCF's.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/base/content.h"
#include "core/base/error.h"
#include "core/base/half.h"
#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

using test::Fixture;

std::vector<float> drawn(size_t n) {
  std::vector<float> numbers(n);
  uint32_t state = 1;
  for (float& number : numbers) {
    state = state * 1664525 + 1013904223;
    number = static_cast<float>(static_cast<int32_t>(state)) * 0x1p-33f;
  }
  return numbers;
}

struct Expected {
  std::vector<uint8_t> codes, zero_points;
  std::vector<uint16_t> scales;
};

/// By the definition; `shared` says which dimensions share a scale.
Expected expected(const std::vector<float>& numbers, const Shape& shape, const std::vector<bool>& shared, int bits,
                  bool symmetric) {
  std::vector<size_t> channel_of(numbers.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    size_t stride = 1, rest = i;
    for (size_t axis = shape.size(); axis-- > 0;) {
      const auto size = static_cast<size_t>(shape[axis]);
      if (!shared[axis]) channel_of[i] += rest % size * stride, stride *= size;
      rest /= size;
    }
  }
  size_t channels = 1;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!shared[i]) channels *= static_cast<size_t>(shape[i]);
  std::vector<float> low(channels, INFINITY), high(channels, -INFINITY), scale(channels), zero(channels);
  for (size_t i = 0; i < numbers.size(); ++i) {
    low[channel_of[i]] = std::min(low[channel_of[i]], numbers[i]);
    high[channel_of[i]] = std::max(high[channel_of[i]], numbers[i]);
  }
  const float half = static_cast<float>(1 << (bits - 1)), top = static_cast<float>((1 << bits) - 1);
  Expected out;
  for (size_t c = 0; c < channels; ++c) {
    if (symmetric) {
      scale[c] = (std::fabs(low[c]) >= high[c] ? std::fabs(low[c]) : -high[c]) / half;
    } else {
      low[c] = std::min(low[c], 0.0f), high[c] = std::max(high[c], 0.0f);
      scale[c] = (high[c] - low[c]) / top;
    }
    if (std::fabs(scale[c]) < 0x1p-23f) scale[c] = 0x1p-23f;
    if (!symmetric) zero[c] = std::min(std::max(-std::nearbyint(low[c] / scale[c]), 0.0f), top);
    out.scales.push_back(f32_to_f16(scale[c]));
    if (!symmetric) out.zero_points.push_back(static_cast<uint8_t>(zero[c]));
  }
  for (size_t i = 0; i < numbers.size(); ++i) {
    const size_t c = channel_of[i];
    const float code = std::nearbyint(numbers[i] / scale[c] + zero[c]);
    const float fit = std::min(std::max(code, symmetric ? -half : 0.0f), symmetric ? half - 1 : top);
    out.codes.push_back(static_cast<uint8_t>(static_cast<int>(fit)));
  }
  return out;
}

std::vector<uint8_t> packed(const std::vector<uint8_t>& codes, int bits) {
  if (bits == 8) return codes;
  std::vector<uint8_t> out((codes.size() + 1) / 2);
  for (size_t i = 0; i < codes.size(); ++i) out[i / 2] |= static_cast<uint8_t>((codes[i] & 15) << i % 2 * 4);
  return out;
}

void expect_same(const QuantisedWeights& got, const Expected& want, int bits, Fixture& f) {
  EXPECT_EQ(f.read<uint8_t>(got.codes), packed(want.codes, bits));
  EXPECT_EQ(f.read<uint16_t>(got.scales), want.scales);
  if (got.zero_points.content) {
    EXPECT_EQ(f.read<uint8_t>(got.zero_points), packed(want.zero_points, bits));
  }
}

struct Form {
  Shape shape;
  std::vector<size_t> axes;
  int64_t group;
  Shape grouped;             ///< the shape of the codes
  std::vector<bool> shared;  ///< by dimension of that
};
const Form kForms[] = {
    {{5, 70}, {1}, -1, {5, 70}, {false, true}},                                           // rows
    {{70, 5}, {0}, -1, {70, 5}, {true, false}},                                           // columns
    {{7, 64}, {1}, 16, {7, 4, 16}, {false, false, true}},                                 // groups in rows
    {{64, 7}, {0}, 16, {4, 16, 7}, {false, true, false}},                                 // in columns
    {{3, 32, 5}, {1}, 8, {3, 4, 8, 5}, {false, false, true, false}},                      // batches
    {{4, 3, 2, 2}, {1, 2, 3}, -1, {4, 3, 2, 2}, {false, true, true, true}},               // Convolution
    {{4, 3, 2, 2}, {0, 2, 3}, -1, {4, 3, 2, 2}, {true, false, true, true}},               // ConvolutionBackpropData
    {{2, 4, 3, 2, 2}, {1, 3, 4}, -1, {2, 4, 3, 2, 2}, {false, true, false, true, true}},  // in groups
    {{9}, {0}, -1, {9}, {true}},
    {{9}, {}, -1, {9}, {false}},
    {{3000, 800}, {0}, -1, {3000, 800}, {true, false}},  // more than is read at once
    {{2, 1200000}, {1}, -1, {2, 1200000}, {false, true}},
};

TEST(Quantise, AllFormsFollowTheDefinition) {
  for (const Form& form : kForms) {
    const std::vector<float> numbers = drawn(static_cast<size_t>(element_count(form.shape)));
    Fixture f(test::bytes_of(numbers));
    const Constant source = f.slice_of(ElementType::F32, form.shape, 0);
    for (const int bits : {4, 8})
      for (const bool symmetric : {false, true}) {
        const Expected want = expected(numbers, form.grouped, form.shared, bits, symmetric);
        const QuantisedWeights weights = quantise(source, {bits, symmetric, form.axes, form.group});
        EXPECT_EQ(weights.codes.shape, form.grouped);
        expect_same(weights, want, bits, f);
        uint64_t room = 1 << 20;
        EXPECT_EQ(measure(weights, f.files, room), Quantisable::Yes);
        expect_same(weights, want, bits, f);
        if (numbers.size() > 1000) continue;
        test::expect_random_access(weights.codes, f.files, 1);
        test::expect_random_access(weights.scales, f.files, 2);
      }
  }
}

TEST(Quantise, WithoutRoomForScalesTheyAreReadAgain) {
  const std::vector<float> numbers = drawn(4 * 64);
  Fixture f(test::bytes_of(numbers));
  const QuantisedWeights weights = quantise(f.slice_of(ElementType::F32, {4, 64}, 0), {8, false, {1}, -1});
  uint64_t room = 19;  // four scales and zero points take 20 bytes
  EXPECT_EQ(measure(weights, f.files, room), Quantisable::Yes);
  EXPECT_EQ(room, 19u);
  expect_same(weights, expected(numbers, {4, 64}, {false, true}, 8, false), 8, f);
  room = 20;
  EXPECT_EQ(measure(weights, f.files, room), Quantisable::Yes);
  EXPECT_EQ(room, 0u);
}

TEST(Quantise, OtherTypesAreReadAsF32) {
  const std::vector<float> numbers = drawn(6 * 20);
  Fixture f(test::bytes_of(numbers));
  const Constant whole = f.slice_of(ElementType::F32, {6, 20}, 0);
  for (const ElementType type : {ElementType::F16, ElementType::BF16, ElementType::F64}) {
    const Constant narrow = convert(whole, type);
    const auto read = f.read<float>(convert(narrow, ElementType::F32));
    expect_same(quantise(narrow, {8, false, {1}, -1}), expected(read, {6, 20}, {false, true}, 8, false), 8, f);
  }
}

TEST(Quantise, RecipesAreSources) {
  const std::vector<float> numbers = drawn(6 * 20);
  Fixture f(test::bytes_of(numbers));
  const Constant turned = transpose(f.slice_of(ElementType::F32, {6, 20}, 0), {1, 0});
  const auto read = f.read<float>(turned);
  const QuantisedWeights weights = quantise(turned, {4, true, {1}, 2});
  expect_same(weights, expected(read, {20, 3, 2}, {false, false, true}, 4, true), 4, f);
  EXPECT_EQ(weights.codes.content->depth(), 2);
}

Quantisable measured(std::vector<float> numbers, bool symmetric) {
  Fixture f(test::bytes_of(numbers));
  const Shape shape{2, static_cast<int64_t>(numbers.size() / 2)};
  uint64_t room = 1024;
  return measure(quantise(f.slice_of(ElementType::F32, shape, 0), {8, symmetric, {1}, -1}), f.files, room);
}

TEST(Quantise, NumbersThatCannotBe) {
  std::vector<float> numbers = drawn(100);
  for (const float wrong : {NAN, -NAN, INFINITY, -INFINITY}) {
    for (const size_t at : {size_t{0}, size_t{49}, size_t{99}}) {
      auto some = numbers;
      some[at] = wrong;
      EXPECT_EQ(measured(some, true), Quantisable::NotFinite);
      EXPECT_EQ(measured(some, false), Quantisable::NotFinite);
    }
  }
  numbers[60] = 65519.0f * 128;
  EXPECT_EQ(measured(numbers, true), Quantisable::Yes);
  numbers[60] = 65520.0f * 128;
  EXPECT_EQ(measured(numbers, true), Quantisable::ScaleTooLarge);
  numbers[60] = -3e38f;
  numbers[61] = 3e38f;
  EXPECT_EQ(measured(numbers, false), Quantisable::ScaleTooLarge);
}

TEST(Quantise, RefusesWhatDoesNotFit) {
  Fixture f(test::bytes_of(drawn(24)));
  const Constant source = f.slice_of(ElementType::F32, {2, 12}, 0);
  EXPECT_THROW(quantise(source, {4, true, {1}, 5}), Error);
  EXPECT_THROW(quantise(source, {4, true, {0, 1}, 2}), Error);
  EXPECT_THROW(quantise(source, {4, true, {2}, -1}), Error);
}

TEST(Quantise, EqualRecipesHaveOneIdentity) {
  Fixture f(test::bytes_of(drawn(48)));
  const Constant source = f.slice_of(ElementType::F32, {2, 12}, 0), other = f.slice_of(ElementType::F32, {2, 12}, 96);
  const auto identity = [](const Constant& of, int bits) {
    return quantise(of, {bits, true, {1}, -1}).codes.content->identity();
  };
  EXPECT_EQ(identity(source, 8), identity(source, 8));
  EXPECT_NE(identity(source, 8), identity(other, 8));
  EXPECT_NE(identity(source, 8), identity(source, 4));
}

}  // namespace
}  // namespace mo
