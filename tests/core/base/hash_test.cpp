#include "core/base/hash.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/core/support/memory_files.h"

namespace mo {
namespace {

Hash128 hash_text(std::string_view text) { return hash_of(std::as_bytes(std::span(text.data(), text.size()))); }

TEST(Hash, IsMurmur3) {
  EXPECT_EQ(to_string(hash_text("")), "00000000000000000000000000000000");
  const Hash128 fox = hash_text("The quick brown fox jumps over the lazy dog");
  EXPECT_EQ(fox.low, 0xe34bbc7bbc071b6cu);
  EXPECT_EQ(fox.high, 0x7a433ca9c49a9347u);
}

TEST(Hash, DoesNotDependOnTheCut) {
  const auto bytes = test::noise(1000);
  const Hash128 whole = hash_of(bytes);
  for (const size_t piece : {1, 7, 15, 16, 17, 333, 999}) {
    Hasher hasher;
    for (size_t at = 0; at < bytes.size(); at += piece)
      hasher.add(std::span(bytes).subspan(at, std::min(piece, bytes.size() - at)));
    EXPECT_EQ(to_string(hasher.result()), to_string(whole)) << piece;
  }
}

TEST(Hash, EveryByteAndTheLengthCount) {
  std::set<std::string> seen;
  for (size_t length = 1; length <= 40; ++length) {
    std::vector<std::byte> bytes(length);
    EXPECT_TRUE(seen.insert(to_string(hash_of(bytes))).second) << length;
    for (std::byte& b : bytes) {
      b = std::byte{1};
      EXPECT_TRUE(seen.insert(to_string(hash_of(bytes))).second) << length;
      b = std::byte{0};
    }
  }
}

}  // namespace
}  // namespace mo
