#include "core/base/hash.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace mo {
namespace {

constexpr uint64_t kMurmur1 = 0x87c37b91114253d5, kMurmur2 = 0x4cf5ad432745937f;

uint64_t little_endian(const std::byte* bytes) {
  static_assert(std::endian::native == std::endian::little);
  uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

uint64_t scramble_low(uint64_t k) { return std::rotl(k * kMurmur1, 31) * kMurmur2; }
uint64_t scramble_high(uint64_t k) { return std::rotl(k * kMurmur2, 33) * kMurmur1; }

uint64_t avalanche(uint64_t h) {
  h = (h ^ h >> 33) * 0xff51afd7ed558ccd;
  h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53;
  return h ^ h >> 33;
}

}  // namespace

void Hasher::mix(const std::byte* block) {
  h1_ = (std::rotl(h1_ ^ scramble_low(little_endian(block)), 27) + h2_) * 5 + 0x52dce729;
  h2_ = (std::rotl(h2_ ^ scramble_high(little_endian(block + 8)), 31) + h1_) * 5 + 0x38495ab5;
}

void Hasher::add(std::span<const std::byte> bytes) {
  const size_t waiting = length_ % kBlock;
  length_ += bytes.size();
  if (waiting != 0) {
    const size_t taken = std::min(bytes.size(), kBlock - waiting);
    std::copy_n(bytes.data(), taken, rest_.data() + waiting);
    if (waiting + taken < kBlock) return;
    mix(rest_.data());
    bytes = bytes.subspan(taken);
  }
  for (; bytes.size() >= kBlock; bytes = bytes.subspan(kBlock)) mix(bytes.data());
  std::copy(bytes.begin(), bytes.end(), rest_.begin());
}

Hash128 Hasher::result() const {
  uint64_t h1 = h1_, h2 = h2_;
  if (const size_t waiting = length_ % kBlock) {
    std::array<std::byte, kBlock> last{};
    std::copy_n(rest_.data(), waiting, last.data());
    h1 ^= scramble_low(little_endian(last.data()));
    h2 ^= scramble_high(little_endian(last.data() + 8));
  }
  h1 ^= length_;
  h2 ^= length_;
  h1 += h2;
  h2 += h1;
  h1 = avalanche(h1);
  h2 = avalanche(h2);
  h1 += h2;
  return {h1, h1 + h2};
}

Hash128 hash_of(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.result();
}

std::string to_string(Hash128 hash) {
  std::string text;
  for (const uint64_t half : {hash.high, hash.low})
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[half >> shift & 15];
  return text;
}

}  // namespace mo
