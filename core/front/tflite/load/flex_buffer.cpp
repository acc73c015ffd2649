#include "core/front/tflite/load/flex_buffer.h"

#include <bit>
#include <cstring>

namespace mo::tflite {
namespace {

/// Types of the format that options use. Values that begin with Indirect are behind an offset.
enum Type : uint8_t {
  Null = 0,
  Int = 1,
  Uint = 2,
  Float = 3,
  Key = 4,
  String = 5,
  IndirectInt = 6,
  IndirectUint = 7,
  IndirectFloat = 8,
  Map = 9,
  Vector = 10,
  VectorInt = 11,
  VectorUint = 12,
  VectorFloat = 13,
  VectorInt2 = 16,
  VectorFloat4 = 24,
  Bool = 26
};
constexpr uint64_t kMostEntries = 256, kMostNumbers = 1 << 16;

/// Reads values of 1, 2, 4 or 8 bytes. After it is asked for a place outside the bytes, `failed_` is set, and what it
/// returns must not be used.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::optional<Attributes> map() {
    const size_t size = bytes_.size();
    if (size < 3) return std::nullopt;
    const auto root_width = static_cast<uint8_t>(bytes_[size - 1]), type = static_cast<uint8_t>(bytes_[size - 2]);
    if (type >> 2 != Map || (root_width != 1 && root_width != 2 && root_width != 4 && root_width != 8) ||
        size < 2u + root_width)
      return std::nullopt;
    const unsigned width = 1u << (type & 3);
    const uint64_t begin = behind(size - 2 - root_width, root_width);
    // Before the values: where the keys are, the width of that list's elements, and the number of values.
    if (failed_ || begin < 3 * width) return std::nullopt;
    const uint64_t count = number(begin - width, width), key_width = number(begin - 2 * width, width);
    const uint64_t keys = behind(begin - 3 * width, width);
    if (failed_ || count > kMostEntries || (key_width != 1 && key_width != 2 && key_width != 4 && key_width != 8))
      return std::nullopt;
    Attributes out;
    for (uint64_t i = 0; i < count && !failed_; ++i) {
      const std::string_view key = text(behind(keys + i * key_width, static_cast<unsigned>(key_width)));
      const uint64_t packed = number(begin + count * width + i, 1);
      value(out, key, begin + i * width, width, static_cast<uint8_t>(packed));
    }
    return failed_ ? std::nullopt : std::optional(out);
  }

 private:
  uint64_t number(uint64_t at, unsigned width) {
    uint64_t out = 0;
    if (at > bytes_.size() || width > bytes_.size() - at)
      failed_ = true;
    else
      std::memcpy(&out, bytes_.data() + at, width);
    return out;
  }
  /// What the offset at that place points back to.
  uint64_t behind(uint64_t at, unsigned width) {
    const uint64_t distance = number(at, width);
    failed_ |= distance > at;
    return failed_ ? 0 : at - distance;
  }
  std::string_view text(uint64_t at) {
    if (failed_) return {};
    const size_t end = bytes_.find('\0', static_cast<size_t>(at));
    failed_ |= end == std::string_view::npos;
    return failed_ ? std::string_view() : bytes_.substr(static_cast<size_t>(at), end - static_cast<size_t>(at));
  }

  void value(Attributes& out, std::string_view key, uint64_t at, unsigned width, uint8_t packed) {
    unsigned type = packed >> 2;
    if (type == String) return out.set(key, std::string(text(behind(at, width))));
    if (type >= Vector && type <= VectorFloat4) return list(out, key, behind(at, width), 1u << (packed & 3), type);
    if (type == IndirectInt || type == IndirectUint || type == IndirectFloat) {
      at = behind(at, width);
      width = 1u << (packed & 3);
      type -= IndirectInt - Int;
    }
    const uint64_t bits = number(at, width);
    if (type == Bool) out.set(key, bits != 0);
    if (type == Int) out.set(key, signed_number(bits, width));
    if (type == Uint) out.set(key, static_cast<int64_t>(bits));
    if (type == Float && width >= 4) out.set(key, real_number(bits, width));
  }

  /// Lists of numbers. Those of 2, 3 or 4 numbers do not say how many they have.
  void list(Attributes& out, std::string_view key, uint64_t at, unsigned width, unsigned type) {
    if (failed_) return;
    const bool is_short = type >= VectorInt2;
    failed_ |= !is_short && at < width;
    const uint64_t count = is_short ? (type - VectorInt2) / 3 + 2 : number(at - width, width);
    failed_ |= count > kMostNumbers || count * width > bytes_.size();
    const unsigned of_all = is_short ? (type - VectorInt2) % 3 + Int : type - VectorInt + Int;  // of a typed list
    Ints ints;
    Doubles floats;
    bool is_float = of_all == Float;
    for (uint64_t i = 0; i < count && !failed_; ++i) {
      const unsigned kind = type == Vector ? static_cast<unsigned>(number(at + count * width + i, 1)) >> 2 : of_all;
      const uint64_t bits = number(at + i * width, width);
      if (kind != Int && kind != Uint && kind != Float) return;  // no list of numbers
      is_float |= kind == Float;
      ints.push_back(kind == Uint ? static_cast<int64_t>(bits) : signed_number(bits, width));
      floats.push_back(kind == Float ? real_number(bits, width) : static_cast<double>(ints.back()));
    }
    if (failed_) return;
    if (is_float) return out.set(key, std::move(floats));
    out.set(key, std::move(ints));
  }

  static int64_t signed_number(uint64_t bits, unsigned width) {
    const unsigned unused = 64 - 8 * width;
    return static_cast<int64_t>(bits << unused) >> unused;
  }
  static double real_number(uint64_t bits, unsigned width) {
    return width == 8 ? std::bit_cast<double>(bits) : double{std::bit_cast<float>(static_cast<uint32_t>(bits))};
  }

  std::string_view bytes_;
  bool failed_ = false;
};

}  // namespace

std::optional<Attributes> read_flex_map(std::string_view bytes) { return Reader(bytes).map(); }

}  // namespace mo::tflite
